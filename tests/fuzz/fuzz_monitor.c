/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a stream of events: a monitor ends with a verdict or with an error that says where, and it does not matter in
 * which pieces they arrive. The first byte says how it is asked, the second where the stream is cut, by which monitor it is
 * followed, and whether the calls are spread over many objects. */
#include "assay_monitor.h"
#include "fuzz/fuzz.h"

#include <string.h>

static const char *const objects[] = {NULL,   "queue",  "stack",        "set",       "register",
                                      "lock", "pqueue", "semaphore(2)", "exchanger", "multiset"};

/* Of every kind of checker, exact or not. */
static const char *const engines[] = {NULL,       "exact-jit",  "saturate",  "saturate+r",
                                      "symbolic", "symbolic+i", "enumerate", NULL};

enum { PIECE = 15, MANY = 16, ENGINE = 5, OBJECTS = 40 };

struct seen {
    bool fine;
    assay_error e;
    assay_verdict verdict;
    assay_monitor_stats stats;
};

static void look(void *context, const assay_monitor_violation *v)
{
    (void)context;
    FUZZ_ASSERT(v->kind && v->engine && v->event <= v->noticed, "a violation without a place");
    for (size_t i = 0; i < v->operation_count; i++)
        FUZZ_ASSERT(v->operations[i].text, "an operation without a text");
}

static void malformed(void *context, const assay_error *e)
{
    (void)context;
    FUZZ_ASSERT(e->message[0] && e->line, "a fault without a place");
}

/* Each call that names no object gets one of 40. */
static char *spread(const char *bytes, size_t n, size_t *length)
{
    static const char call[] = "] call ";
    size_t step = sizeof call - 1, out = 0, calls = 0;
    char *to = malloc(2 * n + 16);
    FUZZ_ASSERT(to, "out of memory");
    for (size_t i = 0; i < n;) {
        if (n - i <= step || memcmp(bytes + i, call, step) != 0) {
            to[out++] = bytes[i++];
            continue;
        }
        out += (size_t)sprintf(to + out, "%so%u.", call, (unsigned)(calls++ * 7 % OBJECTS));
        i += step;
    }
    *length = out;
    return to;
}

/* `piece` bytes at a time. */
static struct seen follow(const char *bytes, size_t n, size_t piece, uint8_t how, const char *engine)
{
    struct seen s = {.fine = true};
    assay_monitor_options options = {ASSAY_MONITOR_OPTIONS_INIT, .lenient = how & 1,   .all = how & 2,
                                     .engine = engine,           .on_violation = look, .on_malformed = malformed};
    assay_monitor *m = assay_monitor_open(objects[(how >> 2) % (sizeof objects / sizeof *objects)], &options, &s.e);
    if (!m) { /* it is not for this object */
        FUZZ_ASSERT(engine && s.e.code && s.e.message[0], "not opened: %s", s.e.message);
        return s;
    }
    for (size_t at = 0; at < n && s.fine; at += piece)
        s.fine = assay_monitor_feed(m, bytes + at, n - at < piece ? n - at : piece, &s.e);
    s.fine = s.fine && assay_monitor_end(m, &s.e);
    s.verdict = assay_monitor_verdict(m);
    s.stats = assay_monitor_statistics(m);
    FUZZ_ASSERT(s.fine || (s.e.code && s.e.message[0]), "an error without a message");
    FUZZ_ASSERT((s.stats.violations > 0) == (s.verdict == ASSAY_VIOLATION), "a violation that is none");
    assay_monitor_close(m);
    return s;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size < 2)
        return 0;
    size_t n = size - 2, piece = 1 + (data[1] & PIECE);
    const char *bytes = (const char *)data + 2, *engine = engines[data[1] >> ENGINE];
    char *many = data[1] & MANY ? spread(bytes, n, &n) : NULL;
    struct seen whole = follow(many ? many : bytes, n, n + 1, data[0], engine);
    struct seen pieces = follow(many ? many : bytes, n, piece, data[0], engine);
    free(many);
    FUZZ_ASSERT(whole.fine == pieces.fine && whole.verdict == pieces.verdict && whole.e.line == pieces.e.line &&
                    whole.stats.events == pieces.stats.events && whole.stats.violations == pieces.stats.violations &&
                    whole.stats.malformed == pieces.stats.malformed,
                "pieces of %u bytes make a difference", (unsigned)piece);
    return 0;
}
