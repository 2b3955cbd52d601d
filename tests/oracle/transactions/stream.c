/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/transactions/stream.h"

#include "oracle/finding.h"
#include "oracle/transactions/base.h"
#include "oracle/transactions/counts.h"
#include "oracle/transactions/write.h"
#include "support/chance.h"

#include <assay_monitor.h>

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static size_t sessions_of(const struct history *h)
{
    size_t n = 0;
    for (int s = 0; s < h->session_count; s++) {
        bool used = false;
        for (int t = 0; t < h->n; t++)
            used |= h->txns[t].session == s;
        n += used;
    }
    return n;
}

/* The least promise about late lines that this order keeps; 0: there is none, as times are too far apart */
static int64_t lateness(const struct history *h, const int *order)
{
    int64_t last = INT64_MIN, late = 1;
    for (int i = 0; i < h->n; i++) {
        const struct txn *x = &h->txns[order[i]];
        if (h->timing != TIMED || x->begin < -1000000 || x->begin > 1000000)
            return 0;
        if (last != INT64_MIN && last - x->begin > late)
            late = last - x->begin;
        if (x->outcome != MAYBE && x->end > last)
            last = x->end;
    }
    return late;
}

/* Line by line; false: an error */
static bool feed(assay_monitor *m, const char *text, int flushes, assay_error *e)
{
    for (const char *p = text, *end; *p; p = end) {
        end = strchr(p, '\n') + 1;
        if (!assay_monitor_feed(m, p, (size_t)(end - p), e) || (chance(flushes) && !assay_monitor_flush(m, e)))
            return false;
    }
    return assay_monitor_end(m, e);
}

void check_stream(const struct history *h, const bool ok[MODELS])
{
    bool strict = h->timing == TIMED && chance(50);
    int model = model_of(chance(50) ? SER : SI, strict ? STRICT : SESSION), order[MOST_TXNS];
    struct spelling s = plain_spelling();
    char *text = write_lines(h, &s, order);
    assay_error e = {0};
    assay_monitor_options o = {ASSAY_MONITOR_OPTIONS_INIT, .model = model_names[model]};
    if (chance(80))
        o.sessions = sessions_of(h);
    if (strict && chance(50))
        o.late = lateness(h, order);
    assay_monitor *m = assay_monitor_open(NULL, &o, &e);
    counts.streams++;
    bool unique = differentiated(h);
    if (!m || !feed(m, text, below(3) * 50, &e)) {
        if (unique || e.code != ASSAY_ERROR_NOT_APPLICABLE)
            finding(text, "monitor of %s: %s", model_names[model], e.message);
        counts.undecided_streams++;
    } else {
        assay_verdict v = assay_monitor_verdict(m);
        counts.undecided_streams += v == ASSAY_UNDECIDED;
        /* A violation may come before the line that repeats a value. */
        bool early = v == ASSAY_VIOLATION && !unique;
        if (!early && v != ASSAY_UNDECIDED && (v == ASSAY_CONSISTENT) != ok[model])
            finding(text, "monitor of %s, %zu sessions, late %d: %s, the definition says otherwise", model_names[model],
                    o.sessions, (int)o.late, v == ASSAY_CONSISTENT ? "consistent" : "violation");
    }
    assay_monitor_close(m);
    free(text);
}
