/* SPDX-License-Identifier: Apache-2.0 */
/* The events of a log become operations as follows:
 *
 *   ok     the call returned; this event has a read's result and the values that a transaction read.
 *   fail   the call did not happen, and is dropped (unless the log says that a failed cas saw
 *          another value). A transaction is kept as aborted.
 *   info   the outcome is unknown; it is pending for ever. So is a call without a second event.
 *
 * A read that was not answered has no effect and is dropped. Events of the nemesis are none of the object's.
 *
 * The functions and the values that were read decide which object it is (jepsen_functions.h). */
#include "format/jepsen_drains.h"
#include "format/jepsen_values.h"

#include <inttypes.h>
#include <string.h>

/* ---- the function ---- */

/* A name with a dot would be `object.method` in the native text. */
static bool names_method(const char *name, size_t length)
{
    return token_is_word(name, length) && !memchr(name, '.', length);
}

static uint32_t find_function(struct jepsen *s, const struct jepsen_event *event)
{
    const struct edn *e = &s->edn;
    if (event->f == ID_NONE || e->nodes.at[event->f].kind == EDN_NIL) {
        if (elle_is_transaction(e, event->value))
            return JEPSEN_TRANSACTION;
        EDN_FAULT(e, event->whole, "expected the event's function, as in `:f :read`");
    }
    if (e->nodes.at[event->f].kind != EDN_KEYWORD)
        EDN_FAULT(e, event->f, "expected a function, as in `:f :read`");
    uint32_t length = e->nodes.at[event->f].length;
    uint32_t found = jepsen_function_find(s->allowed, edn_text(e, event->f), length);
    bool reads_or_writes = edn_is(e, event->f, EDN_KEYWORD, "read") || edn_is(e, event->f, EDN_KEYWORD, "write");
    if (reads_or_writes && (s->allowed & JEPSEN_TXN) && elle_is_transaction(e, event->value))
        return JEPSEN_TRANSACTION; /* of the workload long-fork */
    if (edn_is(e, event->f, EDN_KEYWORD, "read") && event->value != ID_NONE &&
        e->nodes.at[event->value].kind == EDN_MAP && edn_is(e, event->type, EDN_KEYWORD, "invoke"))
        EDN_FAULT_REMEDY(e, event->value, jepsen_read_workloads,
                         "a :read of chosen keys, as the workload monotonic has it, which is not read");
    if (jepsen_functions[found].shape == SHAPE_INSERT && !jepsen_is_insert(s, event->value))
        found = JEPSEN_OTHER;
    if (found == JEPSEN_OTHER && (s->allowed != JEPSEN_ALL || !names_method(edn_text(e, event->f), length)))
        EDN_FAULT_REMEDY(e, event->f,
                         s->allowed == JEPSEN_APPEND_MAP ? "known are get, put, append"
                         : s->allowed != JEPSEN_ALL
                             ? "known are read, write, cas"
                             : "a function is the name of a method, a word without a dot: rename it",
                         "unknown function :%.*s", (int)(length < 40 ? length : 40), edn_text(e, event->f));
    return found;
}

void jepsen_narrow(struct jepsen *s, unsigned families, const struct jepsen_event *event)
{
    if (s->families & ~families)
        s->families_line = s->edn.nodes.at[event->whole].at.line;
    s->families &= families;
}

/* The first call decides about keys; the others must agree. All must agree about the object. */
static void agree(struct jepsen *s, const struct jepsen_function *f, const struct jepsen_event *event)
{
    bool keyed = jepsen_has_key(s, f, event->value);
    uint32_t where = event->value == ID_NONE ? event->whole : event->value;
    if (!s->first_line) {
        s->first_line = s->edn.nodes.at[event->whole].at.line;
        s->keyed = keyed;
    }
    if (!(s->families & f->families))
        EDN_FAULT(&s->edn, event->f == ID_NONE ? event->whole : event->f,
                  "the function :%s belongs to a %s, but the event of line %" PRIu64 " to a %s", f->name,
                  jepsen_object(f->families), s->families_line, jepsen_object(s->families));
    jepsen_narrow(s, f->families, event);
    if (s->keyed && !keyed)
        EDN_FAULT(&s->edn, where, "expected a pair [key value], as in line %" PRIu64, s->first_line);
    if (!s->keyed && keyed && f->shape != SHAPE_CAS)
        EDN_FAULT(&s->edn, where, "expected a single value, as in line %" PRIu64 ", found a pair [key value]",
                  s->first_line);
    s->has_cas |= f->shape == SHAPE_CAS;
    s->has_other |= f->shape == SHAPE_OTHER;
    s->has_init |= strcmp(f->name, "read-init") == 0;
}

