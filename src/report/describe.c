/* SPDX-License-Identifier: Apache-2.0 */
#include "report/describe.h"

#include "base/shown.h"
#include "history/token.h"
#include "report/key.h"

#include <stdarg.h>
#include <string.h>

bool describe_by_cases(const result *r)
{
    return pattern_proof(r->evidence.pattern, r->model) == PROOF_CASES;
}

/* Of transactions: does the last reason order one before the initial values? That is a contradiction by itself. */
static bool before_initial(const result *r)
{
    const struct evidence *ev = &r->evidence;
    return r->verdict == ASSAY_VIOLATION && ev->reasons.n && vec_last(&ev->reasons).to == ASSAY_NO_OPERATION;
}

uint32_t describe_cycles(const result *r)
{
    return describe_by_cases(r) ? r->evidence.lemmas.n : r->evidence.cycle_count > 0 || before_initial(r);
}

struct path describe_cycle(const result *r, uint32_t i)
{
    const struct evidence *ev = &r->evidence;
    struct span s = {ev->cycle_at, ev->cycle_count};
    if (describe_by_cases(r))
        s = ev->lemmas.at[i];
    return (struct path){s.count ? ev->steps.at + s.at : NULL, s.count};
}

struct path describe_path_of(const result *r, uint32_t reason)
{
    const struct reason *why = &r->evidence.reasons.at[reason];
    return (struct path){why->path_count ? r->evidence.steps.at + why->path_at : NULL, why->path_count};
}

bool describe_hidden(struct path p, uint32_t i, bool all)
{
    return !all && p.n > DESCRIBE_LONGEST && i >= DESCRIBE_ENDS && i < p.n - DESCRIBE_ENDS;
}

static bool is_transaction(const history *h, uint32_t op)
{
    return token_is_txn(h, h->method[op]);
}

/* ---- naming operations ---- */

void describe_file(struct text *t, const assay_report_options *o)
{
    const char *file = o->file ? o->file : "history";
    text_shown(t, file, strlen(file), "");
    if (o->index)
        text_printf(t, "#%u", (unsigned)o->index);
}

void describe_size(struct text *t, const history *h)
{
    uint32_t n = h->n, k = h->threads.n;
    text_printf(t, "%u operation%s, %u thread%s", (unsigned)n, n == 1 ? "" : "s", (unsigned)k, k == 1 ? "" : "s");
}

/* Steps of transactions may lead to the initial one, which is no operation. */
void describe_place(struct text *t, const history *h, uint32_t op)
{
    if (op == ASSAY_NO_OPERATION)
        text_puts(t, "the initial values");
    else if (history_line(h, op))
        text_printf(t, "line %u", (unsigned)history_line(h, op));
    else
        text_printf(t, "operation %u", (unsigned)op);
}

static const char *thread_name(const history *h, uint32_t op)
{
    return history_text(h, h->threads.at[h->thread[op]].name);
}

void describe_call(struct text *t, const history *h, uint32_t op)
{
    struct text whole = text_in(t->mem);
    token_print_op(&whole, h, op);
    text_puts(t, text_get(&whole) + strlen(thread_name(h, op)) + strlen(": "));
    mem_free(t->mem, whole.at);
}

void describe_operation(struct text *t, const history *h, uint32_t op)
{
    describe_place(t, h, op);
    if (op == ASSAY_NO_OPERATION)
        return;
    text_puts(t, "  ");
    token_print_op(t, h, op);
}

static void who(struct text *t, const history *h, uint32_t op)
{
    if (op == ASSAY_NO_OPERATION)
        text_puts(t, "the initial values");
    else
        describe_say(t, h, "%s (%P)", thread_name(h, op), op);
}

static void key(struct text *t, const history *h, struct value k)
{
    if (k.kind == ASSAY_NONE)
        text_puts(t, "a key");
    else
        token_print(t, h, k);
}

static void put_access(struct text *t, const history *h, uint32_t op, uint32_t access)
{
    describe_say(t, h, "%V = %V", history_written(h, op, 3 * access + 1), history_written(h, op, 3 * access + 2));
}

