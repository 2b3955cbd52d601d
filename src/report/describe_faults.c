/* SPDX-License-Identifier: Apache-2.0 */
/* Faults of the store while the history was recorded: headers `@fault pause:2 998495684..3010886120`, as `assay drive`
 * writes them. Times are those of the operations. */
#include "base/shown.h"
#include "report/describe.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A header of another form is none of ours. */
static bool parse(const struct header *header, struct recorded_fault *out)
{
    const char *at = strchr(header->text, ' ');
    char *end;
    if (!at || at == header->text)
        return false;
    *out = (struct recorded_fault){.name = header->text, .length = (size_t)(at - header->text), .to = INT64_MAX};
    out->from = strtoll(at + 1, &end, 10);
    if (end == at + 1 || strncmp(end, "..", 2) != 0)
        return false;
    if (end[2])
        out->to = strtoll(end + 2, &end, 10);
    else
        end += 2;
    return !*end;
}

static void put_time(struct text *t, const history *h, int64_t time)
{
    static const double seconds[] = {[CLOCK_NS] = 1e-9, [CLOCK_US] = 1e-6, [CLOCK_MS] = 1e-3, [CLOCK_S] = 1};
    if (h->clock == CLOCK_UNSAID)
        text_printf(t, "%" PRId64, time);
    else
        text_printf(t, "%.3f s", (double)time * seconds[h->clock]);
}

static uint32_t during(const history *h, const struct recorded_fault *f, struct mentions m)
{
    uint32_t n = 0;
    for (uint32_t i = 0; h->call && i < m.n; i++)
        n += h->call[m.ops[i]] <= f->to && (history_pending(h, m.ops[i]) || h->ret[m.ops[i]] >= f->from);
    return n;
}

bool describe_next_fault(const history *h, uint32_t *header, struct recorded_fault *f)
{
    while (*header < h->headers.n) {
        const struct header *next = &h->headers.at[(*header)++];
        if (strcmp(history_text(h, next->key), "fault") == 0 && parse(next, f))
            return true;
    }
    return false;
}

bool describe_fault(struct text *t, const history *h, uint32_t *header, struct mentions m)
{
    struct recorded_fault f;
    if (!describe_next_fault(h, header, &f))
        return false;
    text_shown(t, f.name, f.length, "");
    text_puts(t, " from ");
    put_time(t, h, f.from);
    if (f.to == INT64_MAX) {
        text_puts(t, " on");
    } else {
        text_puts(t, " to ");
        put_time(t, h, f.to);
    }
    uint32_t n = during(h, &f, m);
    if (n)
        text_printf(t, ", during %u of the operations involved", (unsigned)n);
    return true;
}
