/* SPDX-License-Identifier: Apache-2.0 */
/* The events of a log become operations as follows:
 *
 *   ok     the call returned; this event has a read's result and the values that a transaction read.
 *   fail   the call did not happen, and is dropped (unless the log says that a failed cas saw
 *          another value). A transaction is kept as aborted.
 *   info   the outcome is unknown; it is pending for ever. So is a call without a second event.
 *
 * A read that was not answered has no effect and is dropped. Events of a process that is not a number, such as
 * :nemesis, are none of the object's.
 *
 * The functions decide which object it is, so those of a log must belong to one object. */
#include "format/jepsen.h"

#include <inttypes.h>
#include <string.h>

enum shape {
    SHAPE_READ,  /* no argument; the second event has the result */
    SHAPE_WRITE, /* the value is the argument; no result */
    SHAPE_CAS,   /* [old new] */
    SHAPE_TEST,  /* the value is the argument; the second event may have true or false */
    SHAPE_BARE,  /* neither argument nor result */
    SHAPE_TXN,   /* a row of [f key value] */
};

struct function {
    const char *name;
    enum jepsen_family family;
    enum shape shape;
    const char *method;
    bool reads_only; /* unanswered, it says nothing */
};

static const struct function functions[] = {
    {"read", JEPSEN_REGISTER, SHAPE_READ, "read", true},
    {"write", JEPSEN_REGISTER, SHAPE_WRITE, "write", false},
    {"cas", JEPSEN_REGISTER, SHAPE_CAS, "cas", false},
    {"get", JEPSEN_APPEND_MAP, SHAPE_READ, "get", true},
    {"put", JEPSEN_APPEND_MAP, SHAPE_WRITE, "put", false},
    {"append", JEPSEN_APPEND_MAP, SHAPE_WRITE, "append", false},
    {"add", JEPSEN_SET, SHAPE_TEST, "add", false},
    {"remove", JEPSEN_SET, SHAPE_TEST, "remove", false},
    {"contains", JEPSEN_SET, SHAPE_TEST, "contains", true},
    {"enqueue", JEPSEN_QUEUE, SHAPE_WRITE, "enq", false},
    {"dequeue", JEPSEN_QUEUE, SHAPE_READ, "deq", false},
    {"push", JEPSEN_STACK, SHAPE_WRITE, "push", false},
    {"pop", JEPSEN_STACK, SHAPE_READ, "pop", false},
    {"acquire", JEPSEN_SEMAPHORE, SHAPE_BARE, "acquire", false},
    {"release", JEPSEN_SEMAPHORE, SHAPE_BARE, "release", false},
    {"lock", JEPSEN_LOCK, SHAPE_BARE, "lock", false},
    {"unlock", JEPSEN_LOCK, SHAPE_BARE, "unlock", false},
    {"txn", JEPSEN_TXN, SHAPE_TXN, "txn", false},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions, TXN = FUNCTIONS - 1 };
_Static_assert(sizeof functions / sizeof *functions <= JEPSEN_FUNCTIONS, "the names of all methods are remembered");

static const char *const objects[] = {
    [JEPSEN_REGISTER] = "register", [JEPSEN_APPEND_MAP] = "append-map", [JEPSEN_SET] = "set",
    [JEPSEN_QUEUE] = "queue",       [JEPSEN_STACK] = "stack",           [JEPSEN_SEMAPHORE] = "semaphore(1)",
    [JEPSEN_LOCK] = "lock",         [JEPSEN_TXN] = "multi-register",
};

/* ---- the function ---- */

uint32_t jepsen_function(const struct jepsen *s, const char *name, size_t length)
{
    for (uint32_t i = 0; i < FUNCTIONS; i++)
        if (*name == *functions[i].name && length == strlen(functions[i].name) &&
            memcmp(name, functions[i].name, length) == 0 && (!s->allowed || s->allowed == functions[i].family))
            return i;
    return ID_NONE;
}

static uint32_t find_function(struct jepsen *s, const struct jepsen_event *event)
{
    const struct edn *e = &s->edn;
    if (event->f == ID_NONE || e->nodes.at[event->f].kind == EDN_NIL) {
        if (elle_is_transaction(e, event->value))
            return TXN;
        EDN_FAULT(e, event->whole, "expected the event's function, as in `:f :read`");
    }
    if (e->nodes.at[event->f].kind != EDN_KEYWORD)
        EDN_FAULT(e, event->f, "expected a function, as in `:f :read`");
    uint32_t length = e->nodes.at[event->f].length, found = jepsen_function(s, edn_text(e, event->f), length);
    if (found != ID_NONE)
        return found;
    EDN_FAULT_REMEDY(e, event->f,
                     s->allowed == JEPSEN_APPEND_MAP ? "known are get, put, append"
                     : s->allowed                    ? "known are read, write, cas"
                                                     : "known are read, write, cas; get, put, append; add, remove, "
                                                       "contains; enqueue, dequeue; push, pop; acquire, release; "
                                                       "lock, unlock; txn",
                     "unknown function :%.*s", (int)(length < 40 ? length : 40), edn_text(e, event->f));
}

