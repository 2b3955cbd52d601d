/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/isolation.h"

#include "check/check.h"
#include "history/token.h"
#include "monitor/monitor.h"
#include "spec/spec.h"
#include "transaction/settled.h"

#include <inttypes.h>
#include <string.h>

uint32_t isolation_batch, isolation_patience;

static const char *declines(const struct online_setup *s)
{
    (void)s;
    return "it follows transactions, under -m ser or si";
}

const struct online online_window = {
    .name = "window",
    .title = "transactions under ser and si: the latest, and the state before",
    .guarantee = ONLINE_EXACT,
    .deferred = true,
    .declines = declines,
};

enum { BATCH = 1024, PATIENCE = 4096 };

/* ---- life ---- */

static size_t bytes_left(const struct isolation *x)
{
    size_t limit = x->m->mem.limit, used = isolation_bytes(x) + x->m->mem.used;
    return !limit ? 0 : limit > used ? limit - used : 1;
}

size_t isolation_bytes(const struct isolation *x)
{
    return x->mem.used + (x->h ? x->h->mem.used : 0) + (x->unread.h ? x->unread.h->mem.used : 0);
}

void isolation_release(struct isolation *x)
{
    history_free(x->h);
    history_free(x->leaving);
    unread_free(&x->unread);
    mem_release(&x->mem);
    x->h = x->leaving = NULL;
    x->sessions.n = x->sessions.cap = 0;
    x->sessions.at = NULL;
    x->arrived.n = x->arrived.cap = 0;
    x->arrived.at = NULL;
}

static void plan(struct isolation *x)
{
    uint32_t batch = isolation_batch ? isolation_batch : BATCH, kept = x->h->n;
    x->due = kept + (kept > batch ? kept : batch);
    x->due = x->due > x->most ? x->most : x->due;
    x->m->stats.kept = kept > x->m->stats.kept ? kept : x->m->stats.kept;
}

/* A window without operations. A value that is declared for all variables is one of each window, others are
 * carried. */
static history *new_window(struct isolation *x)
{
    const history *head = x->m->head;
    history *h = history_new();
    h->mem.limit = x->m->mem.limit;
    if (x->m->file)
        h->source = history_name(h, x->m->file, strlen(x->m->file));
    const struct binding *common = bindings_find(&head->init, (struct value){.kind = ASSAY_NONE});
    if (common) {
        const struct header *said = &head->headers.at[common->header];
        history_header(h, "init", 4, said->text, said->length, 0, 0, NULL);
    }
    return h;
}

/* What a header declares of a variable is as if forgotten transactions had left it. */
static void carry_initial(struct isolation *x, const struct binding *b)
{
    const history *head = x->m->head;
    if (b->key.kind == ASSAY_NONE)
        return;
    struct carried_key *k = carried_at(&x->carried, head, b->key);
    if (b->value.kind != ASSAY_LIST) {
        carried_candidate(&x->carried, k, head, b->value);
        return;
    }
    const struct list_value *list = head->lists.all.at[b->value.bits], **all = list_elements(list, &x->mem);
    k->list = true;
    for (uint32_t i = 0; i < list->length; i++)
        carried_append(&x->carried, k, head, all[i]->last);
    mem_free(&x->mem, (void *)(uintptr_t)all);
}

static void begin(struct isolation *x)
{
    struct monitor *m = x->m;
    if (m->init && !history_header(m->head, "init", 4, m->init, strlen(m->init), 0, 0, &x->fault))
        escape_raise(ESCAPE_ERROR);
    x->mem = (struct mem){.limit = m->mem.limit};
    x->carried = carried_in(&x->mem);
    x->unread = unread_in(&x->mem);
    x->session_names = names_in(&x->mem);
    x->over = 0;
    x->latest = x->horizon = INT64_MIN;
    x->forgets = x->last_line = 0;
    x->checked = 0;
    x->stopped = false;
    for (uint32_t i = 0; i < m->head->init.n; i++)
        carry_initial(x, &m->head->init.at[i]);
    x->h = new_window(x);
    plan(x);
    monitor_note_use(m, "transactions", &online_window, online_window.name);
}

static void stop(struct isolation *x, const char *why)
{
    x->stopped = true;
    if (why)
        monitor_weaken(x->m, &online_window, why);
}

/* ---- the window with its initial values ---- */

