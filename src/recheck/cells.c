/* SPDX-License-Identifier: Apache-2.0 */
/* The value that an operation on a register saw: could any operation have set it?
 *
 * A read, and a compare-and-swap that succeeded, see a value v. In a linearization the last call before it that set v,
 * or the initial value, is its source. A call that it happens before is no source. Let z happen before it, and show
 * another value than v. Then a call that happens before z is no source: v must have been set again after z. z shows
 * another value if it sees one, sets one, or is a compare-and-swap from v that failed. This holds in any
 * happens-before. One z is enough, so each call is looked at once. A search would go through the orders of all other
 * calls.
 *
 * A compare-and-swap from v that failed, and a contains-key that found its key, say that v was not there. Let z happen
 * before it, and leave v there. If each call that sets another value comes after it, or before z, then v was there.
 *
 * The same holds of a key of a map, a value of a set, and a lock. Their calls see and set one value, too. The calls of
 * other keys, and those that look at a whole map or set, are left out. A map that holds null is not judged: its results
 * do not tell whether the key is there. If the initial value may be any, it is a source, and z must be named. */
#include "recheck/cells.h"

#include "spec/roles.h"

enum { MOST_KEPT = 3 }; /* the culprit, and the calls that show another value */

static bool says(const assay_call *call, const char *word)
{
    return assay_value_same(call->result, assay_word(word));
}

/* Methods of register, cas-register and memory have the same numbers. The values are the last arguments. */
static struct cell_call of_register(const assay_call *call, bool pending)
{
    struct cell_call c = {0};
    if (call->method == REGISTER_READ && !pending) {
        c.sees = call->result;
    } else if (call->method == REGISTER_WRITE) {
        c.sets = call->args[call->arg_count - 1];
    } else if (call->method == REGISTER_CAS) {
        assay_value from = call->args[call->arg_count - 2], to = call->args[call->arg_count - 1];
        bool none = call->result.kind == ASSAY_NONE; /* pending, or of a memory */
        if (none || says(call, "true")) {
            c.sets = assay_value_same(from, to) ? (assay_value){0} : to; /* the value was there already */
            c.sees = pending ? (assay_value){0} : from;
        } else if (says(call, "false")) {
            c.refuses = from;
        }
    }
    return c;
}

/* A key without a value has the value null, which some logs spell nil. */
static assay_value spelled(assay_value v)
{
    return assay_value_same(v, assay_word("nil")) ? assay_word("null") : v;
}

static struct cell_call of_map(const assay_call *call, bool pending)
{
    struct cell_call c = {0};
    if (call->method == MAP_PUT)
        c.sets = spelled(call->args[1]);
    if (call->method == MAP_REMOVE)
        c.sets = assay_word("null");
    if (pending || call->result.kind == ASSAY_NONE)
        return c;
    if (call->method != MAP_CONTAINS_KEY)
        c.sees = spelled(call->result);
    else if (says(call, "false"))
        c.sees = assay_word("null");
    else if (says(call, "true"))
        c.refuses = assay_word("null");
    return c;
}

/* An add that returns true did not see the value; a remove or contains that returns true did. */
static struct cell_call of_set(const assay_call *call, bool pending)
{
    struct cell_call c = {0};
    bool adds = call->method == SET_ADD;
    if (adds || call->method == SET_REMOVE)
        c.sets = assay_word(adds ? "true" : "false");
    if (!pending && says(call, "true"))
        c.sees = assay_word(adds ? "false" : "true");
    if (!pending && says(call, "false"))
        c.sees = assay_word(adds ? "true" : "false");
    return c;
}

static struct cell_call of_lock(const assay_call *call, bool pending)
{
    struct cell_call c = {0};
    bool refused = call->method == LOCK_TRY && says(call, "false");
    if (!refused)
        c.sets = assay_word(call->method == LOCK_UNLOCK ? "false" : "true");
    if (!pending)
        c.sees = assay_word(refused || call->method == LOCK_UNLOCK ? "true" : "false");
    return c;
}

