/* SPDX-License-Identifier: Apache-2.0 */
/* The plug-in with the implementations of C++ libraries (cpp/, cpp.def). The program is built by a C compiler and runs
 * without these libraries. So it knows the names only, and the packages to install for missing ones. */
#ifndef ASSAY_COLLECT_PLUGIN_H
#define ASSAY_COLLECT_PLUGIN_H

#include "assay_adapter.h"

/* The plug-in's adapter of the name, or NULL. The first call looks for the plug-in, beside the program and where it is
 * installed. */
const assay_adapter *plugin_adapter(const char *name);

#endif