/* ---- events ---- */

static uint32_t method_name(struct jepsen *s, const struct jepsen_function *f, const struct jepsen_event *event)
{
    uint32_t *known = &s->method[f - jepsen_functions]; /* whether there are keys has been decided */
    const char *name = f->shape == SHAPE_CAS && s->keyed ? "rmw" : f->method;
    if (f->shape == SHAPE_OTHER)
        return history_name(s->h, edn_text(&s->edn, event->f), s->edn.nodes.at[event->f].length);
    if (!*known)
        *known = 1 + history_name(s->h, name, strlen(name));
    return *known - 1;
}

static void invoke(struct jepsen *s, const struct jepsen_function *f, const struct jepsen_event *event,
                   uint32_t process, int64_t time)
{
    agree(s, f, event);
    struct call *call = calls_begin(&s->calls, process, time, s->edn.nodes.at[event->whole].at);
    call->kind = (uint8_t)(f - jepsen_functions);
    call->method = method_name(s, f, event);
    calls_arguments(&s->calls, call, jepsen_arguments(s, f, event));
    if (f->reads_only)
        call->state = CALL_DROPPED; /* until it is answered */
}

/* Transactions of processes have calls, all of them or none. So an outcome too many is noticed. */
static void called(struct jepsen *s, const struct jepsen_event *event)
{
    uint64_t line = s->edn.nodes.at[event->whole].at.line;
    if (s->unseen_line)
        EDN_FAULT_REMEDY(&s->edn, event->whole, "log the calls of all transactions, or of none",
                         "a call, but the outcome of line %" PRIu64 " has none", s->unseen_line);
    s->called_line = line;
}

/* An outcome without a call, which stands for both. When it began is not known: not before the last outcome of its
 * process, or the first event of the log. */
static void invoke_unseen(struct jepsen *s, const struct jepsen_function *f, const struct jepsen_event *event,
                          uint32_t process, int64_t time)
{
    if (event->process != ID_NONE && s->called_line)
        return; /* the fault is reported where the call is sought */
    if (event->process != ID_NONE && !s->unseen_line)
        s->unseen_line = s->edn.nodes.at[event->whole].at.line;
    invoke(s, f, event, process, time);
    calls_began_unseen(&s->calls, process);
}

static bool repeats_arguments(struct jepsen *s, const struct jepsen_function *f, const struct call *call,
                              const struct jepsen_event *event)
{
    const struct arguments *args = jepsen_arguments(s, f, event);
    bool same = args->n == call->arity;
    for (uint32_t i = 0; same && i < args->n; i++)
        same = value_same(args->at[i], s->calls.values.at[call->values_at + i]);
    return same;
}

/* The second event of a call repeats its arguments, or has none. */
static void same_arguments(struct jepsen *s, const struct jepsen_function *f, const struct call *call,
                           const struct jepsen_event *event)
{
    if (!jepsen_is_nil(s, jepsen_bare_value(s, event)) && !repeats_arguments(s, f, call, event))
        EDN_FAULT(&s->edn, event->value, "expected the value of the call, in line %" PRIu64, call->at.line);
}

