/* SPDX-License-Identifier: Apache-2.0 */
#include "format/edn_plain.h"

enum value_form { VALUE_NIL, VALUE_NUMBER, VALUE_PAIR };

/* An event that is being read: the places of its parts (NULL: absent) and their meanings. */
struct event {
    const char *p;
    const char *whole, *process, *type, *f, *value, *time;
    int64_t process_number, time_number;
    uint32_t function;
    enum jepsen_type kind;
    enum value_form form;
    const char *inside[2]; /* of a pair */
    int64_t number[2];
};

/* ---- parts ---- */

static inline bool number(struct event *v, const char **at, int64_t *out)
{
    *at = v->p;
    return (v->p = plain_unpadded_number(v->p, out));
}

static inline bool type(struct event *v)
{
    v->type = v->p - 1;
    if (PLAIN(v, "invoke"))
        v->kind = JEPSEN_INVOKE;
    else if (PLAIN(v, "ok"))
        v->kind = JEPSEN_OK;
    else if (PLAIN(v, "fail"))
        v->kind = JEPSEN_FAIL;
    else if (PLAIN(v, "info"))
        v->kind = JEPSEN_INFO;
    else
        return false;
    return true;
}

static bool learn_function(void *jepsen, const char *p, size_t length, uint32_t id[2])
{
    id[0] = jepsen_function_find(((const struct jepsen *)jepsen)->allowed, p, length);
    return id[0] != JEPSEN_OTHER;
}

static inline bool function(struct edn_plain *s, struct event *v)
{
    struct plain_token t;
    v->f = v->p - 1;
    const uint32_t *id = plain_token(&v->p, '}', &t) ? plain_meaning(&s->functions, &t) : NULL;
    v->function = id ? *id : JEPSEN_OTHER;
    return id;
}

static inline bool value(struct event *v)
{
    v->value = v->p;
    v->form = VALUE_NIL;
    if (PLAIN(v, "nil"))
        return true;
    v->form = VALUE_NUMBER;
    if (*v->p != '[')
        return number(v, &v->value, &v->number[0]);
    v->p++;
    v->form = VALUE_PAIR;
    return number(v, &v->inside[0], &v->number[0]) && *v->p++ == ' ' && number(v, &v->inside[1], &v->number[1]) &&
           *v->p++ == ']';
}

/* A key and its value. The same key again is left to the form reader, which reports it. */
static inline bool part(struct edn_plain *s, struct event *v)
{
    const char *index_at;
    int64_t index;
    switch (v->p[1]) {
    case 'p': return !v->process && PLAIN(v, ":process ") && number(v, &v->process, &v->process_number);
    case 't':
        return PLAIN(v, ":type :") ? !v->type && type(v)
                                   : !v->time && PLAIN(v, ":time ") && number(v, &v->time, &v->time_number);
    case 'f': return !v->f && PLAIN(v, ":f :") && function(s, v);
    case 'v': return !v->value && PLAIN(v, ":value ") && value(v);
    case 'i': return PLAIN(v, ":index ") && number(v, &index_at, &index);
    default: return false;
    }
}

static inline bool read_event(struct edn_plain *s, const char *start, struct event *v)
{
    *v = (struct event){.p = start};
    v->p += *v->p == ' '; /* in a vector, from its second line on */
    v->whole = v->p;
    if (*v->p == '#' && !PLAIN(v, "#jepsen.history.Op"))
        return false;
    if (*v->p++ != '{')
        return false;
    while (part(s, v)) {
        if (PLAIN(v, "}\n"))
            return v->process && v->type && v->f;
        if (!PLAIN(v, ", "))
            return false;
    }
    return false;
}

/* ---- nodes ---- */

static inline uint32_t put(struct edn *e, enum edn_kind kind, const char *where, int64_t integer)
{
    if (!where)
        return ID_NONE;
    edn_add(e, kind, where)->integer = integer;
    return e->nodes.n - 1;
}

static inline uint32_t put_value(struct edn *e, const struct event *v)
{
    static const enum edn_kind kinds[] = {[VALUE_NIL] = EDN_NIL, [VALUE_NUMBER] = EDN_INT, [VALUE_PAIR] = EDN_VECTOR};
    uint32_t node = put(e, kinds[v->form], v->value, v->number[0]);
    for (int i = 0; v->form == VALUE_PAIR && i < 2; i++)
        e->nodes.at[node].end = 1 + put(e, EDN_INT, v->inside[i], v->number[i]);
    return node;
}

static inline void take_event(struct jepsen *j, const struct event *v)
{
    struct edn *e = &j->edn;
    edn_clear(e);
    struct jepsen_event nodes = {.type = ID_NONE, .key = ID_NONE};
    nodes.whole = put(e, EDN_MAP, v->whole, 0);
    nodes.process = put(e, EDN_INT, v->process, v->process_number);
    nodes.f = put(e, EDN_KEYWORD, v->f, 0);
    nodes.value = put_value(e, v);
    nodes.time = put(e, EDN_INT, v->time, v->time_number);
    jepsen_take(j, &nodes, v->function, v->kind);
}

/* ---- lines ---- */

/* The first call is left to the form reader: it decides about the object and its keys. */
uint64_t edn_plain_lines(struct edn_plain *s, struct jepsen *j)
{
    struct cursor *c = &j->c;
    struct event v;
    if (!j->first_line || !plain_wait_over(&s->wait))
        return 0;
    s->functions.owner = j;
    s->functions.learn = learn_function;
    s->functions.known = (struct seen){s->seen, EDN_PLAIN_BITS};
    uint64_t first = input_lines(c->in), line = first;
    const char *from = input_window(c->in), *p = from;
    for (; read_event(s, p, &v); p = v.p) {
        c->line = (struct line){p, v.p - 1, ++line, false, false};
        c->p = c->line.end;
        take_event(j, &v);
    }
    input_skip(c->in, (size_t)(p - from), line - first);
    plain_waited(&s->wait, line - first);
    return line - first;
}
