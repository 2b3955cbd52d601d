/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/stress/allowed.h"

#include "base/rng.h"
#include "spec/spec.h"

#include <string.h>

enum { TRIED = 64, COMBINED = 2000 }; /* values of an argument; random calls */
static const int64_t far_away = (int64_t)1 << 40;

struct trial {
    const assay_spec *spec;
    const assay_setting *setting;
    const assay_method *method;
    struct rng rng;
};

const char *allowed_objection(const assay_spec *spec, const assay_setting *setting, const assay_method *m,
                              const int64_t *args)
{
    assay_value values[ASSAY_ADAPTER_ARGS];
    for (unsigned i = 0; i < method_least(m); i++)
        values[i] = assay_int(args[i]);
    assay_call call = {.method = m->id, .arg_count = method_least(m), .args = values};
    return spec_objection(spec, setting, &call);
}

static bool is_call(const struct trial *t, const int64_t *args)
{
    return !allowed_objection(t->spec, t->setting, t->method, args);
}

static void set_all(const struct trial *t, int64_t *args, int64_t value)
{
    for (unsigned i = 0; i < method_least(t->method); i++)
        args[i] = value;
}

static void set_random(struct trial *t, int64_t *args)
{
    for (unsigned i = 0; i < method_least(t->method); i++)
        args[i] = rng_below(&t->rng, TRIED);
}

static bool find_example(struct trial *t, int64_t *args)
{
    for (int64_t value = 1; value < TRIED; value++) {
        set_all(t, args, value);
        if (is_call(t, args))
            return true;
    }
    for (unsigned i = 0; i < COMBINED; i++) {
        set_random(t, args);
        if (is_call(t, args))
            return true;
    }
    set_all(t, args, 0);
    return is_call(t, args);
}

/* With those of the example for the others, with the same for all, or with others by chance. */
static bool occurs(struct trial *t, const int64_t *example, unsigned at, int64_t value)
{
    int64_t args[ASSAY_ADAPTER_ARGS];
    memcpy(args, example, sizeof args);
    args[at] = value;
    bool found = is_call(t, args);
    for (int64_t other = 0; other < TRIED && !found; other++) {
        set_all(t, args, other);
        args[at] = value;
        found = is_call(t, args);
    }
    for (unsigned i = 0; i < TRIED && !found; i++) {
        set_random(t, args);
        args[at] = value;
        found = is_call(t, args);
    }
    return found;
}

static struct allowed_values values_of(struct trial *t, const int64_t *example, unsigned at, struct mem *mem)
{
    struct allowed_values v = {0, mem_new(mem, int64_t, TRIED)};
    bool limited = !occurs(t, example, at, far_away);
    for (int64_t value = 0; value < TRIED; value++) {
        bool fine = occurs(t, example, at, value);
        limited |= !fine && value; /* clients begin with 1 */
        if (fine)
            v.at[v.n++] = value;
    }
    return limited ? v : (struct allowed_values){0};
}

void allowed_find(struct allowed_calls *a, const assay_spec *spec, const assay_setting *setting, const assay_method *m,
                  struct mem *mem)
{
    struct trial t = {spec, setting, m, {1}};
    *a = (struct allowed_calls){0};
    if (!spec->refuse_call && !spec->refuse_use)
        return;
    if (!find_example(&t, a->example)) {
        a->why_none = allowed_objection(spec, setting, m, a->example);
        return;
    }
    for (unsigned i = 0; i < method_least(m); i++)
        a->of[i] = values_of(&t, a->example, i, mem);
}
