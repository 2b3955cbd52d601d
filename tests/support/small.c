/* SPDX-License-Identifier: Apache-2.0 */
#include "support/small.h"

#include "spec/spec.h"

#include <string.h>

struct enumeration {
    const struct alphabet *a;
    uint32_t letters;
    bool shared;
    uint32_t one_in;
    uint64_t count;
    struct play play;
    small_visit *visit;
    void *arg;
};

static assay_value value_of(int v, int *fresh)
{
    switch (v) {
    case NO_VALUE: return (assay_value){0};
    case EMPTY: return assay_word("empty");
    case TRUE: return assay_word("true");
    case FALSE: return assay_word("false");
    case NULL_WORD: return assay_word("null");
    case NEW: return assay_int(++*fresh);
    default: return assay_int(v);
    }
}

/* Every choice of letters for operations whose intervals are set. */
static void fill(struct enumeration *x, uint32_t i, int fresh)
{
    if (i == x->play.n) {
        if (x->count++ % x->one_in == 0)
            x->visit(&x->play, x->arg);
        return;
    }
    for (uint32_t l = 0; l < x->letters; l++) {
        const struct letter *letter = &x->a->letter[l];
        struct play_op *o = &x->play.op[i];
        int values = fresh;
        bool followed = false;
        for (uint32_t j = i + 1; j < x->play.n; j++)
            followed |= x->play.op[j].thread == o->thread;
        if (letter->pending && followed)
            continue;
        o->method = letter->method;
        o->object = letter->object;
        o->pending = letter->pending;
        bool pair = letter->argument >= PAIR(0, 0);
        o->args[0] = value_of(pair ? letter->argument / 10 % 10 : letter->argument, &values);
        o->args[1] = assay_int(letter->argument % 10);
        o->arg_count = letter->argument == NO_VALUE ? 0 : pair ? 2 : 1;
        o->result = value_of(letter->result, &values);
        fill(x, i + 1, values);
    }
}

/* Every way to lay n intervals over 2n points: the first free point is a call, its return any later one. */
static void lay(struct enumeration *x, uint32_t i, uint32_t used, uint32_t threads)
{
    if (i == x->play.n) {
        fill(x, 0, 0);
        return;
    }
    uint32_t call = 0;
    while (used >> call & 1)
        call++;
    for (uint32_t thread = x->shared ? 0 : threads; thread <= threads; thread++) {
        bool busy = false;
        for (uint32_t j = 0; j < i; j++)
            busy |= x->play.op[j].thread == thread && x->play.op[j].ret > call;
        for (uint32_t ret = call + 1; ret < 2 * x->play.n && !busy; ret++) {
            if (used >> ret & 1)
                continue;
            x->play.op[i] = (struct play_op){.thread = (uint8_t)thread, .call = call, .ret = ret};
            lay(x, i + 1, used | 1u << call | 1u << ret, threads + (thread == threads));
        }
    }
}

/* Every way to lay intervals over times that may be equal; the first half of the operations is the first thread's. */
static void lay_tied(struct enumeration *x, uint32_t i, int64_t last)
{
    uint32_t half = (x->play.n + 1) / 2, thread = i >= half;
    if (i == x->play.n) {
        fill(x, 0, 0);
        return;
    }
    int64_t from = i && i != half ? x->play.op[i - 1].ret : 0;
    for (int64_t call = from; call <= last; call++)
        for (int64_t ret = call; ret <= last; ret++) {
            x->play.op[i] = (struct play_op){.thread = (uint8_t)thread, .call = call, .ret = ret};
            lay_tied(x, i + 1, last);
        }
}

static struct enumeration enumeration_of(const struct alphabet *a, uint32_t n, small_visit *visit, void *arg)
{
    struct enumeration x = {
        .a = a, .play = {.object = a->object, .init = a->init, .n = n}, .one_in = 1, .visit = visit, .arg = arg};
    x.play.other[0] = a->other;
    x.play.other_n = a->other != NULL;
    while (x.letters < 16 && a->letter[x.letters].method)
        x.letters++;
    return x;
}

void small_all(const struct alphabet *a, uint32_t n, bool shared, uint32_t one_in, small_visit *visit, void *arg)
{
    struct enumeration x = enumeration_of(a, n, visit, arg);
    x.shared = shared;
    x.one_in = one_in;
    lay(&x, 0, 0, 0);
}

void small_tied(const struct alphabet *a, uint32_t n, int64_t last, small_visit *visit, void *arg)
{
    struct enumeration x = enumeration_of(a, n, visit, arg);
    lay_tied(&x, 0, last);
}

const assay_spec *spec_named(const char *object)
{
    size_t length = strcspn(object, "(");
    for (size_t i = 0; spec_table[i]; i++)
        if (strlen(spec_table[i]->name) == length && strncmp(spec_table[i]->name, object, length) == 0)
            return spec_table[i];
    return NULL;
}
