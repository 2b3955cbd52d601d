/* SPDX-License-Identifier: Apache-2.0 */
/* What every specification of the table promises (assay_spec in assay.h), on random walks through its states: undoing
 * restores everything, a copy behaves like the original, ASSAY_SAME and ASSAY_BLOCKED leave the state as it was, `equal`
 * tells states apart that are not, and digests are equal where the content is, and only there. The content is what
 * `describe` says. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/rng.h"
#include "spec/any_initial.h"
#include "spec/setting_by_key.h"
#include "spec/spec.h"

enum { STEPS = 300, WALKS = 12, MOST_ARGS = 9, LONGEST = 8192, MOST_SEEN = 60000 };

/* ---- values, settings and calls ---- */

/* Texts of a history are numbered. */
static assay_value text(assay_kind kind, const char *letters, int64_t number)
{
    return (assay_value){kind, number, letters, strlen(letters)};
}

static assay_value random_value(struct rng *rng)
{
    switch (rng_below(rng, 10)) {
    case 0: return text(ASSAY_WORD, "a", 1);
    case 1: return text(ASSAY_WORD, "b", 2);
    case 2: return text(ASSAY_WORD, "r", 3);
    case 3: return text(ASSAY_WORD, "w", 4);
    case 4: return text(ASSAY_WORD, "?", 5);
    case 5: return text(ASSAY_STRING, "a", 6);
    case 6: return text(ASSAY_STRING, "bc", 7);
    case 7: return text(ASSAY_STRING, "", 8);
    default: return assay_int((int64_t)rng_below(rng, 3) - 1);
    }
}

struct setting {
    assay_binding init[2];
    assay_setting s;
};

enum { PARAMETERS = 3, INITS = 6, SETTINGS = PARAMETERS * INITS };

static void make_setting(struct setting *out, unsigned i)
{
    assay_value a = text(ASSAY_WORD, "a", 1), b = text(ASSAY_WORD, "b", 2), s = text(ASSAY_STRING, "bc", 7);
    const assay_value parameters[PARAMETERS] = {{0}, assay_int(2), assay_word("min")};
    const assay_binding inits[INITS][2] = {
        {{{0}}},
        {{.value = assay_int(1)}, {.value = assay_int(0)}},
        {{.value = assay_int(1)}},
        {{.key = a, .value = assay_int(1)}, {.key = b, .value = assay_int(-1)}},
        {{.key = a, .value = s}, {.key = a, .value = s}},
        {{.value = a}, {.value = a}},
    };
    const size_t counts[INITS] = {0, 2, 1, 2, 2, 2};
    memcpy(out->init, inits[i % INITS], sizeof out->init);
    out->s = (assay_setting){parameters[i / INITS], out->init, counts[i % INITS]};
}

static bool accepted(const assay_spec *s, const assay_setting *setting)
{
    return s->refuse ? !s->refuse(setting) : !setting->init_count && setting->parameter.kind == ASSAY_NONE;
}

struct taken { /* a call with its arguments, and what there was before it */
    assay_value args[MOST_ARGS];
    assay_call call;
    unsigned choice;
    assay_saved saved;
    uint64_t digest[2];
    char *said;
};

static bool keyed(const assay_spec *s)
{
    bool all = true;
    for (const assay_method *m = s->methods; m->name; m++)
        all &= m->key >= 0;
    return all;
}

/* Where the content may be any, a call does what its result says. */
static assay_value random_result(struct rng *rng)
{
    switch (rng_below(rng, 6)) {
    case 0: return (assay_value){0};
    case 1: return assay_word("empty");
    default: return random_value(rng);
    }
}

/* A call that the specification does not refuse; with a key, of that key. */
static void random_call(const assay_spec *s, assay_value key, struct rng *rng, struct taken *t)
{
    uint32_t n = 0;
    while (s->methods[n].name)
        n++;
    do {
        const assay_method *m = &s->methods[rng_below(rng, n)];
        unsigned arity = m->arity == ASSAY_ANY_ARITY     ? 3 * rng_below(rng, 4)
                         : m->arity == ASSAY_NONE_OR_ONE ? rng_below(rng, 2)
                                                         : m->arity;
        for (unsigned i = 0; i < arity; i++)
            t->args[i] = random_value(rng);
        if (m->arity == ASSAY_ANY_ARITY) /* a random list would hardly ever be one of reads and writes */
            for (unsigned i = 0; i < arity; i += 3)
                t->args[i] = rng_below(rng, 2) ? text(ASSAY_WORD, "r", 3) : text(ASSAY_WORD, "w", 4);
        if (key.kind != ASSAY_NONE && m->key >= 0)
            t->args[m->key] = key;
        t->call = (assay_call){.method = m->id, .arg_count = arity, .args = t->args};
        if (spec_is_of_any(s) && m->result == ASSAY_RESULT_REQUIRED)
            t->call.result = random_result(rng);
    } while (s->refuse_call && s->refuse_call(&t->call));
}

