/* SPDX-License-Identifier: Apache-2.0 */
/* The words are Jepsen's:
 *
 *   lost        of a queue: acknowledged and never dequeued, although a later dequeue found the queue empty.
 *               Of a set: known, and missing from a read that began later; no read that began after that one has it.
 *   stale       of a set: known, and missing from a read that began later; but a read that began after that one has it.
 *   recovered   seen, although its add had no outcome.
 *   unexpected  seen, although no add of it can have happened. A call that failed did not happen.
 *   duplicated  dequeued more often than enqueued; twice in one read; or added twice by calls that both say it was new.
 *
 * An element is known once an add of it, or a read that has it, has returned. Where elements are removed, a missing one
 * says nothing. The rows of such a log are in the order of their calls. */
#include "report/elements.h"

#include "history/token.h"
#include "history/value_ids.h"

#include <string.h>

enum word { LOST, UNEXPECTED, DUPLICATED, RECOVERED, STALE, WORDS };

static const char *const words[WORDS] = {"lost", "unexpected", "duplicated", "recovered", "stale"};

enum { FEW_NAMES = 10 };

struct element {
    uint32_t object;
    struct value value;
    uint32_t added, acknowledged, out; /* how often; out: dequeued */
    uint32_t fresh;                    /* adds that say it was new */
    int64_t known, settled;            /* the first and the last time at which it became so; INT64_MAX: never */
    uint32_t present, absent;          /* the last read, by its row, that has it or misses it */
    uint32_t mark;                     /* the read that was looked at last */
    bool twice;                        /* in one read */
};

struct holder {
    int64_t emptied;  /* the latest call that found the queue empty */
    uint32_t unknown; /* dequeues without an outcome */
    bool removes;
};

struct counting {
    const history *h;
    struct mem *m;
    struct value_ids values;
    struct idmap place, object_place;
    VEC(struct element) all;
    VEC(struct holder) objects;
    VEC(uint32_t) rest; /* elements that the reads looked at so far have */
    uint32_t attempts, acknowledged, failed, unknown;
    VEC(uint32_t) of[WORDS];
};

static uint32_t object_of(struct counting *c, uint32_t op)
{
    uint32_t *at = idmap_at(c->m, &c->object_place, history_object_of(c->h, op));
    if (*at == ID_NONE) {
        *at = c->objects.n;
        vec_push(c->m, &c->objects, ((struct holder){.emptied = INT64_MIN}));
    }
    return *at;
}

static struct element *element(struct counting *c, uint32_t op, struct value value)
{
    uint64_t key = (uint64_t)object_of(c, op) << 32 | value_id(c->m, &c->values, value);
    uint32_t *at = idmap_at(c->m, &c->place, key);
    if (*at == ID_NONE) {
        struct element fresh = {.object = history_object_of(c->h, op),
                                .value = value,
                                .known = INT64_MAX,
                                .settled = INT64_MIN,
                                .present = ID_NONE,
                                .absent = ID_NONE,
                                .mark = ID_NONE};
        *at = c->all.n;
        vec_push(c->m, &c->all, fresh);
    }
    return &c->all.at[*at];
}

static bool is_method(const history *h, uint32_t op, const char *name)
{
    return strcmp(history_text(h, h->method[op]), name) == 0;
}

/* Calls that failed were attempted, too, and did nothing. */
static void count_failed(struct counting *c, const char *method)
{
    const history *h = c->h;
    for (uint32_t i = 0; i < h->silent_calls.n; i++) {
        const struct silent_call *x = &h->silent_calls.at[i];
        bool counts = x->failed && x->arg.kind != ASSAY_NONE && strcmp(history_text(h, x->method), method) == 0;
        c->attempts += counts;
        c->failed += counts;
    }
}

static bool is_word(const history *h, struct value v, const char *word)
{
    return v.kind == ASSAY_WORD && strcmp(history_text(h, (uint32_t)v.bits), word) == 0;
}

static void become_known(struct element *x, int64_t time)
{
    if (time < x->known)
        x->known = time;
    if (time > x->settled)
        x->settled = time;
}

static void take_add(struct counting *c, uint32_t op)
{
    const history *h = c->h;
    struct element *x = element(c, op, history_arg(h, op, 0));
    bool pending = history_pending(h, op);
    c->attempts++;
    c->acknowledged += !pending;
    x->added++;
    x->acknowledged += !pending;
    x->fresh += is_word(h, history_result(h, op), "true");
    if (!pending)
        become_known(x, h->ret[op]);
}

/* ---- queues ---- */