struct cell_call cell_call_of(const struct object_view *v, uint32_t op)
{
    const assay_spec *spec = v->parts.at[v->part[op]].use->spec;
    assay_call call = object_call(v, op);
    bool pending = history_pending(v->x->h, op);
    struct cell_call c = spec == &spec_map    ? of_map(&call, pending)
                         : spec == &spec_set  ? of_set(&call, pending)
                         : spec == &spec_lock ? of_lock(&call, pending)
                                              : of_register(&call, pending);
    if (c.sees.kind != ASSAY_NONE && assay_value_same(c.sees, c.sets))
        c.sets = (assay_value){0}; /* then the value was there already */
    mem_free(v->x->mem, (void *)call.args);
    return c;
}

static bool differs(assay_value a, assay_value b)
{
    return a.kind != ASSAY_NONE && !assay_value_same(a, b);
}

static bool shows_another(const struct cell_call *c, assay_value value)
{
    return differs(c->sees, value) || differs(c->sets, value) ||
           (c->refuses.kind != ASSAY_NONE && assay_value_same(c->refuses, value));
}

bool cell_is(const struct object_part *p)
{
    const assay_spec *spec = p->use->spec;
    bool keyed = spec == &spec_memory || spec == &spec_map || spec == &spec_set;
    return keyed ? p->key.kind != ASSAY_NONE
                 : spec == &spec_register || spec == &spec_cas_register || spec == &spec_lock;
}

static bool names_key(const struct object_view *v, uint32_t op)
{
    return objects_method(&v->objects, op)->key == 0;
}

/* The key that the operation is about, or none: the object has one cell. */
static struct value key_of(const struct object_view *v, uint32_t op)
{
    const struct object_part *p = &v->parts.at[v->part[op]];
    bool whole = p->key.kind == ASSAY_NONE && names_key(v, op);
    return whole ? history_arg(v->x->h, op, 0) : p->key;
}

/* Has the part such cells, and is the operation about one? */
static bool has_cell(const struct object_view *v, uint32_t op)
{
    const struct object_part *p = &v->parts.at[v->part[op]];
    bool keys = p->use->spec == &spec_map || p->use->spec == &spec_set;
    return cell_is(p) || (keys && names_key(v, op));
}

static bool same_cell(const struct object_view *v, uint32_t a, uint32_t b)
{
    const history *h = v->x->h;
    if (v->part[a] != v->part[b])
        return false;
    if (v->parts.at[v->part[a]].key.kind != ASSAY_NONE || !names_key(v, a))
        return true;
    return names_key(v, b) && value_same(history_arg(h, a, 0), history_arg(h, b, 0));
}

static bool is_null(assay_value v)
{
    return assay_value_same(spelled(v), assay_word("null"));
}

/* Of a map: is null put under the key of x, or perhaps there at first? */
static bool holds_null(const struct object_view *v, uint32_t x)
{
    const struct object_part *p = &v->parts.at[v->part[x]];
    const assay_setting setting = object_part_setting(p);
    if (p->use->spec != &spec_map)
        return false;
    if (object_is_any(v, p))
        return true;
    for (size_t i = 0; i < setting.init_count; i++)
        if (is_null(setting.init[i].value))
            return true;
    for (uint32_t y = 0; y < v->x->h->n; y++)
        if (object_counts(v, y) && same_cell(v, x, y) && objects_method(&v->objects, y)->id == MAP_PUT &&
            is_null(value_public(v->x->h, history_arg(v->x->h, y, 1))))
            return true;
    return false;
}

/* The method that tells the state; of a lock there is none, but a try that succeeds tells that it was free. */
static unsigned reading_method(const assay_spec *spec)
{
    return spec == &spec_map    ? MAP_GET
           : spec == &spec_set  ? SET_CONTAINS
           : spec == &spec_lock ? LOCK_TRY
                                : REGISTER_READ;
}

