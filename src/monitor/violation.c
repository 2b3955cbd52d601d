/* SPDX-License-Identifier: Apache-2.0 */
/* A violation, as the public header has it: the operations that take part, and the sentences with their texts. */
#include "monitor/monitor.h"

#include "base/escape.h"
#include "base/shown.h"
#include "evidence/evidence.h"
#include "history/token.h"
#include "monitor/recorded_check.h"
#include "report/describe.h"
#include "report/report.h"
#include "report/wrap.h"
#include "scan/fault.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct monitor_report {
    struct mem mem;
    assay_monitor_violation public;
};

/* ---- operations ---- */

static void print_value(struct text *t, const struct symbols *s, struct value v)
{
    if (v.kind == ASSAY_INT)
        text_integer(t, v.bits, v.notation);
    else if (v.kind == ASSAY_WORD)
        text_add(t, s->all.at[v.bits].text, s->all.at[v.bits].length);
    else if (v.kind == ASSAY_STRING)
        text_json(t, s->all.at[v.bits].text, s->all.at[v.bits].length);
}

static const char *method_name(const assay_spec *spec, unsigned id)
{
    const assay_method *m = spec->methods;
    while (m->name && m->id != id)
        m++;
    return m->name ? m->name : "?";
}

/* Before argument i: a transaction has accesses, `r x 1, w y 2`. */
static const char *between(bool txn, uint32_t i)
{
    return i == 0 ? "" : txn && i % 3 ? " " : ", ";
}

void report_call(struct text *t, const struct monitor *m, const struct open_call *o)
{
    char id[ID_PACKED + 1];
    bool packed = id_unpack(o->key, o->length, id);
    text_printf(t, "[%.*s] %s(", (int)o->length, packed ? id : o->text, o->method->name);
    for (uint32_t i = 0; i < o->args.n; i++) {
        text_puts(t, between(token_names_txn(o->method->name), i));
        print_value(t, &m->symbols, o->args.at[i]);
    }
    text_char(t, ')');
    if (o->line)
        text_printf(t, " in line %" PRIu64, o->line);
    else
        text_printf(t, " at event %" PRIu64, o->step);
}

/* Checkers name the first argument. The others are known while the call is recorded. */
static void print_arguments(struct text *t, const struct monitor *m, bool txn, const struct online_op *op)
{
    const struct recorded_call *c = recording_find(&m->recording, op->called);
    print_value(t, &m->symbols, op->arg);
    for (uint32_t i = 1; c && i < recorded_arity(c); i++) {
        text_puts(t, between(txn, i));
        print_value(t, &m->symbols, c->values.at[i]);
    }
}

static const char *operation_text(const struct monitor *m, const assay_spec *spec, const struct online_op *op,
                                  struct mem *mem)
{
    struct text t = text_in(mem);
    text_puts(&t, method_name(spec, op->method));
    text_char(&t, '(');
    print_arguments(&t, m, token_names_txn(method_name(spec, op->method)), op);
    text_char(&t, ')');
    if (op->returned == ONLINE_NEVER) {
        text_puts(&t, " => ?");
    } else if (op->result.kind != ASSAY_NONE) {
        text_puts(&t, " => ");
        print_value(&t, &m->symbols, op->result);
    }
    return text_get(&t);
}

/* Long ids are known while the call is recorded. */
static const char *operation_id(const struct monitor *m, const struct online_op *op, struct mem *mem)
{
    char id[ID_PACKED + 1];
    if (places_id(&m->places, op->called, id))
        return mem_text(mem, id, strlen(id));
    const struct recorded_call *c = recording_find(&m->recording, op->called);
    return c ? mem_text(mem, c->id.at, c->id.n) : NULL;
}

