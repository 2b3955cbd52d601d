/* SPDX-License-Identifier: Apache-2.0 */
/* Sources that the evidence names, where values are not unique. Each must have written the value that the read returned
 * to the variable that it read. A read of a value that only one operation wrote needs none. With a source for every
 * read the witness is checked as if values were unique. */
#include "recheck/recheck.h"

static bool fits(const struct recheck *x, uint32_t write, uint32_t read)
{
    const struct values *values = x->memory.values;
    const char *reader = operation_text(x, read);
    if (write == ASSAY_NO_OPERATION)
        return values->seen[read] == values->initial[x->memory.var[read]] ||
               refuse(x, "%s does not return the initial value, which the evidence names as its source", reader);
    if (!takes_part(x, write, "a source"))
        return false;
    const char *writer = operation_text(x, write);
    if (!(x->memory.role[write] & ROLE_WRITES))
        return refuse(x, "%s is named as the source of %s, but does not write", writer, reader);
    if (x->memory.var[write] != x->memory.var[read])
        return refuse(x, "%s is named as the source of %s, but writes another variable", writer, reader);
    if (values->wrote[write] != values->seen[read])
        return refuse(x, "%s is named as the source of %s, but wrote another value", writer, reader);
    return write != read || refuse(x, "%s is named as its own source", reader);
}

bool recheck_sources(struct recheck *x)
{
    const struct evidence *ev = &x->line->evidence;
    struct memory *mem = &x->memory;
    bool *named = mem_new_zero(x->mem, bool, x->h->n);
    for (uint32_t i = 0; i < ev->sources.n; i++) {
        uint32_t write = ev->sources.at[i].first, read = ev->sources.at[i].second;
        if (!takes_part(x, read, "a pair of source and read"))
            return false;
        if (!(mem->role[read] & ROLE_READS))
            return refuse(x, "%s is given a source, but does not read", operation_text(x, read));
        if (named[read])
            return refuse(x, "%s is given two sources", operation_text(x, read));
        if (!fits(x, write, read))
            return false;
        named[read] = true;
        mem->source[read] = write == ASSAY_NO_OPERATION ? FROM_INITIAL : write;
    }
    for (uint32_t o = 0; o < x->h->n; o++)
        if ((mem->role[o] & ROLE_READS) && mem->source[o] == FROM_SEVERAL)
            return refuse(x, "the value that %s returns was written more than once, and the evidence names no source",
                          operation_text(x, o));
    mem_free(x->mem, named);
    return true;
}
