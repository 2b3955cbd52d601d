/* SPDX-License-Identifier: Apache-2.0 */
/* A specification of one's own: a dispenser of tickets. ticket(n) hands out the numbers 1 to n, one after another, and
 * then says `sold-out`; `left` says how many there are.
 *
 *     cc -shared -fPIC -o ticket.so ticket.c
 *     assay check --spec ./ticket.so ticket.hist */
#include <assay_spec.h>

enum { TAKE, LEFT };

static const assay_method methods[] = {
    {"take", "take() => number or sold-out", TAKE, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"left", "left() => how many there are", LEFT, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {NULL, NULL, 0, 0, 0, ASSAY_RESULT_NONE},
};

struct dispenser {
    int64_t taken;
    int64_t tickets; /* does not change */
};

static const char *refuse(const assay_setting *s)
{
    if (s->parameter.kind != ASSAY_INT || s->parameter.integer < 1)
        return "say how many tickets there are, as in ticket(100)";
    return s->init_count ? "it takes no initial value" : NULL;
}

/* With an initial value of `content`, which a user cannot give. */
static void *create(const assay_setting *s, assay_value key, assay_memory *m)
{
    struct dispenser *d = (struct dispenser *)assay_memory_get(m, sizeof *d);
    (void)key; /* no method names a part of the object */
    if (!d)    /* no memory is left, and the check ends */
        return NULL;
    d->tickets = s->parameter.integer;
    d->taken = s->init_count ? s->init[0].value.integer : 0;
    return d;
}

/* The state as an initial value, for monitors with a checkpoint. */
static void content(const void *state, void (*visit)(void *arg, assay_binding b), void *arg)
{
    assay_binding b = {{ASSAY_NONE}, assay_int(((const struct dispenser *)state)->taken)};
    visit(arg, b);
}

static void *copy(const void *state, assay_memory *m)
{
    struct dispenser *d = (struct dispenser *)assay_memory_get(m, sizeof *d);
    if (d)
        *d = *(const struct dispenser *)state;
    return d;
}

static void destroy(void *state, assay_memory *m)
{
    assay_memory_free(m, state);
}

/* Says what the call returns; whether that is what the history recorded is not its business. */
static assay_effect step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    struct dispenser *d = (struct dispenser *)state;
    (void)choice; /* there is one outcome */
    (void)saved;  /* undo needs to know nothing */
    if (call->method == LEFT) {
        *result = assay_int(d->tickets - d->taken);
        return ASSAY_SAME;
    }
    if (d->taken == d->tickets) {
        *result = assay_word("sold-out");
        return ASSAY_SAME;
    }
    *result = assay_int(++d->taken);
    return ASSAY_CHANGED;
}

/* Only steps that changed the state are undone. */
static void undo(void *state, const assay_call *call, const assay_saved *saved)
{
    (void)call;
    (void)saved;
    ((struct dispenser *)state)->taken--;
}

static void digest(const void *state, uint64_t out[2])
{
    assay_digest(&((const struct dispenser *)state)->taken, sizeof(int64_t), out);
}

static bool equal(const void *a, const void *b)
{
    return ((const struct dispenser *)a)->taken == ((const struct dispenser *)b)->taken;
}

static size_t describe(const void *state, char *out, size_t size)
{
    const struct dispenser *d = (const struct dispenser *)state;
    return (size_t)snprintf(out, size, "%lld of %lld taken", (long long)d->taken, (long long)d->tickets);
}

const assay_spec assay_spec_plugin = {
    .version = ASSAY_SPEC_VERSION,
    .name = "ticket",
    .title = "a dispenser of tickets",
    .methods = methods,
    .refuse = refuse,
    .create = create,
    .copy = copy,
    .destroy = destroy,
    .step = step,
    .undo = undo,
    .digest = digest,
    .equal = equal,
    .describe = describe,
    .content = content,
};