struct look { /* one check */
    struct isolation *x;
    struct mem mem;
    struct value_ids keys; /* of the window, */
    VEC(struct value) key_values;
    VEC(struct carried_key *) carried; /* and what is carried of each, or NULL */
    struct reads reads;
    struct txn_view *view;
    struct settled settled;
    struct checker checker;
    bool checking;
    result *result;
};

static uint32_t arity(const history *h, uint32_t op)
{
    return history_arity(h, op) / 3;
}

static struct value access_key(const history *h, uint32_t op, uint32_t i)
{
    return history_arg(h, op, 3 * i + 1);
}

static _Noreturn void raise_at(struct isolation *x, uint32_t op)
{
    error_place(&x->fault, x->m->file, history_line(x->h, op), history_column(x->h, op));
    escape_raise(ESCAPE_ERROR);
}

/* A variable that forgotten transactions used as a register or as a list is one. */
static void check_kind(struct isolation *x, const struct carried_key *k, uint32_t op, uint32_t i)
{
    const history *h = x->h;
    struct value v = history_arg(h, op, 3 * i + 2);
    bool reads = history_arg(h, op, 3 * i).bits == names_find(&h->names, "r", 1);
    bool list = reads ? v.kind == ASSAY_LIST : history_arg(h, op, 3 * i).bits == names_find(&h->names, "append", 6);
    if (!k->line || list == k->list || (reads && v.kind == ASSAY_NONE))
        return;
    error_set(&x->fault, ASSAY_ERROR_INPUT, "access %u uses a variable as a %s that is a %s in line %" PRIu64, i + 1,
              list ? "list" : "register", k->list ? "list" : "register", k->line);
    error_remedy(&x->fault, "a variable is written and read, or appended to and read as a list, not both");
    raise_at(x, op);
}

/* The carried variables of the window. */
static void find_carried(struct look *l)
{
    struct isolation *x = l->x;
    const history *h = x->h;
    for (uint32_t op = 0; x->carried.keys.n && op < h->n; op++)
        for (uint32_t i = 0; i < arity(h, op); i++) {
            uint32_t id = value_id(&l->mem, &l->keys, access_key(h, op, i));
            if (id == l->carried.n) {
                struct carried_key *k = carried_find(&x->carried, h, access_key(h, op, i));
                vec_push(&l->mem, &l->carried, k && carried_any(k) ? k : NULL);
                vec_push(&l->mem, &l->key_values, access_key(h, op, i));
            }
            if (l->carried.at[id])
                check_kind(x, l->carried.at[id], op, i);
        }
}

static void read_unproved(struct isolation *x, uint32_t line)
{
    char why[160];
    snprintf(why, sizeof why,
             "a read (line %" PRIu32 ") chose among concurrent writers that had been forgotten together with others",
             line);
    monitor_weaken(x->m, &online_window, why);
}

/* The first read of a value that may be the last one says that it is; of a list it shows the order. */
static void choose(struct look *l)
{
    struct isolation *x = l->x;
    const history *h = x->h;
    for (uint32_t op = 0; l->carried.n && op < h->n; op++)
        for (uint32_t i = 0; l->reads.counts[op] && i < arity(h, op); i++) {
            struct carried_key *k = l->carried.at[value_id_find(&l->keys, access_key(h, op, i))];
            struct value v = history_arg(h, op, 3 * i + 2);
            struct carried_shown shown = {0};
            if (!k || !reads_is_read(&l->reads, h->values_at[op] + 3 * i) || v.kind == ASSAY_NONE)
                continue;
            if (!k->list && k->n > 1)
                shown.unproved = !carried_choose(&x->carried, k, h, v);
            else if (carried_is_open(k) && v.kind == ASSAY_LIST)
                carried_show(&x->carried, k, h, h->lists.all.at[v.bits], NULL, NULL, &shown);
            if (shown.unproved)
                read_unproved(x, history_line(h, op));
        }
}

/* Each variable of the window has its carried value as initial value. They are said again at each check, since a choice
 * may have changed one: what is said last counts. */
static void bind(struct look *l)
{
    struct isolation *x = l->x;
    struct text line = text_in(&l->mem);
    for (uint32_t i = 0; i < l->carried.n; i++) {
        const struct carried_key *k = l->carried.at[i];
        if (!k)
            continue;
        token_print(&line, x->h, l->key_values.at[i]);
        text_char(&line, '=');
        carried_print(k, &line);
        text_char(&line, ' ');
    }
    if (line.n && !history_header(x->h, "init", 4, line.at, line.n, 0, 0, &x->fault))
        escape_raise(ESCAPE_ERROR);
}

