/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/look.h"

#include "monitor/monitor.h"
#include "monitor/window.h"

#include <inttypes.h>

uint32_t look_batch, look_patience;

static size_t bytes_left(const struct isolation *x)
{
    size_t limit = x->m->mem.limit, used = isolation_bytes(x) + x->m->mem.used;
    return !limit ? 0 : limit > used ? limit - used : 1;
}

static void stop(struct isolation *x, const char *why)
{
    x->stopped = true;
    if (why)
        monitor_weaken(x->m, &online_window, why, x->m->step);
}

/* ---- the check ---- */

static _Noreturn void not_checked(struct look *l, const assay_error *e)
{
    struct isolation *x = l->x;
    budget_look(&x->m->budget); /* escapes if it was an interrupt */
    if (!e->code)
        escape_raise(x->m->mem.limit ? ESCAPE_MEMORY_BUDGET : ESCAPE_OUT_OF_MEMORY);
    error_copy(&x->fault, e);
    escape_raise(ESCAPE_ERROR);
}

/* Is the window consistent, as it is now? */
static bool consistent(struct look *l)
{
    struct isolation *x = l->x;
    assay_error e = {0};
    assay_options options = {ASSAY_OPTIONS_INIT, .memory = bytes_left(x), .evidence = true,
                             .interrupt = x->m->budget.interrupt, .interrupt_arg = x->m->budget.interrupt_arg};
    assay_result_free(l->result);
    l->result = NULL;
    l->checking = true;
    if (!checker_open(&l->checker, x->h, &options, &e) || !checker_applies(&l->checker, x->model, &e))
        not_checked(l, &e); /* values must be unique here: those that were forgotten cannot be chosen */
    l->result = checker_run(&l->checker, x->model, &e);
    checker_close(&l->checker);
    l->checking = false;
    if (!l->result || l->result->verdict == ASSAY_UNDECIDED)
        not_checked(l, &e);
    size_t bytes = isolation_bytes(x) + l->result->bytes + x->m->mem.used;
    x->m->stats.peak = bytes > x->m->stats.peak ? bytes : x->m->stats.peak;
    return l->result->verdict == ASSAY_CONSISTENT;
}

static void report(struct look *l)
{
    struct isolation *x = l->x;
    monitor_violation(x->m, report_of_transactions(x->m, l->result));
    x->m->stopped = !x->m->all && !x->m->drain;
    stop(x, NULL);
}

/* ---- one look ---- */

static void give_up_if_full(struct isolation *x)
{
    char why[200];
    if (x->h->n <= x->most / 4 * 3)
        return;
    int n = snprintf(why, sizeof why, "more than %" PRIu32 " transactions would have to be kept", x->most);
    if (!x->most_sessions && !x->late)
        snprintf(why + n, sizeof why - (size_t)n, ": without --sessions%s nothing can be forgotten",
                 x->model->base == BASE_REALTIME ? " or --late" : "");
    else if (x->sessions.n < x->most_sessions)
        snprintf(why + n, sizeof why - (size_t)n, ": of %" PRIu32 " sessions only %" PRIu32 " have appeared",
                 x->most_sessions, x->sessions.n);
    stop(x, why);
}

static void look(struct look *l, bool last)
{
    struct isolation *x = l->x;
    look_start(l);
    if (!last)
        reads_hide(&l->reads, x->h);
    if (!consistent(l)) {
        report(l);
        return;
    }
    if (last)
        return;
    bool *leaves = mem_new_zero(&l->mem, bool, (size_t)x->h->n + 1);
    look_settle(l, leaves);
    if (look_overdue(l) && !consistent(l)) {
        report(l);
        return;
    }
    for (uint32_t i = 0; i < l->reads.unresolved.n; i++)
        reads_show(&l->reads.unresolved.at[i], x->h);
    x->horizon = l->settled.count ? look_horizon(x) : x->horizon;
    look_forget(l, leaves);
    window_plan(x);
    give_up_if_full(x);
}

struct looking {
    struct look look;
    bool last;
};

static void protected_look(void *arg)
{
    struct looking *l = arg;
    look(&l->look, l->last);
}

/* The memory of a look is not that of the window: it is gone after the look, also if that escapes. */
void look_at_window(struct isolation *x, bool last)
{
    struct looking l = {.look = {.x = x, .mem = {.limit = bytes_left(x)}}, .last = last};
    enum escape left = escape_run(protected_look, &l);
    size_t bytes = isolation_bytes(x) + l.look.mem.peak + x->m->mem.used;
    x->m->stats.peak = bytes > x->m->stats.peak ? bytes : x->m->stats.peak;
    if (l.look.checking)
        checker_close(&l.look.checker);
    assay_result_free(l.look.result);
    mem_release(&l.look.mem);
    if (left)
        escape_raise(left);
}
