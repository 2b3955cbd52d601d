/* SPDX-License-Identifier: Apache-2.0 */
/* Parameters of the engine `wgl` that tests change. */
#ifndef ASSAY_SEARCH_WGL_H
#define ASSAY_SEARCH_WGL_H

#include <stdint.h>

extern uint64_t wgl_patience;     /* after so many dead ends jit goes on beside the search */
extern uint64_t wgl_few_patience; /* after so many of them few values are searched apart */

#endif