static assay_monitor_operation operation(const struct monitor *m, const assay_spec *spec, const struct online_op *op,
                                         struct mem *mem)
{
    bool returned = op->returned != ONLINE_NEVER;
    return (assay_monitor_operation){
        .text = operation_text(m, spec, op, mem),
        .id = operation_id(m, op, mem),
        .called = op->called,
        .returned = returned ? op->returned : 0,
        .call_line = places_line(&m->places, op->called),
        .return_line = returned ? places_line(&m->places, op->returned) : 0,
    };
}

/* ---- sentences ---- */

/* Copies a line; "{3}" becomes the operation's text. */
static const char *sentence(const char *from, const char *end, const assay_monitor_operation *ops, size_t n,
                            struct mem *mem)
{
    struct text t = text_in(mem);
    while (from < end) {
        char *behind;
        unsigned long number = *from == '{' ? strtoul(from + 1, &behind, 10) : n;
        if (number < n && behind > from + 1 && *behind == '}') {
            text_puts(&t, ops[number].text);
            from = behind + 1;
        } else {
            text_char(&t, *from++);
        }
    }
    return text_get(&t);
}

static void add_why(struct monitor_report *r, const char *why)
{
    VEC(const char *) all = {0};
    for (const char *line = why; *line;) {
        const char *end = line + strcspn(line, "\n");
        if (end > line)
            vec_push(&r->mem, &all, sentence(line, end, r->public.operations, r->public.operation_count, &r->mem));
        line = *end ? end + 1 : end;
    }
    r->public.why = all.at;
    r->public.why_count = all.n;
}

/* ---- the report ---- */

static const char *whose_return(const assay_monitor_operation *ops, size_t n, uint64_t step)
{
    for (size_t i = 0; i < n; i++)
        if (ops[i].returned == step)
            return ops[i].id;
    return NULL;
}

/* The time of the event, if times are kept and it is not forgotten. */
static void add_time(struct monitor_report *r, const struct monitor *m)
{
    const struct event_time *e = event_times_find(&m->times, r->public.event);
    struct text t = text_in(&r->mem);
    if (!e)
        return;
    event_times_print(e, m->head->clock, &t);
    r->public.time = text_get(&t);
    r->public.time_given = e->given;
}

enum { FEW_TOLD = 12 }; /* operations, more than a reader follows */

/* What the explanation of the recorded events says. */
struct telling {
    struct recorded_check check;
    enum pattern pattern;      /* PATTERN_NONE: nothing */
    const char *sentence;      /* about the call to blame; NULL: it rests on too many operations */
    bool reasoned;             /* it says why, and does not only name the call */
    const char *more;          /* lines, each with its end */
    VEC(struct online_op) ops; /* that take part */
};

static void tell(void *arg)
{
    struct telling *x = arg;
    struct recorded_check *c = &x->check;
    recorded_check(c);
    if (!c->found || c->found->verdict != ASSAY_VIOLATION || c->found->evidence.culprit == ASSAY_NO_OPERATION)
        return;
    recorded_explain(c);
    x->pattern = c->found->evidence.pattern;
    struct mentions in = describe_mentions(c->found, false, c->mem);
    if (in.n > FEW_TOLD)
        return;
    struct text sentence = text_in(c->mem), more = text_in(c->mem);
    bool why = describe_culprit(&sentence, c->found);
    describe_more(&more, c->found, "");
    x->reasoned = why || more.n;
    x->sentence = text_get(&sentence);
    x->more = text_get(&more);
    for (uint32_t i = 0; i < in.n; i++)
        vec_push(c->mem, &x->ops, recorded_operation(c, in.ops[i]));
}

/* Replaces what the live checker says by the explanation of the recorded events, which is about fewer operations. Where
 * that only names a call, a checker that knows which other calls are in its way keeps its word. */