/* As the read of the initial state would tell. */
bool cell_is_initial(const struct object_view *v, uint32_t op, assay_value value)
{
    const struct object_part *p = &v->parts.at[v->part[op]];
    const assay_setting setting = object_part_setting(p);
    assay_value key = value_public(v->x->h, key_of(v, op));
    void *state = hook_create(p->use->spec, &setting, key, v->x->mem);
    assay_call read = {.method = reading_method(p->use->spec), .args = &key, .arg_count = key.kind != ASSAY_NONE};
    assay_value answer = {0};
    assay_saved saved;
    hook_step(p->use->spec, state, &read, 0, &answer, &saved);
    if (read.method == LOCK_TRY && p->use->spec == &spec_lock)
        answer = assay_word(assay_value_same(answer, assay_word("true")) ? "false" : "true");
    bool same = assay_value_same(spelled(answer), value);
    hook_destroy(p->use->spec, state, v->x->mem);
    return same;
}

/* Has x no source that does not happen before z, or none at all if z is ID_NONE? */
static bool lacks_source(const struct object_view *v, uint32_t x, uint32_t z, assay_value value)
{
    if (z == ID_NONE && cell_is_initial(v, x, value))
        return false;
    for (uint32_t y = 0; y < v->x->h->n; y++) {
        budget_tick(v->x->budget);
        if (y == x || !object_counts(v, y) || !same_cell(v, x, y) || object_before(v, x, y))
            continue;
        struct cell_call c = cell_call_of(v, y);
        bool sets = c.sets.kind != ASSAY_NONE && assay_value_same(c.sets, value);
        if (sets && (z == ID_NONE || !object_before(v, y, z)))
            return false;
    }
    return true;
}

/* Is the value there until x, since z left it there, or from the start if z is ID_NONE? */
static bool stays(const struct object_view *v, uint32_t x, uint32_t z, assay_value value)
{
    if (z == ID_NONE && !cell_is_initial(v, x, value))
        return false;
    for (uint32_t y = 0; y < v->x->h->n; y++) {
        budget_tick(v->x->budget);
        if (y == x || y == z || !object_counts(v, y) || !same_cell(v, x, y) || object_before(v, x, y))
            continue;
        struct cell_call c = cell_call_of(v, y);
        if (differs(c.sets, value) && (z == ID_NONE || !object_before(v, y, z)))
            return false;
    }
    return true;
}

/* The value behind the call, if it is known. */
static assay_value left_by(const struct cell_call *c)
{
    return c->sets.kind != ASSAY_NONE ? c->sets : c->sees;
}

/* Does z tell that x cannot have seen the value, or that it must have been there? */
static bool contradicted_by(const struct object_view *v, uint32_t x, uint32_t z, const struct cell_call *told)
{
    if (z != ID_NONE && (z == x || !same_cell(v, x, z) || !object_before(v, z, x) || history_pending(v->x->h, z)))
        return false;
    struct cell_call c = z == ID_NONE ? (struct cell_call){0} : cell_call_of(v, z);
    if (told->sees.kind != ASSAY_NONE)
        return (z == ID_NONE || shows_another(&c, told->sees)) && lacks_source(v, x, z, told->sees);
    return (z == ID_NONE || assay_value_same(left_by(&c), told->refuses)) && stays(v, x, z, told->refuses);
}

bool object_cell_contradicts(const struct object_view *v)
{
    const struct evidence *ev = &v->x->line->evidence;
    const history *h = v->x->h;
    uint32_t x = ev->culprit;
    if (ev->whole || ev->kept.n > MOST_KEPT || history_pending(h, x) || !has_cell(v, x) || holds_null(v, x))
        return false;
    struct cell_call told = cell_call_of(v, x);
    if (told.sees.kind == ASSAY_NONE && told.refuses.kind == ASSAY_NONE)
        return false;
    for (uint32_t i = 0; i < ev->kept.n; i++) {
        uint32_t z = ev->kept.at[i];
        if (z < h->n && object_counts(v, z) && contradicted_by(v, x, z, &told))
            return true;
    }
    return !object_is_any(v, &v->parts.at[v->part[x]]) && contradicted_by(v, x, ID_NONE, &told);
}
