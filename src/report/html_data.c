/* SPDX-License-Identifier: Apache-2.0 */
/* The history as data for the scripts of a page: one JSON object in columns, a line each.
 *
 * Texts that occur often stand once, in a table, and columns have their numbers. A column is one JSON text of digits
 * (html_column.h), so a page opens without an object per operation. Calls are differences to the call before, in the
 * order of the history, and returns are durations. A hundred thousand operations take two to four megabytes.
 * Values that are put in or got out have numbers, too, equal ones for equal values of one key. So the scripts find out
 * who reads from whom without knowing the object. web/data.js is the reader. */
#include "base/names.h"
#include "base/shown.h"
#include "history/token.h"
#include "report/describe.h"
#include "report/html.h"
#include "report/html_column.h"
#include "spec/roles.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_PLACED = 1000000 }; /* operations of all orders together: causal memory has an order per thread */

struct data {
    const result *r;
    const history *h;
    const struct objects *objects; /* NULL: not known */
    struct text *out;
    struct names labels, keys, methods, values;
    struct text room; /* to put a text together */
};

/* ---- columns ---- */

static void column(struct data *d, const char *name)
{
    text_printf(d->out, ",\n\"%s\":[", name);
}

static void number(struct data *d, bool first, int64_t n)
{
    if (!first)
        text_char(d->out, ',');
    text_int(d->out, n);
}

static void table(struct data *d, const char *name, const struct names *names)
{
    column(d, name);
    for (uint32_t i = 0; i < names->all.n; i++) {
        text_puts(d->out, i ? "," : "");
        html_json(d->out, names->all.at[i].text, names->all.at[i].length);
    }
    text_char(d->out, ']');
}

/* The same as one text with a line for each name. A name as it is shown has no line end. */
static void lines_of(struct data *d, const char *name, const struct names *names)
{
    struct text all = text_in(d->out->mem);
    for (uint32_t i = 0; i < names->all.n; i++) {
        if (i)
            text_char(&all, '\n');
        text_shown(&all, names->all.at[i].text, names->all.at[i].length, "");
    }
    text_printf(d->out, ",\n\"%s\":", name);
    html_json_shown(d->out, &all);
}

/* The number of the text in the room, which is empty then. */
static uint32_t take(struct data *d, struct names *names)
{
    uint32_t id = names_put(names, text_get(&d->room), d->room.n);
    d->room.n = 0;
    return id;
}

/* A column of table numbers, one for each operation; the table has `known` names before it. */
static void each(struct data *d, const char *name, uint32_t known, int64_t (*of)(struct data *d, uint32_t op))
{
    struct html_column c = html_column(d->out, name, known);
    for (uint32_t op = 0; op < d->h->n; op++)
        html_entry(&c, of(d, op));
    html_column_end(&c);
}

/* A column of any numbers, one for each operation. */
static void each_number(struct data *d, const char *name, int64_t (*of)(struct data *d, uint32_t op))
{
    struct html_column c = html_numbers(d->out, name);
    for (uint32_t op = 0; op < d->h->n; op++)
        html_number(&c, of(d, op));
    html_column_end(&c);
}

/* ---- what an operation is about ---- */

static int64_t thread_of(struct data *d, uint32_t op)
{
    return d->h->thread[op];
}

static int64_t method_of(struct data *d, uint32_t op)
{
    text_puts(&d->room, history_text(d->h, d->h->method[op]));
    return take(d, &d->methods);
}

/* Of a transaction only its outcome: its accesses stand in columns of their own. */
static int64_t label_of(struct data *d, uint32_t op)
{
    if (!token_is_txn(d->h, d->h->method[op])) {
        describe_call(&d->room, d->h, op);
    } else {
        struct value outcome = history_written_result(d->h, op);
        text_puts(&d->room, "txn");
        if (outcome.kind != ASSAY_NONE)
            describe_say(&d->room, d->h, " => %V", outcome);
    }
    return take(d, &d->labels);
}

static const assay_method *known_method(const struct data *d, uint32_t op)
{
    return d->objects && !token_is_txn(d->h, d->h->method[op]) ? objects_method(d->objects, op) : NULL;
}

/* The object's name, and the key: `q1`, `x`, `m.x`. */
static void put_key(struct data *d, uint32_t op)
{
    const assay_method *m = known_method(d, op);
    uint32_t object = history_object_of(d->h, op);
    if (object != ID_NONE)
        text_puts(&d->room, history_text(d->h, object));
    if (m && m->key >= 0 && (uint32_t)m->key < history_arity(d->h, op))
        describe_say(&d->room, d->h, "%s%V", object != ID_NONE ? "." : "", history_arg(d->h, op, (uint32_t)m->key));
}

