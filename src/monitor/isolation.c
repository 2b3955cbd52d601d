/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/isolation.h"

#include "history/token.h"
#include "monitor/look.h"
#include "monitor/monitor.h"
#include "monitor/window.h"
#include "spec/spec.h"

#include <inttypes.h>
#include <string.h>

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

/* ---- life ---- */

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

/* A value that a header declares is carried, as if forgotten transactions had left it. */
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
    if (history_any_initial(m->head)) {
        error_set(&x->fault, ASSAY_ERROR_NOT_APPLICABLE,
                  "a monitor needs to know the initial value: `@init ?` is for check");
        escape_raise(ESCAPE_ERROR);
    }
    x->mem = (struct mem){.limit = m->mem.limit};
    x->carried = carried_in(&x->mem);
    x->unread = unread_in(&x->mem);
    x->session_names = names_in(&x->mem);
    x->over = 0;
    x->latest = x->horizon = INT64_MIN;
    x->forgets = 0;
    x->checked = 0;
    x->stopped = false;
    for (uint32_t i = 0; i < m->head->init.n; i++)
        carry_initial(x, &m->head->init.at[i]);
    window_begin(x);
    monitor_note_use(m, "transactions", &online_window, online_window.name);
}

void isolation_flush(struct isolation *x)
{
    if (x->h && !x->stopped && x->checked < x->h->n)
        look_at_window(x, false);
}

void isolation_end(struct isolation *x)
{
    if (x->h && x->h->n && !x->stopped)
        look_at_window(x, true);
    isolation_release(x);
}

/* ---- lines ---- */

static assay_value shown(const history *h, struct value v)
{
    bool text = kind_is_text(v.kind);
    return value_with_text(v, text ? h->names.all.at[v.bits].text : NULL, text ? h->names.all.at[v.bits].length : 0);
}

/* Why the accesses, three values each, or the result are none of a transaction; or NULL. */
static const char *objection(const history *h, uint32_t op)
{
    const assay_spec *spec = &spec_multi_register;
    const char *wrong = NULL;
    uint32_t n = history_arity(h, op), i = 0;
    do {
        assay_value args[3];
        uint32_t count = n - i < 3 ? n - i : 3;
        for (uint32_t j = 0; j < count; j++)
            args[j] = shown(h, history_arg(h, op, i + j));
        wrong = spec->refuse_call(&(assay_call){.arg_count = count,
                                                .args = args,
                                                .result = shown(h, history_result(h, op)),
                                                .operation = ASSAY_NO_OPERATION});
        i += 3;
    } while (i < n && !wrong);
    return wrong;
}

static bool fits(const history *h, uint32_t op, assay_error *e)
{
    bool txn = token_is_txn(h, h->method[op]) && history_object_of(h, op) == ID_NONE;
    const char *wrong = txn ? objection(h, op) : "a monitor of transactions reads no other operations";
    if (wrong)
        error_set(e, ASSAY_ERROR_INPUT, "%s", wrong);
    if (!txn)
        error_remedy(e, "one transaction a line, as in `alice: txn(r x 1, w y 2) @ 10..18`");
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
    if (!history_pending(from, op) && s->until > x->latest) /* an unknown transaction has no end */
        x->latest = s->until;
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
    if (from->ret && !history_pending(from, op)) { /* the time of its return */
        x->m->times.given = true;
        x->m->times.next = from->ret[op];
    }
    event_times_note(&x->m->times, x->m->step);
    x->m->begun = true;
    x->m->stats.events++;
    if (x->stopped) {
        x->m->stats.left_out += x->m->stats.violations > 0;
        return true;
    }
    struct carry carry = {.from = from, .to = x->h};
    carry_operation(&carry, op);
    carry_end(&carry);
    vec_push(&x->mem, &x->arrived, x->m->step);
    if (x->h->n >= x->due)
        look_at_window(x, false);
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