static void push_arrived(void *arg, uint64_t event)
{
    struct isolation *x = arg;
    vec_push(&x->mem, &x->arrived, event);
}

/* The line of an unknown transaction that came back in parts; 0: none did. */
static void read_too_late(struct isolation *x, uint32_t line)
{
    char why[160];
    snprintf(why, sizeof why,
             "an unknown transaction (line %" PRIu32 ") was read when writers of its variables had been forgotten",
             line);
    if (line)
        monitor_weaken(x->m, &online_window, why);
}

/* The window without the operations that are not kept. Unread transactions that are wanted come back, in front: nothing
 * of their sessions comes before them any more. */
static void renew(struct isolation *x, const bool *keep)
{
    history *old = x->h, *h = new_window(x);
    VEC(uint64_t) arrived = {x->arrived.at, x->arrived.n, x->arrived.cap};
    x->h = h; /* both are freed if something escapes: */
    x->leaving = old;
    x->arrived.at = NULL;
    x->arrived.n = x->arrived.cap = 0;
    if (x->unread.wanted.n)
        read_too_late(x, unread_come_back(&x->unread, h, &x->carried, push_arrived, x));
    uint32_t checked = x->checked;
    x->checked = h->n;
    struct carry carry = {.from = old, .to = h};
    for (uint32_t op = 0; op < old->n; op++) {
        if (keep && !keep[op])
            continue;
        carry_operation(&carry, op);
        push_arrived(x, arrived.at[op]);
        x->checked += op < checked;
    }
    carry_end(&carry);
    vec_free(&x->mem, &arrived);
    x->leaving = NULL;
    history_free(old);
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
    if (!checker_open(&l->checker, x->h, &options, &e))
        not_checked(l, &e);
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
    x->m->stopped = !x->m->all;
    stop(x, NULL);
}

/* An element of an unread transaction, among those of forgotten ones. */
struct late_element {
    struct isolation *x;
    struct value key;
};

static bool is_late(void *arg, struct value element)
{
    const struct late_element *l = arg;
    uint32_t write = unread_find(&l->x->unread, l->x->h, l->key, element);
    return write != ID_NONE && !unread_untouched(&l->x->unread, write, &l->x->carried);
}

static bool splice(struct isolation *x, const struct unresolved_read *r, uint32_t write)
{
    struct late_element late = {x, history_value(x->h, r->at - 1)};
    struct carried_key *k = carried_find(&x->carried, x->h, late.key);
    struct value v = history_value(x->h, r->at);
    struct carried_shown shown;
    if (v.kind != ASSAY_LIST || !k || !k->list || unread_untouched(&x->unread, write, &x->carried) ||
        !carried_show(&x->carried, k, x->h, x->h->lists.all.at[v.bits], is_late, &late, &shown) || !shown.lates)
        return false;
    x->unread.writes.at[write].back = true;
    read_too_late(x, history_line(x->unread.h, x->unread.writes.at[write].entry));
    return true;
}

/* Unknown transactions come back for reads that have no write in the window. */
static bool call_back(struct isolation *x, const struct reads *reads)
{
    bool back = false;
    for (uint32_t i = 0; i < reads->unresolved.n; i++) {
        const struct unresolved_read *r = &reads->unresolved.at[i];
        uint32_t write = reads->counts[r->op]
                             ? unread_find(&x->unread, x->h, history_value(x->h, r->at - 1), r->missing)
                             : ID_NONE;
        if (write == ID_NONE)
            continue;
        back = true;
        if (!splice(x, r, write))
            unread_want(&x->unread, write);
    }
    return back;
}

/* The reads that have no write in the window. */
static void find_reads(struct look *l)
{
    struct isolation *x = l->x;
    do {
        if (x->unread.wanted.n)
            renew(x, NULL);
        reads_begin(&l->reads, x->h, &l->mem);
        l->keys = (struct value_ids){0};
        vec_clear(&l->carried);
        vec_clear(&l->key_values);
        find_carried(l);
        choose(l);
        bind(l);
        reads_resolve(&l->reads);
    } while (call_back(x, &l->reads));
}

/* ---- forgetting ---- */