/* ---- what a state is ---- */

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* What `describe` says; of "{x=1, y=2}", where the order means nothing, with the parts in order. */
static char *content(const assay_spec *s, const void *state)
{
    char *said = malloc(LONGEST), *parts[LONGEST / 2], little[6] = "-----";
    assert_true(s->describe(state, said, LONGEST) < LONGEST);
    s->describe(state, little, sizeof little); /* cut, and not beyond its end */
    assert_null(memchr(little, '\0', sizeof little) ? NULL : little);
    s->describe(state, NULL, 0);
    if (said[0] != '{')
        return said;
    size_t n = 0;
    char *sorted = calloc(1, LONGEST);
    for (char *part = strtok(said + 1, "{}, "); part; part = strtok(NULL, "{}, "))
        parts[n++] = part;
    qsort(parts, n, sizeof *parts, by_text);
    for (size_t i = 0; i < n; i++)
        strcat(strcat(sorted, parts[i]), " ");
    free(said);
    return sorted;
}

static void digest_of(const assay_spec *s, const void *state, uint64_t out[2])
{
    out[0] = out[1] = 0;
    s->digest(state, out);
}

static void assert_unchanged(const assay_spec *s, const void *state, const uint64_t digest[2], const char *said)
{
    uint64_t now[2];
    char *says = content(s, state);
    digest_of(s, state, now);
    assert_string_equal(says, said);
    assert_memory_equal(now, digest, sizeof now);
    free(says);
}

static void assert_equal_states(const assay_spec *s, const void *a, const void *b)
{
    uint64_t digest[2];
    char *said = content(s, b);
    digest_of(s, b, digest);
    assert_unchanged(s, a, digest, said);
    assert_true(s->equal(a, b) && s->equal(b, a));
    free(said);
}

/* ---- what was seen on all walks of one setting ---- */

struct seen {
    char *said;
    uint64_t digest[2];
};

static struct seen seen[MOST_SEEN];
static size_t seen_n;

static void see(const assay_spec *s, const void *state)
{
    if (seen_n == MOST_SEEN)
        return;
    seen[seen_n].said = content(s, state);
    digest_of(s, state, seen[seen_n++].digest);
}

static int seen_by_content(const void *a, const void *b)
{
    return strcmp(((const struct seen *)a)->said, ((const struct seen *)b)->said);
}

static int seen_by_digest(const void *a, const void *b)
{
    return memcmp(((const struct seen *)a)->digest, ((const struct seen *)b)->digest, sizeof seen[0].digest);
}

static void compare_seen(void)
{
    qsort(seen, seen_n, sizeof *seen, seen_by_content);
    for (size_t i = 1; i < seen_n; i++)
        if (strcmp(seen[i - 1].said, seen[i].said) == 0)
            assert_memory_equal(seen[i - 1].digest, seen[i].digest, sizeof seen[i].digest);
    qsort(seen, seen_n, sizeof *seen, seen_by_digest);
    for (size_t i = 1; i < seen_n; i++)
        for (int half = 0; half < 2; half++)
            if (seen[i - 1].digest[half] == seen[i].digest[half])
                assert_string_equal(seen[i - 1].said, seen[i].said);
    while (seen_n)
        free(seen[--seen_n].said);
}

/* ---- walks ---- */

struct walk {
    const assay_spec *s;
    assay_value key;
    struct rng *rng;
    assay_memory *m;
    void *state;
    struct taken taken[STEPS];
    size_t n;
};

/* Takes a random step; it is on the list if it changed the state. */
static void step(struct walk *w)
{
    struct taken *t = &w->taken[w->n];
    assay_value result = {0};
    random_call(w->s, w->key, w->rng, t);
    digest_of(w->s, w->state, t->digest);
    t->said = content(w->s, w->state);
    void *before = w->s->copy(w->state, w->m);
    unsigned choices = w->s->choices ? w->s->choices(w->state, &t->call) : 1;
    t->choice = choices > 1 ? rng_below(w->rng, choices) : 0;
    assay_effect effect = w->s->step(w->state, &t->call, t->choice, &result, &t->saved);
    assert_int_equal(w->s->equal(before, w->state), effect != ASSAY_CHANGED);
    assert_int_equal(w->s->equal(w->state, before), effect != ASSAY_CHANGED);
    w->s->destroy(before, w->m);
    if (effect == ASSAY_CHANGED) {
        uint64_t now[2];
        digest_of(w->s, w->state, now);
        assert_memory_not_equal(now, t->digest, sizeof now);
        w->n++;
        return;
    }
    assert_unchanged(w->s, w->state, t->digest, t->said);
    free(t->said);
}

