/* SPDX-License-Identifier: Apache-2.0 */
/* The simulated multiprocessor: protocols that stand still or never end are internal errors, and so are messages that
 * cannot be, unless a bug was seeded. */
#include "base/error.h"
#include "collect/coherence/machine.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

/* ---- protocols that are no good ---- */

static void ask_nobody(struct machine *m, uint32_t cache, struct line *l, bool write)
{
    (void)m;
    (void)cache;
    (void)l;
    (void)write;
}

static void ask_oneself(struct machine *m, uint32_t cache, struct line *l, bool write)
{
    (void)write;
    machine_send(m, (struct message){.type = ACK, .from = cache, .to = cache, .variable = l->variable});
}

static void again(struct machine *m, uint32_t cache, const struct message *msg)
{
    ask_oneself(m, cache, cache_find(m, cache, msg->variable), false);
}

static void surprised(struct machine *m, uint32_t cache, const struct message *msg)
{
    machine_unexpected(m, "a surprise");
    struct line *l = cache_find(m, cache, msg->variable);
    l->asked = false;
    l->state = MODIFIED;
}

static void keep(struct machine *m, uint32_t cache, struct line *l)
{
    line_drop(m, cache, l);
}

static const struct protocol silent = {.name = "silent", .ask = ask_nobody, .evict = keep};
static const struct protocol endless = {.name = "endless", .ask = ask_oneself, .evict = keep, .cache_receives = again};
static const struct protocol startled = {
    .name = "startled", .ask = ask_oneself, .evict = keep, .cache_receives = surprised};

/* ---- running them ---- */

struct running {
    struct machine machine;
    struct collecting collecting;
    struct mem mem;
};

static void run(void *arg)
{
    struct running *r = arg;
    machine_run(&r->machine, 10);
}

/* The message, or "" if it went well. */
static const char *outcome(const struct protocol *p, enum bug bug)
{
    static assay_error e;
    struct running r = {.mem = {0}};
    e = (assay_error){0};
    r.collecting = (struct collecting){.mem = &r.mem, .error = &e};
    r.machine = (struct machine){.c = &r.collecting,
                                 .mem = &r.mem,
                                 .rng = {1},
                                 .protocol = p,
                                 .kind = &core_sc,
                                 .bug = bug,
                                 .cores = 2,
                                 .variables = 2,
                                 .lines = 2,
                                 .delay = 5,
                                 .reads = 50};
    enum escape way = escape_run(run, &r);
    mem_release(&r.mem);
    assert_int_equal(way, e.code ? ESCAPE_ERROR : ESCAPE_NONE);
    assert_true(!e.code || e.code == ASSAY_ERROR_INTERNAL);
    return e.message;
}

static void deadlock_is_an_error(void **state)
{
    (void)state;
    assert_non_null(strstr(outcome(&silent, BUG_NONE), "deadlock"));
    assert_non_null(strstr(outcome(&silent, BUG_EARLY_ACK), "deadlock"));
}

static void livelock_is_an_error(void **state)
{
    (void)state;
    assert_non_null(strstr(outcome(&endless, BUG_NONE), "livelock"));
    assert_non_null(strstr(outcome(&endless, BUG_EARLY_ACK), "livelock"));
}

static void surprises_need_a_bug(void **state)
{
    (void)state;
    assert_non_null(strstr(outcome(&startled, BUG_NONE), "a surprise"));
    assert_string_equal(outcome(&startled, BUG_EARLY_ACK), "");
}

static void real_ones_end(void **state)
{
    (void)state;
    assert_string_equal(outcome(&protocol_mi, BUG_NONE), "");
    assert_string_equal(outcome(&protocol_mesi, BUG_NONE), "");
    assert_string_equal(outcome(&protocol_moesi, BUG_NONE), "");
    assert_string_equal(outcome(&protocol_moesi_amd, BUG_NONE), "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deadlock_is_an_error),
        cmocka_unit_test(livelock_is_an_error),
        cmocka_unit_test(surprises_need_a_bug),
        cmocka_unit_test(real_ones_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