/* A test of a value: true, false or nothing. An add of true that repeats its value says nothing, as any other add. */
static void tested(struct jepsen *s, const struct jepsen_function *f, struct call *call,
                   const struct jepsen_event *event, uint32_t value)
{
    const struct edn *e = &s->edn;
    if (f->reads_only && jepsen_is_nil(s, value))
        call->state = CALL_DROPPED;
    else if (!f->reads_only && (jepsen_is_nil(s, value) || repeats_arguments(s, f, call, event)))
        return;
    else if (edn_is(e, value, EDN_SYMBOL, "true") || edn_is(e, value, EDN_SYMBOL, "false")) {
        call->result = edn_value(e, value, s->h, "true or false");
        jepsen_narrow(s, JEPSEN_SET, event); /* a counter's add has no such result */
    } else if (f->reads_only)
        EDN_FAULT(e, value, "expected true or false");
    else
        same_arguments(s, f, call, event);
}

/* Nil of a queue or stack is `empty`. A read of nil says nothing, as the documents have it for each object. */
static void was_read(struct jepsen *s, const struct jepsen_function *f, struct call *call,
                     const struct jepsen_event *event, uint32_t value)
{
    same_arguments(s, f, call, event); /* the key, if there is one */
    if (!jepsen_is_nil(s, value))
        call->result = f->families & JEPSEN_SET ? jepsen_read_value(s, event, value)
                                                : edn_value(&s->edn, value, s->h, "the value that was read");
    else if (!f->reads_only)
        call->result = jepsen_word(s, "empty");
    else if (s->nil_says_nothing || f->families == JEPSEN_APPEND_MAP)
        call->state = CALL_DROPPED;
    else
        call->result = jepsen_word(s, "nil");
}

/* A function that is not known has a result if the second event has another value than the call. */
static void answered(struct jepsen *s, const struct jepsen_function *f, struct call *call,
                     const struct jepsen_event *event, uint32_t value)
{
    const struct edn *e = &s->edn;
    if (jepsen_is_nil(s, value))
        return;
    uint32_t bare = edn_untag(e, value);
    bool set = e->nodes.at[bare].kind == EDN_SET;
    if (edn_is(e, event->f, EDN_KEYWORD, "inc") && (edn_is_sequence(e, bare) || e->nodes.at[bare].kind == EDN_MAP))
        EDN_FAULT_REMEDY(
            e, value, jepsen_read_workloads,
            "an :inc that returns more than a number, as the workload monotonic has it, which is not read");
    if (!set && repeats_arguments(s, f, call, event))
        return;
    call->result = set || edn_is_sequence(e, bare) ? edn_list(e, bare, s->h)
                                                   : edn_value(e, bare, s->h, "a single value");
}

/* The outcome has the accesses of the call, and the values that were read. */
static void committed(struct jepsen *s, struct call *call, const struct jepsen_event *event,
                      const struct arguments *args)
{
    const struct value *called = call->arity ? &s->calls.values.at[call->values_at] : NULL;
    uint32_t k = elle_difference(s->h, called, call->arity, args->at, args->n);
    if (k != ID_NONE) {
        bool row = k < args->n && jepsen_functions[call->kind].shape == SHAPE_TXN;
        uint32_t access = row ? edn_child(&s->edn, event->value, k / 3) : event->value;
        s->scratch.n = 0;
        elle_print_access(&s->scratch, s->h, k < call->arity ? &called[k] : NULL);
        text_puts(&s->scratch, ", found ");
        elle_print_access(&s->scratch, s->h, k < args->n ? &args->at[k] : NULL);
        EDN_FAULT_REMEDY(&s->edn, access, "the outcome has the call's keys and writes, and the values that it read",
                         "expected the transaction of the call, in line %" PRIu64 ": %s", call->at.line,
                         text_get(&s->scratch));
    }
    calls_arguments(&s->calls, call, args);
}