static int64_t horizon(const struct isolation *x)
{
    int64_t by_lateness = INT64_MIN, by_sessions = INT64_MAX;
    if (x->model->base != BASE_REALTIME || !x->h->call)
        return INT64_MIN;
    if (x->late && x->latest > INT64_MIN + x->late)
        by_lateness = x->latest - x->late;
    if (!x->most_sessions || x->sessions.n < x->most_sessions)
        return by_lateness;
    for (uint32_t i = 0; i < x->sessions.n; i++)
        if (!x->sessions.at[i].over && x->sessions.at[i].until < by_sessions)
            by_sessions = x->sessions.at[i].until;
    return by_sessions > by_lateness ? by_sessions : by_lateness;
}

static uint64_t patience(const struct isolation *x)
{
    return isolation_patience ? isolation_patience : x->most / 4 < PATIENCE ? x->most / 4 : PATIENCE;
}

static bool is_old(const struct isolation *x, uint32_t op)
{
    return x->m->step - x->arrived.at[op] >= patience(x);
}

/* The unknown transactions of the window that do not count, as far as reads are resolved. Of those that no read at all
 * names, the patiently waited for stay, and the others leave. */
static bool *waiting(struct look *l, bool *leaves)
{
    const struct isolation *x = l->x;
    bool *waits = mem_new_zero(&l->mem, bool, (size_t)x->h->n + 1);
    for (uint32_t op = 0; op < x->h->n; op++) {
        leaves[op] = history_pending(x->h, op) && !l->reads.counts[op] && is_old(x, op);
        waits[op] = history_pending(x->h, op) && !leaves[op];
    }
    for (uint32_t t = 0; t < l->view->n; t++)
        waits[l->view->op[t]] = leaves[l->view->op[t]] = false;
    return waits;
}

static void settle_window(struct look *l, bool *leaves)
{
    struct isolation *x = l->x;
    const history *h = x->h;
    bool *over = mem_new_zero(&l->mem, bool, (size_t)h->threads.n + 1);
    for (uint32_t t = 0; t < h->threads.n; t++) {
        const struct name *name = &h->names.all.at[h->threads.at[t].name];
        over[t] = x->sessions.at[names_find(&x->session_names, name->text, name->length)].over;
    }
    bool *old = mem_new_zero(&l->mem, bool, (size_t)h->n + 1);
    for (uint32_t op = 0; op < h->n; op++)
        old[op] = is_old(x, op);
    bool known = x->most_sessions && x->sessions.n == x->most_sessions;
    l->view = txn_view(h, x->model->base, &l->mem, &x->fault);
    struct settling q = {.h = h,
                         .v = l->view,
                         .level = x->model->conditions,
                         .order = l->result->evidence.orders.at,
                         .ops = l->result->evidence.ops.at,
                         .horizon = horizon(x),
                         .sessions = known ? x->most_sessions - x->over : 0,
                         .over = over,
                         .old = old,
                         .waits = waiting(l, leaves)};
    l->settled = settle(&q, &l->mem, &x->m->budget);
}

/* Is there a read that no write can come for any more? These are shown again, and the window has no explanation. */
static bool overdue(struct look *l)
{
    bool *certain = mem_new_zero(&l->mem, bool, (size_t)l->x->h->n + 1), any = false;
    for (uint32_t t = 0; t < l->view->n; t++)
        certain[l->view->op[t]] = l->settled.certain[t];
    for (uint32_t i = 0; i < l->reads.unresolved.n; i++)
        if (certain[l->reads.unresolved.at[i].op]) {
            reads_show(&l->reads.unresolved.at[i], l->x->h);
            any = true;
        }
    return any;
}

/* The writer's last write of the key, or all its appends to it; row: of an open block, or ID_NONE. */
static void carry_version(struct look *l, struct carried_key *k, const struct settled_key *s, uint32_t w, uint32_t row)
{
    struct carried *c = &l->x->carried;
    const history *h = l->x->h;
    uint32_t op = l->view->op[l->view->writer[w]], last = ID_NONE;
    struct value key = history_value(h, l->view->key_at[s->key]);
    for (uint32_t i = 0; i < arity(h, op); i++) {
        if (reads_is_read(&l->reads, h->values_at[op] + 3 * i) || !value_same(access_key(h, op, i), key))
            continue;
        last = i;
        if (s->list && row == ID_NONE)
            carried_append(c, k, h, history_arg(h, op, 3 * i + 2));
        else if (s->list)
            carried_add(c, k, row, h, history_arg(h, op, 3 * i + 2));
    }
    if (!s->list)
        carried_candidate(c, k, h, history_arg(h, op, 3 * last + 2));
    k->line = history_line(h, op);
}