static void explain_fault(struct telling *x, struct online_fault *fault, bool in_doubt)
{
    enum pattern own = fault->pattern ? pattern_find(fault->pattern) : PATTERN_NONE;
    enum escape left = escape_run(tell, x);
    assay_result_free(x->check.found);
    if (left)
        escape_raise(left);
    bool knows_more = x->pattern == PATTERN_NoLinearization && own && own != x->pattern && !in_doubt;
    if (knows_more || !x->pattern) {
        x->pattern = own;
        x->sentence = NULL;
    }
    bool told = x->sentence && (x->reasoned || in_doubt || fault->ops.n <= x->ops.n);
    if (told || in_doubt) {
        vec_clear(&fault->ops);
        vec_clear(&fault->why);
    }
    for (uint32_t i = 0; told && i < x->ops.n; i++)
        fault_op(fault, x->check.mem, &x->ops.at[i]);
    if (told)
        text_puts(&fault->why, x->more);
    if (in_doubt && !(x->sentence && *x->more))
        text_puts(&fault->why, "nothing that the calls which never returned may have done explains it\n");
}

static void fill(struct monitor_report *r, struct monitor *m, uint32_t watch)
{
    const struct watch *w = &m->watches.at[watch];
    struct online_fault fault = {.why = text_in(&r->mem)};
    watch_explain(w, &fault, &r->mem);
    struct telling told = {.check = {.m = m, .watch = watch, .until = fault.step, .mem = &r->mem}};
    explain_fault(&told, &fault, watch_doubt(w));
    assay_monitor_operation *ops = mem_new(&r->mem, assay_monitor_operation, fault.ops.n ? fault.ops.n : 1);
    for (uint32_t i = 0; i < fault.ops.n; i++)
        ops[i] = operation(m, w->spec, &fault.ops.at[i], &r->mem);
    r->public = (assay_monitor_violation){
        .event = fault.step,
        .line = places_line(&m->places, fault.step),
        .id = whose_return(ops, fault.ops.n, fault.step),
        .noticed = m->step,
        .index = m->index,
        .object = w->name ? mem_text(&r->mem, w->name, strlen(w->name)) : NULL,
        .kind = mem_text(&r->mem, w->kind, strlen(w->kind)),
        .engine = mem_text(&r->mem, w->engine, strlen(w->engine)),
        .operations = ops,
        .operation_count = fault.ops.n,
        .skipped = m->stats.malformed,
        .model = mem_text(&r->mem, m->model ? m->model : "lin", strlen(m->model ? m->model : "lin")),
    };
    r->public.sentence = told.sentence;
    r->public.pattern = pattern_name(told.pattern);
    r->public.meaning = pattern_text(told.pattern);
    add_time(r, m);
    add_why(r, text_get(&fault.why));
}

/* ---- transactions ---- */

static uint64_t event_of(const struct isolation *x, const history *h, uint32_t op)
{
    return h == x->h ? x->arrived.at[op] : 0;
}

static assay_monitor_operation transaction(const struct isolation *x, const history *h, uint32_t op, struct mem *mem)
{
    struct text t = text_in(mem);
    const struct name *session = &h->names.all.at[h->threads.at[h->thread[op]].name];
    uint64_t event = event_of(x, h, op), line = history_line(h, op);
    describe_call(&t, h, op);
    return (assay_monitor_operation){.text = text_get(&t),
                                     .id = mem_text(mem, session->text, session->length),
                                     .called = event,
                                     .returned = history_pending(h, op) ? 0 : event,
                                     .call_line = line,
                                     .return_line = history_pending(h, op) ? 0 : line};
}

/* The values that forgotten transactions left, of the variables that take part. */
static void say_carried(struct isolation *x, const history *h, const struct mentions *in, struct text *out)
{
    struct value_ids seen = {0};
    uint32_t n = 0;
    for (uint32_t i = 0; i < in->n; i++)
        for (uint32_t j = 1; j < history_arity(h, in->ops[i]); j += 3) {
            struct value key = history_arg(h, in->ops[i], j);
            uint32_t known = seen.n;
            const struct carried_key *k = carried_find(&x->carried, h, key);
            if (value_id(out->mem, &seen, key) != known || !k || !carried_any(k) || !k->line)
                continue;
            text_puts(out, n++ ? ", " : "  the initial values are those that forgotten transactions left: ");
            token_print(out, h, key);
            text_char(out, '=');
            carried_print(k, out);
            text_printf(out, " (line %" PRIu64 ")", k->line);
        }
    if (n)
        text_char(out, '\n');
}