static void returned(struct jepsen *s, const struct jepsen_function *f, struct call *call,
                     const struct jepsen_event *event)
{
    uint32_t value = jepsen_bare_value(s, event);
    call->state = CALL_RETURNED;
    switch (f->shape) {
    case SHAPE_BARE: break;
    case SHAPE_WRITE: same_arguments(s, f, call, event); break;
    case SHAPE_CAS:
        same_arguments(s, f, call, event);
        if (!s->keyed)
            call->result = jepsen_word(s, "true");
        break;
    case SHAPE_TRANSFER:
        same_arguments(s, f, call, event);
        call->result = jepsen_word(s, "ok");
        break;
    case SHAPE_TXN: committed(s, call, event, jepsen_transaction(s, event, true)); break;
    case SHAPE_INSERT: committed(s, call, event, jepsen_insert(s, event, true)); break;
    case SHAPE_GENERATE:
        calls_arguments(&s->calls, call, jepsen_generated(s, f, event));
        call->result = jepsen_word(s, "true");
        break;
    case SHAPE_TEST: tested(s, f, call, event, value); break;
    case SHAPE_READ: was_read(s, f, call, event, value); break;
    case SHAPE_DRAIN: jepsen_drained(s, (uint32_t)(call - s->calls.all.at), event, value); break;
    case SHAPE_OTHER: answered(s, f, call, event, value); break;
    }
}

static void failed(struct jepsen *s, const struct jepsen_function *f, struct call *call,
                   const struct jepsen_event *event)
{
    call->state = CALL_DROPPED;
    if (f->families == JEPSEN_TXN) { /* another one may have read from it all the same */
        call->state = CALL_RETURNED;
        call->result = jepsen_word(s, "abort");
    }
    if (f->shape == SHAPE_CAS && s->failed_cas_observed && !s->keyed && event->value != ID_NONE &&
        jepsen_is_pair(s, event->value)) {
        same_arguments(s, f, call, event);
        call->state = CALL_RETURNED;
        call->result = jepsen_word(s, "false");
    }
}

static void end(struct jepsen *s, const struct jepsen_function *f, const struct jepsen_event *event, uint32_t process,
                int64_t time, enum jepsen_type type)
{
    const struct edn *e = &s->edn;
    struct call *call = calls_end(&s->calls, process, e->nodes.at[event->whole].at);
    call->returned = time;
    if (&jepsen_functions[call->kind] != f || (f->shape == SHAPE_OTHER && call->method != method_name(s, f, event)))
        EDN_FAULT(e, event->f == ID_NONE ? event->whole : event->f,
                  "expected the function of the call, in line %" PRIu64 ": %s", call->at.line,
                  call->kind == JEPSEN_OTHER ? history_text(s->h, call->method) : jepsen_functions[call->kind].name);
    if (type == JEPSEN_OK)
        returned(s, f, call, event);
    else if (type == JEPSEN_FAIL)
        failed(s, f, call, event);
}

/* Without processes a transaction is a session of its own: a call, and its outcome right behind it. An outcome without
 * a call stands for both. */
static uint32_t next_session(struct jepsen *s, const struct jepsen_event *event, enum jepsen_type type)
{
    bool open = s->sessions && s->calls.processes.at[s->session].open != ID_NONE;
    if (type == JEPSEN_INVOKE && open)
        EDN_FAULT_REMEDY(&s->edn, event->whole, "give each event its :process",
                         "a call before the outcome of the last one, and neither has a process");
    if (type != JEPSEN_INVOKE && open)
        return s->session;
    s->scratch.n = 0;
    text_printf(&s->scratch, "s%" PRIu32, s->sessions++);
    return s->session = calls_process(&s->calls, s->scratch.at, s->scratch.n);
}

static uint32_t process_of(struct jepsen *s, const struct jepsen_event *event, enum jepsen_type type)
{
    if (event->process == ID_NONE)
        return next_session(s, event, type);
    int64_t number = s->edn.nodes.at[event->process].integer;
    bool small = number >= 0 && number < JEPSEN_PROCESSES;
    if (small && s->process[number])
        return s->process[number] - 1;
    s->scratch.n = 0;
    text_int(&s->scratch, number);
    uint32_t process = calls_process(&s->calls, s->scratch.at, s->scratch.n);
    if (small)
        s->process[number] = process + 1;
    return process;
}

static int64_t time_of(struct jepsen *s, const struct jepsen_event *event)
{
    const struct edn *e = &s->edn;
    if (event->time == ID_NONE)
        return calls_time(&s->calls, NULL, e->nodes.at[event->whole].at);
    if (e->nodes.at[event->time].kind != EDN_INT)
        EDN_FAULT(e, event->time, "expected a time, a whole number");
    return calls_time(&s->calls, &e->nodes.at[event->time].integer, e->nodes.at[event->time].at);
}

