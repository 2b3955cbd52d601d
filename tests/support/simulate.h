/* SPDX-License-Identifier: Apache-2.0 */
/* Long streams of calls and returns of an object that is right: threads call it, each call takes effect at one moment,
 * by the object's own specification, and returns. What online checkers are fed. */
#ifndef ASSAY_TESTS_SUPPORT_SIMULATE_H
#define ASSAY_TESTS_SUPPORT_SIMULATE_H

#include "base/rng.h"
#include "history/history.h"
#include "spec/spec.h"

enum { SIMULATED_THREADS = 16 };

struct simulated_event {
    uint32_t slot; /* a thread */
    bool returns;
    unsigned method;
    uint32_t arity;
    struct value arg, result;
};

struct simulated {
    VEC(struct simulated_event) events;
    struct mem mem;
};

/* What a stream ends with, when nothing is open: calls one after the other, with results as told; the last one is
 * impossible. Up to a method of SIMULATED_END. */
struct simulated_lie {
    unsigned method;
    int64_t arg, result; /* of values; SIMULATED_NONE: none, SIMULATED_FALSE, SIMULATED_EMPTY: words */
};
#define SIMULATED_END UINT32_MAX
#define SIMULATED_NONE INT64_MIN
#define SIMULATED_TRUE (INT64_MIN + 1)
#define SIMULATED_FALSE (INT64_MIN + 2)
#define SIMULATED_EMPTY (INT64_MIN + 3)

/* n events at least; all calls have returned at their end. The setting must stay as long as the stream is made. */
void simulate(struct simulated *out, const assay_spec *spec, const assay_setting *setting, uint64_t seed, uint32_t n);
void simulate_lie(struct simulated *out, const struct simulated_lie *lie);
void simulated_free(struct simulated *s);

#endif