static void put_argument(struct text *t, const history *h, char kind, va_list *args)
{
    uint32_t op = kind && strchr("POCBWAu", kind) ? va_arg(*args, uint32_t) : ASSAY_NO_OPERATION;
    switch (kind) {
    case 'P': describe_place(t, h, op); break;
    case 'O': describe_operation(t, h, op); break;
    case 'C': describe_call(t, h, op); break;
    case 'B': describe_say(t, h, "%C (%P)", op, op); break;
    case 'W': who(t, h, op); break;
    case 'A': put_access(t, h, op, va_arg(*args, uint32_t)); break;
    case 'V': token_print(t, h, va_arg(*args, struct value)); break;
    case 'K': key(t, h, va_arg(*args, struct value)); break;
    case 'D': text_int(t, va_arg(*args, int64_t)); break;
    case 'u': text_int(t, op); break;
    default: text_puts(t, va_arg(*args, const char *));
    }
}

void describe_say(struct text *t, const history *h, const char *words, ...)
{
    va_list args;
    va_start(args, words);
    for (const char *at; (at = strchr(words, '%')); words = at + 2) {
        text_add(t, words, (size_t)(at - words));
        put_argument(t, h, at[1], &args);
    }
    va_end(args);
    text_puts(t, words);
}

void describe_access(struct text *t, const history *h, uint32_t op, uint32_t access)
{
    for (uint32_t i = 0; i < 3; i++)
        describe_say(t, h, "%s%V", i ? " " : "`", history_written(h, op, 3 * access + i));
    text_puts(t, "`");
}

void describe_source(struct text *t, const history *h, uint32_t source)
{
    if (source == ASSAY_NO_OPERATION)
        text_puts(t, "the initial value");
    else
        describe_place(t, h, source);
}

static void describe_seen(struct text *t, const result *r, uint32_t by)
{
    const history *h = r->h;
    uint32_t count = 0, n = 0;
    for (uint32_t i = 0; i < r->evidence.visible.n; i++)
        count += r->evidence.visible.at[i].second == by;
    if (!count) {
        text_puts(t, "  sees nothing");
        return;
    }
    text_printf(t, "  sees %s%s ", history_line(h, by) ? "line" : "operation", count > 1 ? "s" : "");
    for (uint32_t i = 0; i < r->evidence.visible.n; i++) {
        assay_pair pair = r->evidence.visible.at[i];
        if (pair.second != by)
            continue;
        text_puts(t, n++ ? ", " : "");
        text_int(t, history_line(h, pair.first) ? history_line(h, pair.first) : pair.first);
    }
}

void describe_placed(struct text *t, const result *r, uint32_t op)
{
    describe_operation(t, r->h, op);
    if (evidence_has_visible(r->model))
        describe_seen(t, r, op);
    for (uint32_t i = 0; i < r->evidence.sources.n; i++) {
        assay_pair chosen = r->evidence.sources.at[i];
        if (chosen.second != op)
            continue;
        text_puts(t, "  (");
        if (r->evidence.source_access.n) {
            describe_access(t, r->h, op, r->evidence.source_access.at[i]);
            text_char(t, ' ');
        }
        text_puts(t, "from ");
        describe_source(t, r->h, chosen.first);
        text_char(t, ')');
    }
}

/* ---- sentences ---- */

static void pair(struct text *t, const history *h, uint32_t from, const char *verb, uint32_t to)
{
    describe_say(t, h, "%O  %s  %O", from, verb, to);
}

/* The order of two writes that a case assumes. */
static const char *supposed(const history *h, uint32_t op)
{
    return is_transaction(h, op) ? "comes before" : "is stored before";
}

/* Transactions of pc and si are two points, a begin and a commit. An order may be one of these. */
static const char *order_of(const result *r, assay_rule rule)
{
    bool transactions = r->model->needs & NEED_TRANSACTIONS,
         points = transactions && r->model->conditions & (COND_PC | COND_SI);
    if (!points)
        return rule == ASSAY_WW && !transactions ? "must be stored before" : "must come before";
    if (rule == ASSAY_RW)
        return "must begin before the commit of";
    return r->model->conditions & COND_SI ? "must commit before the begin of" : "must commit before the commit of";
}

void describe_claim(struct text *t, const result *r, uint32_t reason)
{
    const struct reason *why = &r->evidence.reasons.at[reason];
    if (why->to == ASSAY_NO_OPERATION) {
        describe_say(t, r->h, "%O  must come before the initial value of %K", why->from,
                     key_that_was_read(r->h, why->read, ASSAY_NO_OPERATION, why->from));
        return;
    }
    if (why->rule == ASSAY_HB)
        text_printf(t, "for %s, ", thread_name(r->h, why->read));
    pair(t, r->h, why->from, order_of(r, why->rule), why->to);
}

