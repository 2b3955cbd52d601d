/* SPDX-License-Identifier: Apache-2.0 */
/* The socket on which the viewer listens: one address of this machine, and not all of them at once. */
#ifndef ASSAY_CLI_SERVE_LISTEN_H
#define ASSAY_CLI_SERVE_LISTEN_H

#include "serve/request.h"

/* A socket that listens; port 0: on a free port. `here` says where. -1, with a message, on a fault. */
int listen_on(const char *address, unsigned port, struct address *here);

#endif