static void fill_transactions(struct monitor_report *r, struct monitor *m, const result *found)
{
    struct isolation *x = &m->isolation;
    const history *h = found->h;
    const assay_report_options options = {ASSAY_REPORT_OPTIONS_INIT, .file = m->file};
    struct mentions in = describe_mentions(found, true, &r->mem);
    struct text text = text_in(&r->mem);
    assay_monitor_operation *ops = mem_new(&r->mem, assay_monitor_operation, in.n ? in.n : 1);
    uint32_t last = 0;
    for (uint32_t i = 0; i < in.n; i++) {
        ops[i] = transaction(x, h, in.ops[i], &r->mem);
        last = ops[i].call_line > ops[last].call_line ? i : last;
    }
    report_find("text")->write(found, &options, &text);
    bool thin = found->evidence.pattern == PATTERN_ThinAirRead && x->forgets;
    if (thin)
        text_puts(&text, "  or it was overwritten, and the transaction that wrote it is forgotten\n");
    say_carried(x, h, &in, &text);
    r->public = (assay_monitor_violation){
        .event = in.n ? ops[last].called : m->step,
        .line = in.n ? ops[last].call_line : 0,
        .id = in.n ? ops[last].id : NULL,
        .noticed = m->step,
        .index = m->index,
        .kind = "transactions",
        .engine = online_window.name,
        .operations = ops,
        .operation_count = in.n,
        .skipped = m->stats.malformed,
        .model = mem_text(&r->mem, m->model, strlen(m->model)),
        .anomaly = pattern_reported(found),
    };
    add_time(r, m);
    const char *body = strchr(text_get(&text), '\n'); /* behind the headline, which this report has in its own words */
    add_why(r, body ? body : "");
}

struct monitor_report *report_of_transactions(struct monitor *m, const result *found)
{
    struct monitor_report *r = calloc(1, sizeof *r);
    if (!r)
        escape_raise(ESCAPE_OUT_OF_MEMORY);
    m->reporting = r;
    fill_transactions(r, m, found);
    m->reporting = NULL;
    return r;
}

struct monitor_report *report_new(struct monitor *m, uint32_t watch)
{
    struct monitor_report *r = calloc(1, sizeof *r);
    if (!r)
        escape_raise(ESCAPE_OUT_OF_MEMORY);
    m->reporting = r; /* so that it is freed if the next steps escape */
    fill(r, m, watch);
    m->reporting = NULL;
    return r;
}

void report_free(struct monitor_report *r)
{
    if (r)
        mem_release(&r->mem);
    free(r);
}

const assay_monitor_violation *report_get(const struct monitor_report *r)
{
    return &r->public;
}

/* ---- for people ---- */

static void print_event(FILE *out, uint64_t event, uint64_t line)
{
    fprintf(out, "event %" PRIu64, event);
    if (line)
        fprintf(out, " (line %" PRIu64 ")", line);
}

static void print_operation(const assay_monitor_operation *o, FILE *out)
{
    fputs("    ", out);
    if (o->id) {
        fputc('[', out);
        shown_puts(out, o->id);
        fputs("] ", out);
    }
    shown_puts(out, o->text);
    if (!o->called) { /* an initial value, as the call that would have put it there */
        fputs(": before all events, by @init\n", out);
        return;
    }
    fputs(": called at ", out);
    print_event(out, o->called, o->call_line);
    fputs(", ", out);
    if (o->returned) {
        fputs("returned at ", out);
        print_event(out, o->returned, o->return_line);
    } else {
        fputs("has not returned", out);
    }
    fputc('\n', out);
}