/* The name of a step that needs no reason; NULL: another one. */
static const char *fact_name(const history *h, const assay_step *s)
{
    bool across = h->thread[s->from] != h->thread[s->to];
    switch (s->rule) {
    case ASSAY_PO:
        return is_transaction(h, s->from) ? "session order" : across ? "program order across threads" : "program order";
    case ASSAY_RT: return "it had ended before the other one began";
    case ASSAY_VO: return "the order that lists show";
    case ASSAY_PPO:
        return across ? "program order across threads, which store buffers preserve"
                      : "program order, which a store buffer preserves";
    case ASSAY_LOC: return "program order on one variable";
    case ASSAY_WR: return "which reads from it";
    case ASSAY_CASE: return "assumed";
    default: return NULL;
    }
}

static void describe_path(struct text *t, const history *h, struct path p, bool all)
{
    if (!p.n)
        return;
    describe_place(t, h, p.at[0].from);
    for (uint32_t i = 0; i < p.n; i++) {
        if (describe_hidden(p, i, all)) {
            uint32_t left_out = p.n - 2 * DESCRIBE_ENDS;
            text_printf(t, " ... %u more step%s ... ", (unsigned)left_out, left_out == 1 ? "" : "s");
            i += left_out;
            describe_place(t, h, p.at[i].from);
        }
        describe_say(t, h, " -%s-> %P", assay_rule_name(p.at[i].rule), p.at[i].to);
    }
}

/* A path in parentheses, by its plain name when it is a single fact. */
static void aside(struct text *t, const history *h, struct path p, bool all)
{
    text_puts(t, " (");
    if (p.n == 1 && p.at->rule != ASSAY_WR && fact_name(h, p.at))
        text_puts(t, fact_name(h, p.at));
    else
        describe_path(t, h, p, all);
    text_char(t, ')');
}

void describe_variable(struct text *t, const history *h, uint32_t op)
{
    if (history_arity(h, op))
        token_print(t, h, history_written(h, op, 0));
    else
        text_puts(t, "the variable");
}

/* Under psi a missed write orders two transactions only if they write a common key. */
static void and_both_write(struct text *t, const result *r, const struct reason *why)
{
    if (!(r->model->needs & NEED_TRANSACTIONS) || !(r->model->conditions & COND_PSI))
        return;
    describe_say(t, r->h, ", and both write %K", key_of_both(r->h, why->from, why->to));
}

static void because_read_is_older(struct text *t, const result *r, const struct reason *why, struct path p, bool all)
{
    const history *h = r->h;
    bool transaction = is_transaction(h, why->from);
    struct value k = {.kind = ASSAY_NONE};
    if (transaction)
        k = key_that_was_read(h, why->from, p.n ? p.at->from : ASSAY_NO_OPERATION, why->to);
    if (!p.n) {
        text_puts(t, "because it reads the initial value of ");
        if (transaction)
            describe_say(t, h, "%K", k);
        else
            describe_variable(t, h, why->from);
        describe_say(t, h, ", which %P overwrites", why->to);
        and_both_write(t, r, why);
        return;
    }
    text_puts(t, "because it reads ");
    if (transaction)
        describe_say(t, h, "%K ", k);
    describe_say(t, h, "from %O%s%P%s", p.at->from, transaction ? ", and " : ", which comes before ", why->to,
                 transaction ? " overwrites that" : "");
    aside(t, h, p, all);
    and_both_write(t, r, why);
}

static void because_stored(struct text *t, const result *r, const struct reason *why, struct path p, bool all)
{
    const history *h = r->h;
    if (!p.n) {
        describe_say(t, h, "because @final says that %P wrote the last value of ", why->to);
        describe_variable(t, h, why->to);
        return;
    }
    if (is_transaction(h, why->from)) {
        describe_say(t, h, "because both write %K%s", key_of_both(h, why->from, why->to),
                     r->model->conditions & COND_SI ? ", and it begins before the other one commits"
                                                    : ", and it comes before the other one");
    } else {
        text_puts(t, "because it comes before it");
    }
    aside(t, h, p, all);
}