static void undo(struct walk *w)
{
    struct taken *t = &w->taken[--w->n];
    w->s->undo(w->state, &t->call, &t->saved);
    assert_unchanged(w->s, w->state, t->digest, t->said);
    free(t->said);
}

/* Whatever is done to both does the same; and neither sees what is done to the other. */
static void compare_with_copy(struct walk *w)
{
    void *copy = w->s->copy(w->state, w->m);
    assert_equal_states(w->s, copy, w->state);
    struct taken t[20];
    assay_saved in_copy;
    size_t n = 0;
    for (int i = 0; i < 20; i++) {
        assay_value one = {0}, other = {0};
        random_call(w->s, w->key, w->rng, &t[n]);
        assay_effect effect = w->s->step(w->state, &t[n].call, 0, &one, &t[n].saved);
        assert_int_equal(effect, w->s->step(copy, &t[n].call, 0, &other, &in_copy));
        /* An account that a bank does not have, it never has. */
        assert_true(effect != ASSAY_BLOCKED || spec_may_block(w->s) || w->s == &spec_bank);
        assert_true(effect == ASSAY_BLOCKED || assay_value_same(one, other));
        assert_equal_states(w->s, copy, w->state);
        n += effect == ASSAY_CHANGED;
    }
    w->s->destroy(copy, w->m);
    while (n--)
        w->s->undo(w->state, &t[n].call, &t[n].saved);
}

/* A state that took only the steps that were not undone is the same. */
static void compare_with_replay(struct walk *w, const assay_setting *setting)
{
    void *replay = w->s->create(setting, w->key, w->m);
    for (size_t i = 0; i < w->n; i++) {
        assay_value result = {0};
        assay_saved saved;
        assert_int_equal(w->s->step(replay, &w->taken[i].call, w->taken[i].choice, &result, &saved), ASSAY_CHANGED);
    }
    assert_equal_states(w->s, replay, w->state);
    w->s->destroy(replay, w->m);
}

static void walk(const assay_spec *s, const assay_setting *setting, assay_value key, uint64_t seed)
{
    struct mem mem = {0};
    struct rng rng = {seed};
    struct walk *w = calloc(1, sizeof *w);
    *w = (struct walk){.s = s, .key = key, .rng = &rng, .m = (assay_memory *)&mem};
    w->state = s->create(setting, key, w->m);
    uint32_t eager = 3 + rng_below(&rng, 5);
    for (size_t i = 0; i < STEPS; i++) {
        uint32_t what = rng_below(&rng, 10);
        if (what < eager)
            step(w);
        else if (w->n)
            undo(w);
        see(s, w->state);
        if (what == 0 && i % 5 == 0)
            compare_with_copy(w);
    }
    compare_with_replay(w, setting);
    while (w->n)
        undo(w);
    s->destroy(w->state, w->m);
    assert_int_equal(mem.used, 0);
    free(w);
}

static void test_walks(void **unused)
{
    (void)unused;
    for (size_t i = 0; spec_table[i]; i++) {
        const assay_spec *s = spec_table[i];
        unsigned settings = 0;
        for (unsigned j = 0; s->create && j < SETTINGS; j++) {
            struct setting setting;
            make_setting(&setting, j);
            if (!accepted(s, &setting.s))
                continue;
            settings++;
            for (uint64_t seed = 0; seed < WALKS; seed++)
                walk(s, &setting.s, (assay_value){0}, 1000 * i + seed);
            compare_seen();
            for (uint64_t seed = 0; keyed(s) && seed < WALKS; seed++)
                walk(s, &setting.s, text(ASSAY_WORD, "a", 1), 500 + seed);
            compare_seen();
        }
        assert_true(settings > 0 || !s->create);
    }
}

/* The same of those that stand for any content. */
static void test_walks_of_any(void **unused)
{
    (void)unused;
    const assay_binding any[] = {{{0}}};
    const assay_setting settings[] = {{.init = any, .init_count = 1},
                                      {.parameter = assay_word("min"), .init = any, .init_count = 1}};
    unsigned specs = 0;
    for (size_t i = 0; spec_table[i]; i++)
        for (size_t j = 0; j < 2; j++) {
            const assay_spec *s = spec_as_declared(spec_table[i], &settings[j]);
            if (s == spec_table[i] || !accepted(s, &settings[j]))
                continue;
            specs++;
            for (uint64_t seed = 0; seed < WALKS; seed++)
                walk(s, &settings[j], (assay_value){0}, 1000 * i + seed);
            compare_seen();
        }
    assert_true(specs >= 5);
}