/* Jepsen writes a pair of an independent key and a value as a map entry. */
static bool is_tagged_pair(struct jepsen *s, uint32_t value)
{
    const struct edn *e = &s->edn;
    const struct edn_node *tag = &e->nodes.at[value];
    static const char entry[] = "MapEntry", tuple[] = "tuple";
    if (tag->kind != EDN_TAG)
        return false;
    const char *end = edn_text(e, value) + tag->length;
    return (tag->length >= sizeof entry - 1 && memcmp(end - (sizeof entry - 1), entry, sizeof entry - 1) == 0) ||
           (tag->length >= sizeof tuple - 1 && memcmp(end - (sizeof tuple - 1), tuple, sizeof tuple - 1) == 0);
}

static bool is_pair(struct jepsen *s, uint32_t value)
{
    return edn_is_sequence(&s->edn, value) && edn_count(&s->edn, value) == 2;
}

/* Is the value of this call a pair of a key and a value? */
static bool has_key(struct jepsen *s, const struct function *f, uint32_t value)
{
    if (value == ID_NONE || f->family == JEPSEN_TXN || f->family == JEPSEN_APPEND_MAP)
        return false;
    if (is_tagged_pair(s, value))
        return is_pair(s, edn_untag(&s->edn, value));
    if (f->family != JEPSEN_REGISTER || !is_pair(s, value))
        return false;
    return f->shape != SHAPE_CAS || is_pair(s, edn_child(&s->edn, value, 1));
}

/* The first call decides about object and keys; the others must agree. */
static void agree(struct jepsen *s, const struct function *f, const struct jepsen_event *event)
{
    bool keyed = has_key(s, f, event->value);
    uint32_t where = event->value == ID_NONE ? event->whole : event->value;
    if (!s->family) {
        s->family = f->family;
        s->family_line = s->edn.nodes.at[event->whole].at.line;
        s->keyed = keyed;
    }
    if (s->family != f->family)
        EDN_FAULT(&s->edn, event->f == ID_NONE ? event->whole : event->f,
                  "the function :%s is one of a %s, but that of line %" PRIu64 " is one of a %s", f->name,
                  objects[f->family], s->family_line, objects[s->family]);
    if (s->keyed && !keyed)
        EDN_FAULT(&s->edn, where, "expected a pair [key value], as in line %" PRIu64, s->family_line);
    if (!s->keyed && keyed && f->shape != SHAPE_CAS)
        EDN_FAULT(&s->edn, where, "expected a single value, as in line %" PRIu64 ", found a pair [key value]",
                  s->family_line);
    s->has_cas |= f->shape == SHAPE_CAS;
}

/* ---- values ---- */

static struct value value_at(struct jepsen *s, const struct jepsen_event *event, uint32_t node, const char *what)
{
    if (node == ID_NONE)
        EDN_FAULT(&s->edn, event->whole, "expected %s", what);
    return edn_value(&s->edn, node, s->h, what);
}

static bool is_nil(struct jepsen *s, uint32_t node)
{
    return node == ID_NONE || s->edn.nodes.at[edn_untag(&s->edn, node)].kind == EDN_NIL;
}

static struct value word_value(struct jepsen *s, const char *word)
{
    return (struct value){history_name(s->h, word, strlen(word)), ASSAY_WORD};
}

/* The value without its key. */
static uint32_t bare_value(struct jepsen *s, const struct jepsen_event *event)
{
    if (!s->keyed || event->value == ID_NONE)
        return event->value;
    uint32_t pair = edn_untag(&s->edn, event->value);
    if (!is_pair(s, pair))
        EDN_FAULT(&s->edn, event->value, "expected a pair [key value]");
    return edn_child(&s->edn, pair, 1);
}

static uint32_t key_of(struct jepsen *s, const struct jepsen_event *event)
{
    if (s->keyed)
        return edn_child(&s->edn, edn_untag(&s->edn, event->value), 0);
    if (s->family == JEPSEN_APPEND_MAP && event->key == ID_NONE)
        EDN_FAULT(&s->edn, event->whole, "expected the operation's key, as in `:key \"k\"`");
    return s->family == JEPSEN_APPEND_MAP ? event->key : ID_NONE;
}

static void argument(struct jepsen *s, struct value v)
{
    vec_push(&s->h->mem, &s->args, v);
}