/* A read of another value than that of `from`, which comes before the read. */
static void because_missed(struct text *t, const result *r, const struct reason *why)
{
    const history *h = r->h;
    struct value k = {.kind = ASSAY_NONE};
    bool transaction = is_transaction(h, why->from);
    if (transaction)
        k = key_that_was_read(h, why->read, why->to, why->from);
    describe_say(t, h, "because %O", why->read);
    if (!transaction) {
        describe_say(t, h, "  reads from %P, and %P comes before it", why->to, why->from);
        return;
    }
    describe_say(t, h, "%s%K", why->to == ASSAY_NO_OPERATION ? "  reads the initial value of " : "  reads ", k);
    if (why->to != ASSAY_NO_OPERATION)
        describe_say(t, h, " from %P", why->to);
    describe_say(t, h, " although %P writes %K%s%P", why->from, k,
                 why->to == ASSAY_NO_OPERATION ? " and comes before " : " as well and comes before ", why->read);
}

void describe_because(struct text *t, const result *r, uint32_t reason, bool all)
{
    const struct reason *why = &r->evidence.reasons.at[reason];
    struct path p = describe_path_of(r, reason);
    if (why->rule == ASSAY_RW) {
        because_read_is_older(t, r, why, p, all);
        return;
    }
    if (why->rule == ASSAY_WW) {
        because_stored(t, r, why, p, all);
        return;
    }
    because_missed(t, r, why);
    aside(t, r->h, p, all);
}

/* A list with one element and not the other says that the other one's place is behind it. */
static void shown_alone(struct text *t, const history *h, const assay_step *s)
{
    uint32_t access, write, reader = key_shown_alone(h, s->from, s->to, &access, &write);
    if (reader == ASSAY_NO_OPERATION) {
        text_puts(t, "  (lists that were read show its element, and not that of the other one)");
        return;
    }
    describe_say(t, h, "  (%P reads its element of %K, and not that of the other one)", reader,
                 history_written(h, reader, 3 * access + 1));
}

/* The order of two writers of a list. */
static void shown_by(struct text *t, const history *h, const assay_step *s)
{
    struct value k;
    uint32_t reader = key_shown_in_order(h, s->from, s->to, &k);
    if (reader == ASSAY_NO_OPERATION) {
        shown_alone(t, h, s);
        return;
    }
    describe_say(t, h, "  (%P reads their elements of %K in this order)", reader, k);
}

void describe_fact(struct text *t, const result *r, const assay_step *s)
{
    const history *h = r->h;
    if (s->rule == ASSAY_CASE) {
        text_puts(t, "suppose ");
        pair(t, h, s->from, supposed(h, s->from), s->to);
        return;
    }
    pair(t, h, s->from, "comes before", s->to);
    if (s->rule == ASSAY_WR && is_transaction(h, s->from))
        describe_say(t, h, "  (which reads %K from it)", key_that_was_read(h, s->to, s->from, ASSAY_NO_OPERATION));
    else if (s->rule == ASSAY_VO)
        shown_by(t, h, s);
    else if (fact_name(h, s))
        text_printf(t, "  (%s)", fact_name(h, s));
    else
        text_printf(t, "  (%s, as shown above)", assay_rule_name(s->rule));
}

/* The thread whose order is refuted, when the cycle is one in a thread's own order. */
static uint32_t refuted_thread(const result *r)
{
    enum pattern p = r->evidence.pattern;
    bool of_one = p == PATTERN_CyclicHB || p == PATTERN_WriteHBInitRead;
    for (uint32_t i = r->evidence.reasons.n; of_one && i-- > 0;)
        if (r->evidence.reasons.at[i].rule == ASSAY_HB)
            return r->evidence.reasons.at[i].read;
    return ASSAY_NO_OPERATION;
}

void describe_conclusion(struct text *t, const result *r, struct path cycle, bool all)
{
    uint32_t read = refuted_thread(r);
    text_puts(t, "so ");
    if (!cycle.n) {
        text_puts(t, "a write comes before the initial value that it overwrites");
        return;
    }
    if (read != ASSAY_NO_OPERATION)
        text_printf(t, "in the order that %s observes, ", thread_name(r->h, read));
    describe_say(t, r->h, "%P comes before itself: ", cycle.at[0].from);
    describe_path(t, r->h, cycle, all);
}