static enum jepsen_type type_of(struct jepsen *s, const struct jepsen_event *event)
{
    static const char *const types[] = {
        [JEPSEN_INVOKE] = "invoke", [JEPSEN_OK] = "ok", [JEPSEN_FAIL] = "fail", [JEPSEN_INFO] = "info"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (edn_is(&s->edn, event->type, EDN_KEYWORD, types[i]))
            return (enum jepsen_type)i;
    EDN_FAULT(&s->edn, event->type, "expected :invoke, :ok, :fail or :info");
}

void jepsen_take(struct jepsen *s, const struct jepsen_event *event, uint32_t function, enum jepsen_type type)
{
    const struct jepsen_function *f = &jepsen_functions[function];
    uint32_t process = process_of(s, event, type);
    int64_t time = time_of(s, event);
    bool open = s->calls.processes.at[process].open != ID_NONE;
    if (type == JEPSEN_INVOKE)
        invoke(s, f, event, process, time);
    else if (!open && f->families == JEPSEN_TXN)
        invoke_unseen(s, f, event, process, time);
    if (type == JEPSEN_INVOKE && event->process != ID_NONE)
        called(s, event);
    if (type != JEPSEN_INVOKE)
        end(s, f, event, process, time, type);
}

/* Jepsen's processes are integers, those of clients, and the keyword :nemesis. Another keyword is that of a nemesis,
 * too, if it only tells: a client has calls. */
static bool is_nemesis(const struct edn *e, const struct jepsen_event *event)
{
    return edn_is(e, event->process, EDN_KEYWORD, "nemesis") ||
           (e->nodes.at[event->process].kind == EDN_KEYWORD && event->type != ID_NONE &&
            edn_is(e, event->type, EDN_KEYWORD, "info"));
}

void jepsen_event(struct jepsen *s, const struct jepsen_event *given)
{
    const struct edn *e = &s->edn;
    struct jepsen_event event = *given;
    if (event.process != ID_NONE && e->nodes.at[event.process].kind == EDN_NIL)
        event.process = ID_NONE; /* a record has all keys */
    if (event.process == ID_NONE && !elle_is_transaction(e, event.value))
        EDN_FAULT(e, given->process == ID_NONE ? event.whole : given->process,
                  "expected the event's process, as in `:process 0`");
    if (event.process != ID_NONE && is_nemesis(e, &event))
        return;
    if (event.process != ID_NONE && e->nodes.at[event.process].kind != EDN_INT)
        EDN_FAULT_REMEDY(e, event.process,
                         "number the clients; only :nemesis is skipped, and :info events of other keywords",
                         "expected the event's process, an integer or :nemesis");
    if (event.type == ID_NONE)
        EDN_FAULT(e, event.whole, "expected the event's type, as in `:type :invoke`");
    enum jepsen_type type = type_of(s, &event);
    jepsen_take(s, &event, find_function(s, &event), type);
}

void jepsen_map(struct jepsen *s, uint32_t node)
{
    const struct edn *e = &s->edn;
    struct jepsen_event event = {ID_NONE, ID_NONE, ID_NONE, ID_NONE, ID_NONE, ID_NONE, node};
    const struct {
        const char *key;
        uint32_t *to;
    } fields[] = {{"process", &event.process}, {"type", &event.type}, {"f", &event.f},
                  {"value", &event.value},     {"key", &event.key},   {"time", &event.time}};
    uint32_t map = edn_untag(e, node);
    if (e->nodes.at[map].kind != EDN_MAP)
        EDN_FAULT(e, node, "expected an event, as in {:process 0, :type :invoke, :f :read, :value nil}");
    for (uint32_t key = map + 1; key < e->nodes.at[map].end;) {
        uint32_t value = edn_behind(e, map, key);
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
            if (edn_is(e, key, EDN_KEYWORD, fields[i].key)) {
                if (*fields[i].to != ID_NONE)
                    edn_second(e, key);
                *fields[i].to = value;
            }
        key = e->nodes.at[value].end;
    }
    jepsen_event(s, &event);
}

static uint32_t field(struct jepsen *s, const char *what, const char *remedy)
{
    uint32_t node = edn_read(&s->edn);
    if (node == ID_NONE)
        FAULT_REMEDY(&s->c, s->c.p, remedy, "expected %s", what);
    return node;
}

void jepsen_fields(struct jepsen *s, const char *remedy)
{
    struct jepsen_event event = {.key = ID_NONE, .time = ID_NONE};
    edn_clear(&s->edn);
    event.whole = event.process = field(s, "a process", remedy);
    event.type = field(s, "a type: :invoke, :ok, :fail or :info", remedy);
    event.f = field(s, s->allowed == JEPSEN_ALL ? "a function" : "a function: :read, :write or :cas", remedy);
    event.value = field(s, "a value: nil, a number, [old new] or :timed-out", remedy);
    jepsen_event(s, &event);
}

/* ---- the whole log ---- */

void jepsen_start(struct jepsen *s, unsigned families, struct input *in, history *h, struct warnings *warnings,
                  assay_error *e)
{
    s->h = h;
    s->c = (struct cursor){.in = in, .e = e, .warnings = warnings, .line = {"", "", 0}, .p = ""};
    s->c.line.at = s->c.line.end = s->c.p;
    s->edn = (struct edn){.c = &s->c, .mem = &h->mem, .text = text_in(&h->mem)};
    s->calls = (struct calls){
        .c = &s->c, .h = h, .order_is_known = true, .remedy = "an :info event says that the outcome is unknown"};
    s->scratch = text_in(&h->mem);
    s->allowed = s->families = families;
}

static void header(struct jepsen *s, const char *key, const char *text)
{
    history_header(s->h, key, strlen(key), text, strlen(text), 0, 0, s->c.e);
}

/* Independent objects other than registers are objects with names: the first argument of their calls. */
static void name_objects(struct jepsen *s)
{
    for (uint32_t i = 0; i < s->calls.all.n; i++) {
        struct call *call = &s->calls.all.at[i];
        s->scratch.n = 0;
        token_print(&s->scratch, s->h, s->calls.values.at[call->values_at]);
        if (text_get(&s->scratch)[0] == '"')
            FAULT_AT(&s->c, call->at, "expected a key that is a word or an integer, to name the object");
        call->object = history_name(s->h, s->scratch.at, s->scratch.n);
        call->values_at++;
        call->arity--;
    }
}

/* An object that has functions which are not known here is found by the names of its methods. */
static void settle_object(struct jepsen *s)
{
    unsigned families = s->families, first = families & (0 - families);
    s->h->counts_elements = first == JEPSEN_QUEUE || first == JEPSEN_SET;
    if (!s->first_line || (s->has_other && first != families))
        return;
    s->h->adds_alone = families == (JEPSEN_SET | JEPSEN_COUNTER);
    if (s->h->adds_alone && s->c.warnings)
        warn(s->c.warnings, "%s: a log of adds alone fits a set and a counter: without -o it is read as one of a set",
             input_name(s->c.in));
    if (first != JEPSEN_REGISTER)
        header(s, "object", jepsen_object(first));
    else
        header(s, "object", s->keyed ? "memory" : s->has_cas ? "cas-register" : "register");
    if (first & (JEPSEN_REGISTER | JEPSEN_TXN))
        header(s, "init", s->has_init ? "0" : "nil"); /* a :read-init reads 0 at first */
    if (first == JEPSEN_TXN)
        elle_settle_lists(&s->calls);
}

void jepsen_end(struct jepsen *s)
{
    settle_object(s);
    if (s->keyed && !(s->families & JEPSEN_REGISTER))
        name_objects(s);
    jepsen_settle_drains(s);
    calls_build(&s->calls);
    mem_free(&s->h->mem, s->scratch.at);
    vec_free(&s->h->mem, &s->args);
    mem_free(&s->h->mem, s->edn.text.at);
    vec_free(&s->h->mem, &s->edn.nodes);
}
