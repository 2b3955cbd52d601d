/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report.h"

#include "base/registry.h"

#define X(ident, name) extern const struct report report_##ident;
#include "report/report.def"
#undef X

const struct report *const report_table[] = {
#define X(ident, name) &report_##ident,
#include "report/report.def"
#undef X
    NULL};

const struct report *report_find(const char *name)
{
    return report_table[registry_find(report_table, name)];
}
