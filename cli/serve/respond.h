/* SPDX-License-Identifier: Apache-2.0 */
/* Answers, with the headers that keep them harmless in a browser.
 *
 * Nothing is stored, framed, sniffed or read by another site, and no address is told to one. The viewer's own page runs
 * its own script only. Pages with reports run the script inside of them, and are shut in (sandbox). They have an origin
 * of their own: even a forged page in the folder cannot read anything here. */
#ifndef ASSAY_CLI_SERVE_RESPOND_H
#define ASSAY_CLI_SERVE_RESPOND_H

#include <microhttpd.h>

enum policy { POLICY_VIEWER, POLICY_REPORT, POLICY_DATA };

/* Adds the headers. */
void dress(struct MHD_Response *r, const char *type, enum policy policy);

/* Sends it and gives it up. NULL: there was no memory for it; the connection is closed. */
enum MHD_Result send_response(struct MHD_Connection *c, unsigned status, struct MHD_Response *r);

/* A line of text. */
enum MHD_Result send_line(struct MHD_Connection *c, unsigned status, const char *line);

#endif