static int64_t key_of(struct data *d, uint32_t op)
{
    put_key(d, op);
    return d->room.n ? (int64_t)take(d, &d->keys) : -1;
}

static bool is_word(const history *h, struct value v, const char *word)
{
    return v.kind == ASSAY_WORD && strcmp(history_text(h, (uint32_t)v.bits), word) == 0;
}

/* `empty`, `true` and the like say how a call went; they are no values that someone put in. */
static bool is_value(const history *h, struct value v)
{
    static const char *const outcomes[] = {"empty", "true", "false", "null", "nil", "ok"};
    for (size_t i = 0; i < sizeof outcomes / sizeof *outcomes; i++)
        if (is_word(h, v, outcomes[i]))
            return false;
    return v.kind != ASSAY_NONE;
}

static int64_t value_number(struct data *d, struct value v)
{
    if (!is_value(d->h, v)) {
        d->room.n = 0;
        return -1;
    }
    describe_say(&d->room, d->h, "=%V", v);
    return take(d, &d->values);
}

/* Does the call compare the value that it finds with its last but one argument? */
static bool exchanges(const struct data *d, uint32_t op)
{
    bool variable = facts_of(objects_use(d->objects, op)->spec)->family == FAMILY_REGISTER;
    return variable && objects_method(d->objects, op)->id == REGISTER_CAS && /* or MEMORY_RMW */
           !is_word(d->h, history_result(d->h, op), "false");
}

static bool only_observes(const struct data *d, uint32_t op)
{
    assay_value *args = mem_new(d->out->mem, assay_value, history_arity(d->h, op) + 1);
    assay_call call = html_call(d->h, d->objects, op, args);
    bool yes = spec_is_observer(objects_use(d->objects, op)->spec, &call);
    mem_free(d->out->mem, args);
    return yes;
}

static int64_t put_of(struct data *d, uint32_t op)
{
    const assay_method *m = known_method(d, op);
    uint32_t arity = history_arity(d->h, op);
    bool keyed = m && m->key >= 0;
    if (!m || arity < (keyed && arity > 1 ? 2u : 1u) || only_observes(d, op) ||
        is_word(d->h, history_result(d->h, op), "false"))
        return -1;
    put_key(d, op);
    return value_number(d, history_arg(d->h, op, arity - 1));
}

static int64_t got_of(struct data *d, uint32_t op)
{
    if (!known_method(d, op))
        return -1;
    put_key(d, op);
    if (exchanges(d, op))
        return value_number(d, history_arg(d->h, op, history_arity(d->h, op) - 2));
    return value_number(d, history_result(d->h, op));
}

/* ---- transactions ---- */

static bool is_transactions(const struct data *d)
{
    return d->h->n && token_is_txn(d->h, d->h->method[0]);
}

static uint32_t access_count(const struct data *d, uint32_t op)
{
    return token_is_txn(d->h, d->h->method[op]) ? history_arity(d->h, op) / 3 : 0;
}

static int64_t count_of(struct data *d, uint32_t op)
{
    return access_count(d, op);
}

/* A column of table numbers, one for each access. */
static void each_access(struct data *d, const char *name, uint32_t known,
                        int64_t (*of)(struct data *d, uint32_t op, uint32_t access))
{
    struct html_column c = html_column(d->out, name, known);
    for (uint32_t op = 0; op < d->h->n; op++)
        for (uint32_t i = 0; i < access_count(d, op); i++)
            html_entry(&c, of(d, op, i));
    html_column_end(&c);
}

static int64_t access_label(struct data *d, uint32_t op, uint32_t access)
{
    for (uint32_t i = 0; i < 3; i++)
        describe_say(&d->room, d->h, "%s%V", i ? " " : "", history_written(d->h, op, 3 * access + i));
    return take(d, &d->labels);
}

static int64_t access_key(struct data *d, uint32_t op, uint32_t access)
{
    token_print(&d->room, d->h, history_arg(d->h, op, 3 * access + 1));
    return take(d, &d->keys);
}

static int64_t access_writes(struct data *d, uint32_t op, uint32_t access)
{
    return !is_word(d->h, history_arg(d->h, op, 3 * access), "r");
}

/* A list that was read comes from the writer of its last element. */
static int64_t access_value(struct data *d, uint32_t op, uint32_t access)
{
    struct value v = history_arg(d->h, op, 3 * access + 2);
    token_print(&d->room, d->h, history_arg(d->h, op, 3 * access + 1));
    if (v.kind == ASSAY_LIST) {
        const struct list_value *l = d->h->lists.all.at[v.bits];
        v = l->length ? l->last : (struct value){.kind = ASSAY_NONE};
    }
    return value_number(d, v);
}