static void take_dequeue(struct counting *c, uint32_t op)
{
    uint32_t object = object_of(c, op);
    struct holder *o = &c->objects.at[object];
    struct value v = history_result(c->h, op);
    if (history_pending(c->h, op))
        o->unknown++;
    else if (!is_word(c->h, v, "empty"))
        element(c, op, v)->out++;
    else if (c->h->call[op] > o->emptied)
        o->emptied = c->h->call[op];
}

static void say(struct counting *c, enum word word, uint32_t element, uint32_t times)
{
    for (uint32_t i = 0; i < times; i++)
        vec_push(c->m, &c->of[word], element);
}

static uint32_t above(uint32_t a, uint32_t b)
{
    return a > b ? a - b : 0;
}

static void judge_queue(struct counting *c)
{
    const history *h = c->h;
    for (uint32_t op = 0; op < h->n; op++)
        if (is_method(h, op, "enq") && history_arity(h, op))
            take_add(c, op);
        else if (is_method(h, op, "deq"))
            take_dequeue(c, op);
    count_failed(c, "enq");
    for (uint32_t i = 0; i < c->all.n; i++) {
        const struct element *x = &c->all.at[i];
        struct holder *o = &c->objects.at[idmap_get(&c->object_place, x->object)];
        uint32_t missing = x->settled < o->emptied ? above(x->acknowledged, x->out) : 0;
        uint32_t seen = x->out < x->added ? x->out : x->added;
        say(c, LOST, i, missing);
        say(c, UNEXPECTED, i, x->added ? 0 : x->out);
        say(c, DUPLICATED, i, x->added ? above(x->out, x->added) : 0);
        say(c, RECOVERED, i, above(seen, x->acknowledged));
        c->unknown += missing ? o->unknown : 0;
        o->unknown = missing ? 0 : o->unknown; /* counted once */
    }
}

/* ---- sets ---- */

static void take_read(struct counting *c, uint32_t op)
{
    const history *h = c->h;
    const struct list_value *list = h->lists.all.at[history_result(h, op).bits];
    for (; list->before; list = list->before) {
        struct element *x = element(c, op, list->last);
        x->twice |= x->mark == op;
        x->mark = x->present = op;
        become_known(x, h->ret[op]);
    }
}

static void note_remove(struct counting *c, uint32_t op)
{
    uint32_t object = object_of(c, op);
    c->objects.at[object].removes = true;
}

static bool is_read(const history *h, uint32_t op)
{
    return is_method(h, op, "read") && !history_pending(h, op) && history_result(h, op).kind == ASSAY_LIST;
}

/* The last read that misses each element, from the last read on: only those that all reads so far have are left. */
static void find_absent(struct counting *c, const uint32_t *ops, uint32_t n)
{
    const history *h = c->h;
    for (uint32_t i = n; i-- > 0 && c->rest.n;) {
        const struct list_value *list = h->lists.all.at[history_result(h, ops[i]).bits];
        for (; list->before; list = list->before)
            element(c, ops[i], list->last)->mark = ops[i];
        uint32_t left = 0;
        for (uint32_t k = 0; k < c->rest.n; k++) {
            struct element *x = &c->all.at[c->rest.at[k]];
            if (x->mark == ops[i])
                c->rest.at[left++] = c->rest.at[k];
            else
                x->absent = ops[i];
        }
        c->rest.n = left;
    }
}

/* The reads and the elements of each object. */
static void find_absent_of_each(struct counting *c)
{
    const history *h = c->h;
    uint32_t *by_op = mem_new_ids(c->m, h->n + 1), *by_element = mem_new_ids(c->m, c->all.n + 1);
    for (uint32_t op = 0; op < h->n; op++)
        if (is_read(h, op))
            by_op[op] = object_of(c, op);
    for (uint32_t i = 0; i < c->all.n; i++)
        by_element[i] = idmap_get(&c->object_place, c->all.at[i].object);
    struct groups reads = group_by(by_op, h->n, c->objects.n, c->m);
    struct groups elements = group_by(by_element, c->all.n, c->objects.n, c->m);
    for (uint32_t o = 0; o < c->objects.n; o++) {
        vec_clear(&c->rest);
        for (uint32_t i = elements.at[o]; i < elements.at[o + 1]; i++) {
            c->all.at[elements.list[i]].mark = ID_NONE;
            vec_push(c->m, &c->rest, elements.list[i]);
        }
        find_absent(c, reads.list + reads.at[o], reads.at[o + 1] - reads.at[o]);
    }
    groups_free(&reads, c->m);
    groups_free(&elements, c->m);
    mem_free(c->m, by_op);
    mem_free(c->m, by_element);
}

