/* SPDX-License-Identifier: Apache-2.0 */
/* The states of the objects along an order of operations. Each operation takes its step in a state of its part, which
 * then is told in words. There is one part per object, or one per key where all calls of the object name a key.
 *
 * Of a violation the states at the end of the order are shown, since there it breaks; of a consistent history those at
 * its beginning. A weaker model than linearizability may have an order that the specification refuses. Such an order
 * has no states from there on. */
#include "base/hash.h"
#include "report/html.h"
#include "spec/setting_by_key.h"

#include <string.h>

enum {
    MOST_STATES = 400,
    LONGEST_STATE = 160, /* bytes */
};

struct state {
    const assay_spec *spec;
    void *at; /* NULL: it could not take a step */
};

struct walk {
    const history *h;
    const struct objects *objects;
    struct mem *mem;
    bool *whole;                   /* of each object: some call names no key */
    struct setting_by_key *by_key; /* of each object */
    struct value_ids *keys;        /* of each object */
    struct idmap place;            /* object and key -> a state */
    VEC(struct state) states;
};

static uint32_t object_of(const struct walk *w, uint32_t op)
{
    return w->objects->of ? w->objects->of[op] : 0;
}

static void prepare(struct walk *w)
{
    w->whole = mem_new_zero(w->mem, bool, w->objects->n + 1);
    w->by_key = mem_new_zero(w->mem, struct setting_by_key, w->objects->n + 1);
    w->keys = mem_new_zero(w->mem, struct value_ids, w->objects->n + 1);
    for (uint32_t op = 0; op < w->h->n; op++)
        if (objects_method(w->objects, op)->key == ASSAY_NO_KEY)
            w->whole[object_of(w, op)] = true;
    for (uint32_t i = 0; i < w->objects->n; i++)
        w->by_key[i] = setting_by_key(&w->objects->at[i], w->mem);
}

static struct state *state_of(struct walk *w, uint32_t op)
{
    uint32_t object = object_of(w, op);
    const struct object_use *use = &w->objects->at[object];
    const assay_method *method = objects_method(w->objects, op);
    struct value key = {.kind = ASSAY_NONE};
    uint32_t number = 0;
    if (!w->whole[object]) {
        key = history_arg(w->h, op, (uint32_t)method->key);
        number = value_id(w->mem, &w->keys[object], key) + 1;
    }
    uint32_t *at = idmap_at(w->mem, &w->place, (uint64_t)object << 32 | number);
    if (*at == ID_NONE) {
        assay_setting setting = number ? setting_of_key(&w->by_key[object], key) : use->setting;
        struct state fresh = {use->spec, hook_create(use->spec, &setting, value_public(w->h, key), w->mem)};
        *at = w->states.n;
        vec_push(w->mem, &w->states, fresh);
    }
    return &w->states.at[*at];
}

assay_call html_call(const history *h, const struct objects *objects, uint32_t op, assay_value *args)
{
    for (uint32_t i = 0; i < history_arity(h, op); i++)
        args[i] = value_public(h, history_written(h, op, i));
    return (assay_call){.method = objects_method(objects, op)->id,
                        .arg_count = history_arity(h, op),
                        .args = args,
                        .result = value_public(h, history_written_result(h, op)),
                        .operation = op,
                        .thread = h->thread[op]};
}

static bool step(const struct walk *w, struct state *s, uint32_t op)
{
    assay_value *args = mem_new(w->mem, assay_value, history_arity(w->h, op) + 1), answer;
    assay_saved saved;
    assay_call call = html_call(w->h, w->objects, op, args);
    unsigned choices = hook_choices(s->spec, s->at, &call);
    bool taken = false;
    for (unsigned i = 0; i < choices && !taken; i++)
        taken = spec_step(s->spec, s->at, &call, i, &answer, &saved) != ASSAY_BLOCKED;
    mem_free(w->mem, args);
    return taken;
}

/* Where the content may be any, the order does not tell which of several outcomes a call had. */
static bool has_states(const struct objects *o)
{
    for (uint32_t i = 0; i < o->n; i++)
        if (!o->at[i].spec->create || !o->at[i].spec->describe || spec_is_of_any(o->at[i].spec))
            return false;
    return o->n > 0;
}

static void tell(const struct state *s, struct text *out)
{
    char words[LONGEST_STATE + 1];
    size_t n = s->spec->describe(s->at, words, sizeof words);
    if (n < sizeof words) {
        html_json(out, words, n);
        return;
    }
    for (n = LONGEST_STATE - 3; n && ((unsigned char)words[n] & 0xC0) == 0x80;) /* cut before a character */
        n--;
    strcpy(words + n, "...");
    html_json(out, words, n + 3);
}

void html_states(const result *r, const struct objects *objects, struct text *out)
{
    const struct evidence *shown = result_orders(r);
    if (!(r->model->conditions & (COND_LIN | COND_SC | COND_SC_OBJECT)) || (r->model->needs & NEED_TRANSACTIONS) ||
        !shown->orders.n || !has_states(objects))
        return;
    struct walk w = {.h = r->h, .objects = objects, .mem = out->mem};
    const struct order *o = &shown->orders.at[0];
    uint32_t first = r->verdict == ASSAY_VIOLATION && o->count > MOST_STATES ? o->count - MOST_STATES : 0;
    prepare(&w);
    text_printf(out, ",\n\"states\":{\"from\":%u,\"texts\":[", (unsigned)first);
    for (uint32_t i = 0; i < o->count && i < first + MOST_STATES; i++) {
        uint32_t op = shown->ops.at[o->at + i];
        if (objects_method(objects, op)->key != ASSAY_NO_EFFECT) {
            struct state *s = state_of(&w, op);
            if (!step(&w, s, op))
                break;
            if (i < first)
                continue;
            text_puts(out, i > first ? "," : "");
            tell(s, out);
        } else if (i >= first) {
            text_puts(out, i > first ? ",\"\"" : "\"\"");
        }
    }
    text_puts(out, "]}");
}
