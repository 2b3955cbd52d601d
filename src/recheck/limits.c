/* SPDX-License-Identifier: Apache-2.0 */
#include "recheck/limits.h"

const struct limits limits_stated = {{
#define X(ident, name, most, sentence) [LIMIT_##ident] = (most),
#include "recheck/limit.def"
#undef X
}};

const char *limit_name(enum limit l)
{
    static const char *const names[] = {
#define X(ident, name, most, sentence) [LIMIT_##ident] = name,
#include "recheck/limit.def"
#undef X
    };
    return names[l];
}

const char *limit_sentence(enum limit l)
{
    static const char *const sentences[] = {
#define X(ident, name, most, sentence) [LIMIT_##ident] = sentence,
#include "recheck/limit.def"
#undef X
    };
    return sentences[l];
}