/* The weak models ask that their derived relations have no cycle; an order shows that, and no more. */
static void derived_order(struct text *t, const result *r, uint32_t i)
{
    bool one_of_two = r->evidence.orders.n > 1;
    text_printf(t, "an order that agrees with all that %s derives", r->model->name);
    if (one_of_two)
        text_puts(t, i ? ", variable by variable" : ", as far as store buffers preserve order");
    if (!i)
        text_puts(t, " (no contradiction, but it need not explain the reads)");
}

void describe_order(struct text *t, const result *r, uint32_t i)
{
    uint32_t thread = r->evidence.orders.at[i].thread;
    unsigned asked = r->model->conditions;
    if (r->model->needs & NEED_CALLS) {
        uint32_t first = r->evidence.ops.at[r->evidence.orders.at[i].at];
        text_puts(t, "an order that explains ");
        if (r->evidence.orders.n < 2)
            text_puts(t, evidence_has_visible(r->model) ? "it by what each operation sees" : "it");
        else
            text_printf(t, "part %u, that of ", (unsigned)i + 1), describe_operation(t, r->h, first);
        return;
    }
    if (asked & (COND_PC | COND_SI))
        text_puts(t, "an order of begins and commits (each transaction occurs twice)");
    else if (asked & COND_SER)
        text_puts(t, "an order in which the transactions can have run one after another");
    else if (r->model->needs & NEED_TRANSACTIONS)
        text_puts(t, "an order of the commits");
    else if (thread != ASSAY_NO_THREAD)
        text_printf(t, "an order that explains what %s read", history_text(r->h, r->h->threads.at[thread].name));
    else if (asked & (COND_WSC | COND_WTSO))
        derived_order(t, r, i);
    else if (asked & COND_CONVERGENT)
        text_puts(t, "an order of arbitration (of the writes that it knows, a read returns the last)");
    else if (asked & COND_CAUSAL)
        text_puts(t, "an order in which causes come first");
    else if (asked & COND_SC)
        text_puts(t, "an order that explains it");
    else
        text_puts(t, "an order that explains it; a write is placed where it reaches the memory");
}

/* ---- cases ---- */

/* "A is stored before B, and C is stored before D" */
static void suppositions(struct text *t, const history *h, const assay_pair *pairs, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        text_puts(t, i ? ", and " : "");
        pair(t, h, pairs[i].first, supposed(h, pairs[i].first), pairs[i].second);
    }
}

struct assumed {
    VEC(assay_pair) pairs;
    struct idmap seen;
};

static void assume(struct assumed *a, struct mem *m, struct path p)
{
    for (uint32_t i = 0; i < p.n; i++) {
        if (p.at[i].rule != ASSAY_CASE)
            continue;
        uint32_t *at = idmap_at(m, &a->seen, (uint64_t)p.at[i].from << 32 | p.at[i].to);
        if (*at != ID_NONE)
            continue;
        *at = a->pairs.n;
        assay_pair pair_of = {p.at[i].from, p.at[i].to};
        vec_push(m, &a->pairs, pair_of);
    }
}

void describe_case(struct text *t, const result *r, uint32_t i)
{
    struct assumed a = {0};
    bool *used = describe_used(r, i, t->mem);
    for (uint32_t reason = 0; reason < r->evidence.reasons.n; reason++)
        if (used[reason])
            assume(&a, t->mem, describe_path_of(r, reason));
    assume(&a, t->mem, describe_cycle(r, i));
    text_puts(t, a.pairs.n ? "if " : "in any case");
    suppositions(t, r->h, a.pairs.at, a.pairs.n);
    mem_free(t->mem, used);
    vec_free(t->mem, &a.pairs);
    mem_free(t->mem, a.seen.slots);
}

void describe_learned(struct text *t, const result *r, uint32_t i)
{
    const struct span *s = &r->evidence.learned.at[i];
    if (s->count == 1) {
        assay_pair p = r->evidence.pairs.at[s->at];
        text_puts(t, "so ");
        pair(t, r->h, p.second, supposed(r->h, p.first), p.first);
        return;
    }
    text_puts(t, "so it cannot be that ");
    suppositions(t, r->h, r->evidence.pairs.at + s->at, s->count);
}

void describe_no_case_left(struct text *t)
{
    text_puts(t, "so no order of the writes works");
}
