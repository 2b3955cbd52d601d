/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/staleness/definition.h"

#include <stdint.h>
#include <string.h>

/* Clocks may be wrong by the skew: an operation took place between these. */
static long earliest(const struct history *h, int op)
{
    return h->op[op].call - h->skew;
}

static long latest(const struct history *h, int op)
{
    return h->op[op].pending ? INT64_MAX : h->op[op].ret + h->skew;
}

static bool writes(const struct access *a)
{
    return strchr("wa", a->how);
}

static bool before(const struct history *h, int first, int second)
{
    return !h->op[first].pending && latest(h, first) < earliest(h, second);
}

bool is_newer(const struct history *h, struct write v, int source, int r)
{
    const struct access *a = &h->op[v.op].access[v.access];
    if (!writes(a) || !a->last || h->op[v.op].aborted)
        return false;
    return (source == INITIAL || before(h, source, v.op)) && before(h, v.op, r);
}

struct measure measure(const struct history *h, int var, int source, int r)
{
    struct measure m = {0, 0};
    long first = 0;
    for (int v = 0; v < h->n; v++)
        for (int i = 0; i < h->op[v].n; i++)
            if (h->op[v].access[i].var == var && is_newer(h, (struct write){v, i}, source, r)) {
                first = !m.versions || latest(h, v) < first ? latest(h, v) : first;
                m.versions++;
            }
    if (m.versions)
        m.time = (unsigned long long)(earliest(h, r) - first) * clock_nanoseconds[h->clock];
    return m;
}

static bool wrote(const struct history *h, int source, int r, const struct access *read)
{
    if (source == INITIAL)
        return h->initial[read->var] == read->version;
    for (int i = 0; i < h->op[source].n; i++) {
        const struct access *a = &h->op[source].access[i];
        if (source != r && !h->op[source].aborted && writes(a) && a->var == read->var && a->value == read->version)
            return true;
    }
    return false;
}

bool is_candidate(const struct history *h, int source, int r, const struct access *read)
{
    return wrote(h, source, r, read) && (source == INITIAL || !before(h, r, source));
}

enum state behind(const struct history *h, int r, int access, struct measure *least)
{
    const struct access *read = &h->op[r].access[access];
    bool written = false, candidates = false;
    *least = (struct measure){0, 0};
    if (writes(read) || !read->counts || h->op[r].pending || h->op[r].aborted)
        return SKIPPED;
    for (int w = INITIAL; w < h->n; w++) {
        written |= wrote(h, w, r, read);
        if (!is_candidate(h, w, r, read))
            continue;
        struct measure m = measure(h, read->var, w, r);
        least->versions = !candidates || m.versions < least->versions ? m.versions : least->versions;
        least->time = !candidates || m.time < least->time ? m.time : least->time;
        candidates = true;
    }
    return written ? MEASURED : UNEXPLAINED;
}