static void carry_state(struct look *l)
{
    struct isolation *x = l->x;
    for (uint32_t i = 0; i < l->settled.keys.n; i++) {
        const struct settled_key *s = &l->settled.keys.at[i];
        struct carried_key *k = carried_at(&x->carried, x->h, history_value(x->h, l->view->key_at[s->key]));
        k->forgotten = x->forgets;
        k->unproved = (k->list && k->unproved) || s->unproved;
        k->n = 0;
        for (uint32_t j = 0; j < s->n; j++) {
            if (s->open && j == s->n - s->open)
                carried_open(&x->carried, k, s->open, s->before);
            uint32_t row = j < s->n - s->open ? ID_NONE : j - (s->n - s->open);
            carry_version(l, k, s, l->settled.versions.at[s->from + j], row);
        }
    }
}

static void forget(struct look *l, const bool *leaves)
{
    struct isolation *x = l->x;
    const history *h = x->h;
    bool *keep = mem_new(&l->mem, bool, (size_t)h->n + 1), all = true;
    x->forgets++;
    for (uint32_t op = 0; op < h->n; op++)
        keep[op] = l->reads.counts[op] || (history_pending(h, op) ? !leaves[op] : op >= x->checked);
    for (uint32_t t = 0; t < l->view->n; t++)
        keep[l->view->op[t]] = !l->settled.past[t];
    carry_state(l);
    for (uint32_t op = 0; op < h->n; op++) {
        all &= keep[op];
        if (leaves[op])
            unread_put(&x->unread, x->h, op, x->arrived.at[op], x->forgets);
        else if (!keep[op]) {
            x->m->stats.forgotten++;
            x->last_line = history_line(h, op) > x->last_line ? history_line(h, op) : x->last_line;
        }
    }
    x->checked = h->n;
    if (!all)
        renew(x, keep);
}

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

/* ---- one look at the window ---- */