/* ---- the table ---- */

static void test_methods(void **unused)
{
    (void)unused;
    for (size_t i = 0; spec_table[i]; i++)
        for (const assay_method *m = spec_table[i]->methods; m->name; m++) {
            assert_int_equal(strncmp(m->signature, m->name, strlen(m->name)), 0);
            assert_true(m->key < m->arity || m->arity == ASSAY_ANY_ARITY);
            for (const assay_method *other = spec_table[i]->methods; other < m; other++) {
                assert_string_not_equal(other->name, m->name);
                if (other->id == m->id) /* other names for the same */
                    assert_true(other->arity == m->arity && other->key == m->key && other->result == m->result);
            }
        }
}

/* A removal is cut with its value, a look alone, and nothing whose effect is not known. */
static void test_cuts(void **unused)
{
    (void)unused;
    for (size_t i = 0; spec_table[i]; i++) {
        const assay_spec *s = spec_table[i];
        struct rng rng = {i};
        if (!s->cut || !s->create)
            continue;
        struct mem mem = {0};
        assay_setting setting = {.parameter = assay_int(2)};
        if (!accepted(s, &setting))
            setting.parameter = (assay_value){0};
        void *state = s->create(&setting, (assay_value){0}, (assay_memory *)&mem);
        for (int n = 0; n < 500; n++) {
            struct taken t = {0};
            assay_value value = {0}, result = {0};
            random_call(s, (assay_value){0}, &rng, &t);
            assay_effect effect = s->step(state, &t.call, 0, &result, &t.saved);
            t.call.result = result;
            if (effect != ASSAY_BLOCKED && s->cut(&t.call, &value) == ASSAY_CUT_ALONE)
                assert_int_equal(effect, ASSAY_SAME);
        }
        s->destroy(state, (assay_memory *)&mem);
        mem_release(&mem);
    }
}

/* ---- initial values by key ---- */

static void random_init(struct rng *rng, assay_binding *init, size_t n)
{
    unsigned keys = rng_below(rng, 3); /* none, some, all */
    memset(init, 0, n * sizeof *init);
    for (size_t i = 0; i < n; i++) {
        init[i] = (assay_binding){.value = random_value(rng), .header = rng_below(rng, 2)};
        if (keys == 2 || (keys == 1 && rng_below(rng, 2)))
            init[i].key = random_value(rng);
    }
}

/* The setting of a key makes the state that the whole setting makes of it. */
static uint32_t compare_parts(const struct object_use *use, struct rng *rng)
{
    struct mem mem = {0};
    assay_memory *m = (assay_memory *)&mem;
    struct setting_by_key by_key = setting_by_key(use, &mem);
    for (unsigned i = 0; i < 8; i++) {
        uint64_t expected[2], found[2];
        assay_value key = random_value(rng);
        assay_setting own = setting_of_key(&by_key, value_internal(key));
        void *from_whole = use->spec->create(&use->setting, key, m), *from_own = use->spec->create(&own, key, m);
        use->spec->digest(from_whole, expected);
        use->spec->digest(from_own, found);
        assert_memory_equal(expected, found, sizeof expected);
        assert_true(assay_value_same(own.parameter, use->setting.parameter));
    }
    mem_release(&mem);
    return by_key.sorted;
}

static void test_settings_by_key(void **state)
{
    (void)state;
    enum { MOST = 9 };
    struct rng rng = {5};
    for (size_t i = 0; spec_table[i]; i++) {
        uint32_t sorted = 0;
        bool splits = false;
        for (const assay_method *m = spec_table[i]->methods; m->name; m++)
            splits |= m->key >= 0;
        for (unsigned round = 0; round < 4000 && splits; round++) {
            assay_binding init[MOST];
            size_t n = rng_below(&rng, MOST + 1);
            random_init(&rng, init, n);
            struct object_use use = {.spec = spec_table[i], .setting = {.init = init, .init_count = n}};
            if (accepted(use.spec, &use.setting))
                sorted += compare_parts(&use, &rng);
        }
        assert_true(!splits || !spec_table[i]->refuse || sorted > 10);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walks), cmocka_unit_test(test_walks_of_any),    cmocka_unit_test(test_methods),
        cmocka_unit_test(test_cuts),  cmocka_unit_test(test_settings_by_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