/* The values that a call will read are not known yet. */
static const struct arguments *transaction(struct jepsen *s, const struct jepsen_event *event, bool known)
{
    const struct edn *e = &s->edn;
    uint32_t list = event->value;
    vec_clear(&s->args);
    if (list == ID_NONE || !edn_is_sequence(e, list))
        EDN_FAULT(e, list == ID_NONE ? event->whole : list, "expected a transaction, as in [[:r x nil] [:w y 2]]");
    elle_arguments(e, list, known, s->h, &s->args);
    return &s->args;
}

/* The call's own arguments; a key comes first. */
static const struct arguments *arguments(struct jepsen *s, const struct function *f, const struct jepsen_event *event)
{
    const struct edn *e = &s->edn;
    uint32_t value;
    if (f->shape == SHAPE_TXN)
        return transaction(s, event, false);
    vec_clear(&s->args);
    if ((s->family == JEPSEN_REGISTER && s->keyed) || s->family == JEPSEN_APPEND_MAP)
        argument(s, edn_value(e, key_of(s, event), s->h, "a key"));
    value = bare_value(s, event);
    if (f->shape == SHAPE_CAS) {
        uint32_t pair = value == ID_NONE ? ID_NONE : edn_untag(e, value);
        if (pair == ID_NONE || !is_pair(s, pair))
            EDN_FAULT(e, value == ID_NONE ? event->whole : value, "expected the value of a cas, [old new]");
        argument(s, edn_value(e, edn_child(e, pair, 0), s->h, "the old value"));
        argument(s, edn_value(e, edn_child(e, pair, 1), s->h, "the new value"));
    } else if (f->shape == SHAPE_WRITE || f->shape == SHAPE_TEST) {
        argument(s, value_at(s, event, value, "a single value"));
    }
    return &s->args;
}

/* Independent objects other than registers are objects with names. */
static uint32_t object_of(struct jepsen *s, const struct jepsen_event *event)
{
    if (!s->keyed || s->family == JEPSEN_REGISTER)
        return ID_NONE;
    uint32_t key = key_of(s, event);
    s->scratch.n = 0;
    token_print(&s->scratch, s->h, edn_value(&s->edn, key, s->h, "a key"));
    const char *text = text_get(&s->scratch);
    if (text[0] == '"')
        EDN_FAULT(&s->edn, key, "expected a key that is a word or an integer, to name the object");
    return history_name(s->h, text, s->scratch.n);
}

/* ---- events ---- */

static uint32_t method_name(struct jepsen *s, const struct function *f)
{
    uint32_t *known = &s->method[f - functions]; /* whether there are keys has been decided */
    const char *name = f->shape == SHAPE_CAS && s->keyed ? "rmw" : f->method;
    if (!*known)
        *known = 1 + history_name(s->h, name, strlen(name));
    return *known - 1;
}

static void invoke(struct jepsen *s, const struct function *f, const struct jepsen_event *event, uint32_t process,
                   int64_t time)
{
    agree(s, f, event);
    struct call *call = calls_begin(&s->calls, process, time, s->edn.nodes.at[event->whole].at);
    call->kind = (uint8_t)(f - functions);
    call->method = method_name(s, f);
    call->object = object_of(s, event);
    calls_arguments(&s->calls, call, arguments(s, f, event));
    if (f->reads_only)
        call->state = CALL_DROPPED; /* until it is answered */
}

/* The second event of a call repeats its arguments, or has none. */
static void same_arguments(struct jepsen *s, const struct function *f, const struct call *call,
                           const struct jepsen_event *event)
{
    if (is_nil(s, bare_value(s, event)))
        return;
    const struct arguments *args = arguments(s, f, event);
    for (uint32_t i = 0; i < args->n; i++)
        if (!value_same(args->at[i], s->calls.values.at[call->values_at + i]))
            EDN_FAULT(&s->edn, event->value, "expected the value of the call, in line %" PRIu64, call->at.line);
}

static void returned(struct jepsen *s, const struct function *f, struct call *call, const struct jepsen_event *event)
{
    const struct edn *e = &s->edn;
    uint32_t value = bare_value(s, event);
    call->state = CALL_RETURNED;
    switch (f->shape) {
    case SHAPE_BARE: break;
    case SHAPE_WRITE: same_arguments(s, f, call, event); break;
    case SHAPE_CAS:
        same_arguments(s, f, call, event);
        if (!s->keyed)
            call->result = word_value(s, "true");
        break;
    case SHAPE_TXN: calls_arguments(&s->calls, call, transaction(s, event, true)); break;
    case SHAPE_TEST:
        if (value != ID_NONE && (edn_is(e, value, EDN_SYMBOL, "true") || edn_is(e, value, EDN_SYMBOL, "false")))
            call->result = edn_value(e, value, s->h, "true or false");
        else if (f->reads_only)
            EDN_FAULT(e, value == ID_NONE ? event->whole : value, "expected true or false");
        else
            same_arguments(s, f, call, event);
        break;
    case SHAPE_READ:
        same_arguments(s, f, call, event); /* the key, if there is one */
        if (!is_nil(s, value))
            call->result = edn_value(e, value, s->h, "the value that was read");
        else if (s->family == JEPSEN_REGISTER && s->nil_says_nothing)
            call->state = CALL_DROPPED;
        else if (s->family == JEPSEN_REGISTER)
            call->result = word_value(s, "nil");
        else if (s->family == JEPSEN_APPEND_MAP)
            EDN_FAULT(e, value == ID_NONE ? event->whole : value, "expected the value that was read");
        else
            call->result = word_value(s, "empty");
    }
}