static void print_transactions(const assay_monitor_violation *v, FILE *out)
{
    fputs("the transactions violate ", out);
    shown_puts(out, v->model);
    fprintf(out, ": %s (%s", v->anomaly, v->engine);
    if (v->noticed != v->event)
        fprintf(out, ", noticed at event %" PRIu64, v->noticed);
    fputs(")\n", out);
    for (size_t i = 0; i < v->why_count; i++) {
        shown_puts(out, v->why[i]);
        fputc('\n', out);
    }
}

static void print(const assay_monitor_violation *v, const assay_report_options *o, FILE *out)
{
    if (o->file) {
        shown_puts(out, o->file);
        fprintf(out, v->index ? "#%" PRIu64 ": " : ": ", v->index);
    }
    fputs(o->color ? "\033[1;31mVIOLATION\033[0m at " : "VIOLATION at ", out);
    print_event(out, v->event, v->line);
    fputs(": ", out);
    if (v->anomaly) {
        print_transactions(v, out);
        return;
    }
    if (v->object)
        shown_puts(out, v->object);
    fprintf(out, v->object ? ", a %s, " : "the %s ", v->kind);
    if (strcmp(v->model, "lin") == 0)
        fputs("is not linearizable", out);
    else
        fputs("violates ", out), shown_puts(out, v->model);
    fprintf(out, " (%s", v->engine);
    if (v->noticed != v->event)
        fprintf(out, ", noticed at event %" PRIu64, v->noticed);
    fputs(")\n", out);
    if (v->meaning)
        fprintf(out, "  %s:\n", v->meaning);
    if (v->sentence) {
        fputs("    ", out);
        shown_puts(out, v->sentence);
        fputc('\n', out);
    }
    for (size_t i = 0; i < v->operation_count; i++)
        print_operation(&v->operations[i], out);
    for (size_t i = 0; i < v->why_count; i++) {
        fputs(v->sentence ? "    " : i + 1 == v->why_count ? "  contradiction: " : "  ", out);
        shown_puts(out, v->why[i]);
        fputc('\n', out);
    }
}

static void print_circumstances(const assay_monitor_violation *v, FILE *out)
{
    if (v->skipped)
        fprintf(out, "  but %" PRIu64 " malformed line%s skipped before: this may rest on %s\n", v->skipped,
                v->skipped == 1 ? " was" : "s were", v->skipped == 1 ? "it" : "one of them");
    if (v->time)
        fprintf(out, "  %s at %s\n", v->time_given ? "happened" : "arrived", v->time);
}

struct wrapping {
    struct mem mem;
    char *lines;
    uint32_t width;
    FILE *out;
};

static void write_wrapped(void *arg)
{
    struct wrapping *w = arg;
    struct text text = text_in(&w->mem);
    wrap(&text, w->lines, w->width);
    fputs(text_get(&text), w->out);
}

/* Breaks the lines between words. False: there is no memory. */
static bool print_wrapped(const assay_monitor_violation *v, const assay_report_options *o, FILE *out)
{
    struct wrapping w = {.width = (uint32_t)o->width, .out = out};
    size_t size;
    FILE *f = open_memstream(&w.lines, &size);
    if (!f)
        return false;
    print(v, o, f);
    print_circumstances(v, f);
    bool written = fclose(f) == 0 && escape_run(write_wrapped, &w) == ESCAPE_NONE;
    mem_release(&w.mem);
    free(w.lines);
    return written;
}

bool assay_monitor_violation_report(const assay_monitor_violation *v, const assay_report_options *o, FILE *out)
{
    if (!v || !out)
        return false;
    if (o->width)
        return print_wrapped(v, o, out) && !ferror(out);
    print(v, o, out);
    print_circumstances(v, out);
    return !ferror(out);
}

bool assay_monitor_violation_print(const assay_monitor_violation *v, const char *file, FILE *out)
{
    if (!v || !out)
        return false;
    const assay_report_options options = {ASSAY_REPORT_OPTIONS_INIT, .file = file};
    return assay_monitor_violation_report(v, &options, out);
}
