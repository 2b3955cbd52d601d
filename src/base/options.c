/* SPDX-License-Identifier: Apache-2.0 */
#include "base/options.h"

#include <string.h>

#define ENDS_WITH(type, field)                                                                                         \
    _Static_assert(offsetof(type, field) + sizeof(((type *)0)->field) == sizeof(type),                                 \
                   "no padding at the end of " #type)
ENDS_WITH(assay_options, shrinking_arg);
ENDS_WITH(assay_report_options, other_count);

enum { MOST = 4096 }; /* bytes of options; more is no size but an uninitialised field */

static bool all_zero(const unsigned char *bytes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (bytes[i])
            return false;
    return true;
}

bool options_take(void *mine, size_t size, const void *given, assay_error *e)
{
    size_t theirs = size;
    if (given)
        memcpy(&theirs, given, sizeof theirs);
    memset(mine, 0, size);
    if (theirs < sizeof theirs || theirs > MOST) {
        error_set(e, ASSAY_ERROR_USAGE, "the options do not begin with their size");
        error_remedy(e, "initialise them with {ASSAY_OPTIONS_INIT}, or the name for their type");
        return false;
    }
    if (theirs > size && !all_zero((const unsigned char *)given + size, theirs - size)) {
        error_set(e, ASSAY_ERROR_USAGE, "the options ask for more than version %s has", assay_version());
        error_remedy(e, "use a library that is as new as the header");
        return false;
    }
    if (given)
        memcpy(mine, given, theirs < size ? theirs : size);
    memcpy(mine, &size, sizeof size);
    return true;
}