static void judge_set(struct counting *c)
{
    const history *h = c->h;
    for (uint32_t op = 0; op < h->n; op++)
        if (is_method(h, op, "add") && history_arity(h, op))
            take_add(c, op);
        else if (is_method(h, op, "remove"))
            note_remove(c, op);
        else if (is_read(h, op))
            take_read(c, op);
    count_failed(c, "add");
    find_absent_of_each(c);
    for (uint32_t i = 0; i < c->all.n; i++) {
        const struct element *x = &c->all.at[i];
        bool removes = c->objects.at[idmap_get(&c->object_place, x->object)].removes;
        bool missed = x->added && !removes && x->absent != ID_NONE && h->call[x->absent] > x->known;
        bool later = x->present != ID_NONE && x->absent != ID_NONE && x->present > x->absent;
        say(c, LOST, i, missed && !later);
        say(c, STALE, i, missed && later);
        say(c, UNEXPECTED, i, x->present != ID_NONE && !x->added);
        say(c, RECOVERED, i, x->present != ID_NONE && x->added && !x->acknowledged);
        say(c, DUPLICATED, i, x->twice || (!removes && x->fresh > 1));
    }
}

/* ---- telling ---- */

static bool count_elements(const result *r, struct mem *m, struct counting *c)
{
    *c = (struct counting){.h = r->h, .m = m};
    bool queue = strcmp(r->object, "queue") == 0;
    if (r->verdict != ASSAY_VIOLATION || !r->h->counts_elements || !r->h->call ||
        !(queue || strcmp(r->object, "set") == 0))
        return false;
    if (queue)
        judge_queue(c);
    else
        judge_set(c);
    uint32_t any = 0;
    for (int w = 0; w < WORDS; w++)
        any += c->of[w].n;
    return any > 0;
}

static void done(struct counting *c)
{
    value_ids_free(c->m, &c->values);
    idmap_free(c->m, &c->place);
    idmap_free(c->m, &c->object_place);
    vec_free(c->m, &c->all);
    vec_free(c->m, &c->objects);
    vec_free(c->m, &c->rest);
    for (int w = 0; w < WORDS; w++)
        vec_free(c->m, &c->of[w]);
}

static void name_element(const struct counting *c, uint32_t element, struct text *out)
{
    const struct element *x = &c->all.at[element];
    if (x->object != ID_NONE)
        text_printf(out, "%s.", history_text(c->h, x->object));
    token_print(out, c->h, x->value);
}

void elements_tell(const result *r, bool all, struct text *out)
{
    struct counting c;
    if (count_elements(r, out->mem, &c)) {
        text_printf(out, "  elements, in Jepsen's words: %u attempted, %u acknowledged", (unsigned)c.attempts,
                    (unsigned)c.acknowledged);
        if (c.failed)
            text_printf(out, ", %u failed", (unsigned)c.failed);
        for (int w = 0; w < WORDS; w++) {
            if (c.of[w].n)
                text_printf(out, "; %u %s:", (unsigned)c.of[w].n, words[w]);
            for (uint32_t i = 0; i < c.of[w].n && (all || i < FEW_NAMES); i++) {
                text_char(out, ' ');
                name_element(&c, c.of[w].at[i], out);
            }
            text_puts(out, !all && c.of[w].n > FEW_NAMES ? " ..." : "");
        }
        if (c.unknown)
            text_printf(out, "\n    %u dequeue%s of unknown outcome may have taken lost ones", (unsigned)c.unknown,
                        c.unknown > 1 ? "s" : "");
        text_char(out, '\n');
    }
    done(&c);
}

void elements_json(const result *r, struct text *out)
{
    struct counting c;
    if (count_elements(r, out->mem, &c)) {
        text_printf(out, ",\"elements\":{\"attempted\":%u,\"acknowledged\":%u,\"failed\":%u,\"perhaps_taken\":%u",
                    (unsigned)c.attempts, (unsigned)c.acknowledged, (unsigned)c.failed, (unsigned)c.unknown);
        for (int w = 0; w < WORDS; w++) {
            text_printf(out, ",\"%s\":[", words[w]);
            for (uint32_t i = 0; i < c.of[w].n; i++) {
                struct text name = text_in(out->mem);
                name_element(&c, c.of[w].at[i], &name);
                text_puts(out, i ? "," : "");
                text_json(out, text_get(&name), name.n);
                mem_free(out->mem, name.at);
            }
            text_char(out, ']');
        }
        text_char(out, '}');
    }
    done(&c);
}
