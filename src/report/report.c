/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report.h"

#include <string.h>

#define X(ident, name) extern const struct report report_##ident;
#include "report/report.def"
#undef X

const struct report *const report_table[] = {
#define X(ident, name) &report_##ident,
#include "report/report.def"
#undef X
    NULL};

size_t report_count(void)
{
    return sizeof report_table / sizeof *report_table - 1;
}

const struct report *report_find(const char *name)
{
    for (size_t i = 0; report_table[i]; i++)
        if (strcmp(report_table[i]->name, name) == 0)
            return report_table[i];
    return NULL;
}
