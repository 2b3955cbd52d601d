/* SPDX-License-Identifier: Apache-2.0 */
/* A parameter of the engine `wgl` that tests change. */
#ifndef ASSAY_OBJECT_WGL_H
#define ASSAY_OBJECT_WGL_H

#include <stdint.h>

extern uint64_t wgl_patience; /* after so many dead ends jit goes on beside the search */

#endif