static void transactions(struct data *d)
{
    if (!is_transactions(d))
        return;
    each_number(d, "accesses", count_of);
    each_access(d, "accessLabel", d->labels.all.n, access_label);
    each_access(d, "accessKey", d->keys.all.n, access_key);
    each_access(d, "accessWrites", 2, access_writes);
    each_access(d, "accessValue", d->values.all.n, access_value);
}

/* ---- times, lines, faults ---- */

static int64_t earliest(const history *h)
{
    int64_t least = h->n ? h->call[0] : 0;
    for (uint32_t op = 1; op < h->n; op++)
        least = h->call[op] < least ? h->call[op] : least;
    return least;
}

static int64_t apart(int64_t from, int64_t to) /* times may be anywhere: no overflow */
{
    return (int64_t)((uint64_t)to - (uint64_t)from);
}

static int64_t called_after(struct data *d, uint32_t op)
{
    return op ? apart(d->h->call[op - 1], d->h->call[op]) : apart(earliest(d->h), d->h->call[0]);
}

static int64_t took(struct data *d, uint32_t op)
{
    return history_pending(d->h, op) ? -1 : apart(d->h->call[op], d->h->ret[op]);
}

static int64_t lines_after(struct data *d, uint32_t op)
{
    return (int64_t)history_line(d->h, op) - (op ? (int64_t)history_line(d->h, op - 1) : 0);
}

static void flagged(struct data *d, const char *name, bool (*is)(const history *h, uint32_t op))
{
    bool first = true;
    column(d, name);
    for (uint32_t op = 0; op < d->h->n; op++)
        if (is(d->h, op)) {
            number(d, first, op);
            first = false;
        }
    text_char(d->out, ']');
}

static void faults(struct data *d, int64_t base)
{
    struct recorded_fault f;
    uint32_t header = 0;
    column(d, "faults");
    for (uint32_t n = 0; describe_next_fault(d->h, &header, &f); n++) {
        text_puts(d->out, n ? ",[" : "[");
        html_json(d->out, f.name, f.length);
        text_printf(d->out, ",%" PRId64 ",", apart(base, f.from));
        if (f.to == INT64_MAX)
            text_puts(d->out, "null]");
        else
            text_printf(d->out, "%" PRId64 "]", apart(base, f.to));
    }
    text_char(d->out, ']');
}

static void times(struct data *d)
{
    static const char *const kinds[] = {
        [TIMES_NONE] = "none", [TIMES_INTERVALS] = "intervals", [TIMES_AFTER] = "after"};
    static const char *const units[] = {
        [CLOCK_UNSAID] = NULL, [CLOCK_NS] = "ns", [CLOCK_US] = "us", [CLOCK_MS] = "ms", [CLOCK_S] = "s"};
    enum times kind = history_times(d->h);
    html_json_field(d->out, "times", kinds[kind]);
    html_json_field(d->out, "unit", units[d->h->clock]);
    if (kind == TIMES_INTERVALS) {
        int64_t base = earliest(d->h);
        text_printf(d->out, ",\n\"base\":\"%" PRId64 "\"", base); /* a text: numbers of scripts have 53 bits */
        each_number(d, "call", called_after);
        each_number(d, "took", took);
        faults(d, base);
    }
}

static void lines(struct data *d)
{
    if (d->h->line_column)
        each_number(d, "line", lines_after);
    else
        text_printf(d->out, ",\n\"line\":%u", (unsigned)d->h->first_line);
}

/* ---- evidence ---- */

static void pairs(struct data *d, const char *name, const assay_pair *at, uint32_t n)
{
    column(d, name);
    for (uint32_t i = 0; i < n; i++) {
        number(d, !i, at[i].first == ASSAY_NO_OPERATION ? -1 : (int64_t)at[i].first);
        number(d, false, at[i].second);
    }
    text_char(d->out, ']');
}

/* Of an order: each operation as the difference to the one before it. */
static void placed_ops(struct data *d, const uint32_t *ops, uint32_t count)
{
    struct html_column c = html_numbers(d->out, "ops");
    for (uint32_t i = 0; i < count; i++)
        html_number(&c, (int64_t)ops[i] - (i ? (int64_t)ops[i - 1] : 0));
    html_column_end(&c);
}