static void failed(struct jepsen *s, const struct function *f, struct call *call, const struct jepsen_event *event)
{
    call->state = CALL_DROPPED;
    if (f->shape == SHAPE_TXN) { /* another one may have read from it all the same */
        call->state = CALL_RETURNED;
        call->result = word_value(s, "abort");
    }
    if (f->shape == SHAPE_CAS && s->failed_cas_observed && !s->keyed && event->value != ID_NONE &&
        is_pair(s, event->value)) {
        same_arguments(s, f, call, event);
        call->state = CALL_RETURNED;
        call->result = word_value(s, "false");
    }
}

static void end(struct jepsen *s, const struct function *f, const struct jepsen_event *event, uint32_t process,
                int64_t time, enum jepsen_type type)
{
    const struct edn *e = &s->edn;
    struct call *call = calls_end(&s->calls, process, e->nodes.at[event->whole].at);
    call->returned = time;
    if (&functions[call->kind] != f)
        EDN_FAULT(e, event->f == ID_NONE ? event->whole : event->f,
                  "expected the function of the call, in line %" PRIu64 ": %s", call->at.line,
                  functions[call->kind].name);
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
    const struct function *f = &functions[function];
    uint32_t process = process_of(s, event, type);
    int64_t time = time_of(s, event);
    bool called = event->process != ID_NONE || s->calls.processes.at[process].open != ID_NONE;
    if (type == JEPSEN_INVOKE || !called)
        invoke(s, f, event, process, time);
    if (type != JEPSEN_INVOKE)
        end(s, f, event, process, time, type);
}

void jepsen_event(struct jepsen *s, const struct jepsen_event *event)
{
    const struct edn *e = &s->edn;
    bool alone = event->process == ID_NONE && elle_is_transaction(e, event->value);
    if (event->process == ID_NONE && !alone)
        EDN_FAULT(e, event->whole, "expected the event's process, as in `:process 0`");
    if (!alone && e->nodes.at[event->process].kind != EDN_INT)
        return;
    if (event->type == ID_NONE)
        EDN_FAULT(e, event->whole, "expected the event's type, as in `:type :invoke`");
    enum jepsen_type type = type_of(s, event);
    jepsen_take(s, event, find_function(s, event), type);
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
        uint32_t value = e->nodes.at[key].end;
        if (value >= e->nodes.at[map].end)
            EDN_FAULT(e, key, "expected a value behind this key");
        for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
            if (edn_is(e, key, EDN_KEYWORD, fields[i].key))
                *fields[i].to = value;
        key = e->nodes.at[value].end;
    }
    jepsen_event(s, &event);
}

/* ---- the whole log ---- */

void jepsen_start(struct jepsen *s, struct input *in, history *h, struct warnings *warnings, assay_error *e)
{
    s->h = h;
    s->c = (struct cursor){.in = in, .e = e, .warnings = warnings, .line = {"", "", 0}, .p = ""};
    s->c.line.at = s->c.line.end = s->c.p;
    s->edn = (struct edn){.c = &s->c, .mem = &h->mem, .text = text_in(&h->mem)};
    s->calls = (struct calls){.c = &s->c, .h = h};
    s->scratch = text_in(&h->mem);
}

static void header(struct jepsen *s, const char *key, const char *text)
{
    history_header(s->h, key, strlen(key), text, strlen(text), 0, 0, s->c.e);
}

void jepsen_end(struct jepsen *s)
{
    bool registers = s->family == JEPSEN_REGISTER;
    if (registers && s->keyed)
        header(s, "object", "memory");
    else if (registers && s->has_cas)
        header(s, "object", "cas-register");
    else if (s->family)
        header(s, "object", objects[s->family]);
    if (registers || s->family == JEPSEN_TXN)
        header(s, "init", "nil");
    if (s->family == JEPSEN_TXN)
        elle_settle_lists(&s->calls);
    calls_build(&s->calls);
    mem_free(&s->h->mem, s->scratch.at);
    vec_free(&s->h->mem, &s->args);
    mem_free(&s->h->mem, s->edn.text.at);
    vec_free(&s->h->mem, &s->edn.nodes);
}