static void look(struct look *l, bool last)
{
    struct isolation *x = l->x;
    find_reads(l);
    if (!last)
        reads_hide(&l->reads, x->h);
    if (!consistent(l)) {
        report(l);
        return;
    }
    if (last)
        return;
    bool *leaves = mem_new_zero(&l->mem, bool, (size_t)x->h->n + 1);
    settle_window(l, leaves);
    if (overdue(l) && !consistent(l)) {
        report(l);
        return;
    }
    for (uint32_t i = 0; i < l->reads.unresolved.n; i++)
        reads_show(&l->reads.unresolved.at[i], x->h);
    x->horizon = l->settled.count ? horizon(x) : x->horizon;
    forget(l, leaves);
    plan(x);
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
static void take_a_look(struct isolation *x, bool last)
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

void isolation_flush(struct isolation *x)
{
    if (x->h && !x->stopped && x->checked < x->h->n)
        take_a_look(x, false);
}

void isolation_end(struct isolation *x)
{
    if (x->h && x->h->n && !x->stopped)
        take_a_look(x, true);
    isolation_release(x);
}

/* ---- lines ---- */

/* Is it a transaction? */
static bool fits(const history *h, uint32_t op, assay_error *e)
{
    static const char remedy[] = "one transaction a line, as in `alice: txn(r x 1, w y 2) @ 10..18`";
    const assay_spec *spec = spec_find("multi-register", strlen("multi-register"));
    assay_value args[3];
    const char *wrong = NULL;
    if (!token_is_txn(h, h->method[op]) || history_object_of(h, op) != ID_NONE) {
        error_set(e, ASSAY_ERROR_INPUT, "a monitor of transactions reads no other operations");
        error_remedy(e, "%s", remedy);
        return false;
    }
    uint32_t n = history_arity(h, op);
    for (uint32_t i = 0; i < (n ? n : 1) && !wrong; i += 3) {
        uint32_t count = n - i < 3 ? n - i : 3;
        for (uint32_t j = 0; j < count; j++) {
            struct value v = history_arg(h, op, i + j);
            bool text = kind_is_text(v.kind);
            args[j] = value_with_text(v, text ? h->names.all.at[v.bits].text : NULL,
                                      text ? h->names.all.at[v.bits].length : 0);
        }
        struct value r = history_result(h, op);
        bool text = kind_is_text(r.kind);
        wrong = spec->refuse_call(&(assay_call){.arg_count = count,
                                                .args = args,
                                                .result = value_with_text(r, text ? h->names.all.at[r.bits].text : NULL,
                                                                          text ? h->names.all.at[r.bits].length : 0),
                                                .operation = ASSAY_NO_OPERATION});
    }
    if (wrong)
        error_set(e, ASSAY_ERROR_INPUT, "%s", wrong);
    return !wrong;
}

/* Times are those of all lines, or of none. */
static bool fits_times(struct isolation *x, const history *from, assay_error *e)
{
    if (from->after_at) {
        error_set(e, ASSAY_ERROR_INPUT, "a monitor of transactions follows times, not recorded knowledge");
        error_remedy(e, "write `@ 10..18`, or record the history and use `assay check`");
        return false;
    }
    if (!from->call && x->model->base == BASE_REALTIME) {
        error_set(e, ASSAY_ERROR_INPUT, "%s needs the time of each transaction", x->model->name);
        error_remedy(e, "write it as in `alice: txn(r x 1) @ 10..18`, or follow the model without -strict");
        return false;
    }
    if (!x->m->begun)
        x->timed = from->call;
    if (x->timed != (bool)from->call) {
        error_set(e, ASSAY_ERROR_INPUT, "all transactions have times, or none has: the lines before %s",
                  from->call ? "have none" : "have some");
        return false;
    }
    return true;
}

static struct live_session *session_of(struct isolation *x, const char *name, size_t length, assay_error *e)
{
    uint32_t id = names_find(&x->session_names, name, length);
    if (id != ID_NONE && x->sessions.at[id].over) {
        error_set(e, ASSAY_ERROR_INPUT, "this session is over, as a line before says");
        error_remedy(e, "end a session behind its last transaction");
        return NULL;
    }
    if (id != ID_NONE)
        return &x->sessions.at[id];
    if (x->most_sessions && x->sessions.n == x->most_sessions) {
        error_set(e, ASSAY_ERROR_INPUT, "a further session, but there were to be %" PRIu32, x->most_sessions);
        error_remedy(e, "give --sessions the number of all sessions, also of those that come late");
        return NULL;
    }
    names_put(&x->session_names, name, length);
    vec_push(&x->mem, &x->sessions, ((struct live_session){INT64_MIN, false}));
    return &vec_last(&x->sessions);
}

static bool in_time(struct isolation *x, const history *from, uint32_t op, struct live_session *s, assay_error *e)
{
    int64_t call = from->call[op];
    if (call < s->until) {
        error_set(e, ASSAY_ERROR_INPUT, "the call is earlier than the thread's previous return (%" PRId64 ")",
                  s->until);
        error_remedy(e, "a session does one transaction at a time; use two sessions");
        return false;
    }
    if (call < x->horizon) {
        error_set(e, ASSAY_ERROR_INPUT,
                  "the transaction began at %" PRId64 ", and all that ended before %" PRId64 " may be forgotten", call,
                  x->horizon);
        error_remedy(e, "give a larger --late: at least the longest time from a call to the arrival of its line");
        return false;
    }
    s->until = history_known_until(from, op);
    x->latest = s->until > x->latest ? s->until : x->latest;
    return true;
}

bool isolation_take(struct isolation *x, history *from, uint32_t op, assay_error *e)
{
    const struct name *name = &from->names.all.at[from->threads.at[from->thread[op]].name];
    if (!x->h)
        begin(x);
    if (!fits(from, op, e) || !fits_times(x, from, e))
        return false;
    struct live_session *s = session_of(x, name->text, name->length, e);
    if (!s || (from->call && !in_time(x, from, op, s, e)))
        return false;
    budget_look(&x->m->budget);
    x->m->step++;
    x->m->begun = true;
    x->m->stats.events++;
    if (x->stopped) {
        x->m->stats.left_out++;
        return true;
    }
    struct carry carry = {.from = from, .to = x->h};
    carry_operation(&carry, op);
    carry_end(&carry);
    push_arrived(x, x->m->step);
    if (x->h->n >= x->due)
        take_a_look(x, false);
    return true;
}

bool isolation_end_session(struct isolation *x, const char *name, size_t length, assay_error *e)
{
    if (!x->h)
        begin(x);
    struct live_session *s = session_of(x, name, length, e);
    if (!s)
        return false;
    s->over = true;
    x->over++;
    return true;
}