static void orders(struct data *d)
{
    const struct evidence *ev = &d->r->evidence, *shown = result_orders(d->r);
    uint64_t placed = 0;
    column(d, "orders");
    for (uint32_t i = 0; i < shown->orders.n && i < HTML_MOST_ORDERS; i++) {
        const struct order *o = &shown->orders.at[i];
        struct text title = text_in(d->out->mem);
        if ((placed += o->count) > MOST_PLACED)
            break;
        if (d->r->verdict == ASSAY_CONSISTENT)
            describe_order(&title, d->r, i);
        else
            text_puts(&title, "a linearization of the longest prefix that has one");
        text_printf(d->out, "%s\n{\"title\":", i ? "," : "");
        html_json_text(d->out, &title);
        text_printf(d->out, ",\"count\":%u", (unsigned)o->count);
        placed_ops(d, shown->ops.at + o->at, o->count);
        text_puts(d->out, "}");
    }
    text_char(d->out, ']');
    if (d->r->explanation.prefix_end != ASSAY_NO_OPERATION)
        text_printf(d->out, ",\n\"unexplained\":%u", (unsigned)d->r->explanation.prefix_end);
    pairs(d, "visible", ev->visible.at, ev->visible.n);
    pairs(d, "sources", ev->sources.at, ev->sources.n);
}

/* A model that was checked: its verdict, and which of the others it implies. */
static void rung(struct data *d, const result *of, const result *const *all, size_t n)
{
    text_puts(d->out, "{\"model\":");
    html_json(d->out, of->model->name, strlen(of->model->name));
    html_json_field(d->out, "title", of->model->title);
    html_json_field(d->out, "verdict", assay_verdict_name(of->verdict));
    text_puts(d->out, ",\n\"implies\":[");
    for (size_t i = 0, any = 0; i < n; i++)
        if (all[i] != of && model_implies(of->model, all[i]->model))
            text_printf(d->out, "%s%zu", any++ ? "," : "", i);
    text_puts(d->out, "]}");
}

static void ladder(struct data *d, const assay_report_options *options)
{
    const result **had = mem_new(d->out->mem, const result *, options->other_count + 1);
    size_t n = 0;
    for (size_t i = 0; i < options->other_count; i++)
        if (options->others[i])
            had[n++] = options->others[i];
    column(d, "ladder");
    for (size_t i = 0; i < n; i++) {
        text_puts(d->out, i ? ",\n" : "\n");
        rung(d, had[i], had, n);
    }
    text_char(d->out, ']');
    mem_free(d->out->mem, had);
}

/* ---- the whole ---- */

static void names_of_threads(struct data *d)
{
    column(d, "threads");
    for (uint32_t t = 0; t < d->h->threads.n; t++) {
        const char *name = history_text(d->h, d->h->threads.at[t].name);
        text_puts(d->out, t ? "," : "");
        html_json(d->out, name, strlen(name));
    }
    text_char(d->out, ']');
}

static void head(struct data *d, const assay_report_options *options)
{
    const result *r = d->r;
    struct text file = text_in(d->out->mem);
    bool refuted = r->verdict == ASSAY_VIOLATION && r->evidence.pattern != PATTERN_NONE;
    describe_file(&file, options);
    text_puts(d->out, "{\"format\":2,\n\"file\":");
    html_json_text(d->out, &file);
    html_json_field(d->out, "model", r->model->name);
    html_json_field(d->out, "object", r->object);
    html_json_field(d->out, "verdict", assay_verdict_name(r->verdict));
    html_json_field(d->out, "pattern", refuted ? pattern_reported(r) : NULL);
    html_json_field(d->out, "patternText", refuted ? describe_pattern(r, d->out->mem) : NULL);
}

static void history_columns(struct data *d)
{
    names_of_threads(d);
    text_printf(d->out, ",\n\"count\":%u", (unsigned)d->h->n);
    each(d, "thread", d->h->threads.n, thread_of);
    each(d, "label", 0, label_of);
    each(d, "method", 0, method_of);
    each(d, "key", 0, key_of);
    each(d, "put", 0, put_of);
    each(d, "got", d->values.all.n, got_of);
    lines(d);
    times(d);
    transactions(d);
    flagged(d, "pending", history_pending);
    flagged(d, "aborted", history_aborted);
    lines_of(d, "labels", &d->labels);
    table(d, "keys", &d->keys);
    table(d, "methods", &d->methods);
}

void html_data(const result *r, const assay_report_options *options, struct text *out)
{
    struct mem *m = out->mem;
    struct data d = {.r = r,
                     .h = r->h,
                     .out = out,
                     .labels = names_in(m),
                     .keys = names_in(m),
                     .methods = names_in(m),
                     .values = names_in(m),
                     .room = text_in(m)};
    struct object_choice choice = {0};
    struct objects objects;
    assay_error ignored = {0};
    if (options->checked)
        choice = (struct object_choice){options->checked->object, options->checked->spec};
    if (objects_of(r->h, choice, m, &objects, &ignored))
        d.objects = &objects;
    head(&d, options);
    history_columns(&d);
    html_relations(r->h, d.objects, out);
    orders(&d);
    if (d.objects)
        html_states(r, d.objects, out);
    html_steps(r, out);
    ladder(&d, options);
    text_puts(out, "}");
}
