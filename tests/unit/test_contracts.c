/* SPDX-License-Identifier: Apache-2.0 */
/* Specifications that break one contract each, which is named; and all specifications of the tree, which keep them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "spec/contracts.h"
#include "spec/spec.h"

/* A stack of up to 8 numbers, and how to break it. */
static enum contract bug;
static bool without_equal;
static uint64_t drawn;

enum { PUSH, POP, TOP };

static const assay_method methods[] = {
    {"push", "push(value)", PUSH, 1, ASSAY_NO_KEY, ASSAY_RESULT_NONE},
    {"pop", "pop() => value or empty", POP, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {"top", "top() => value or empty", TOP, 0, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {0},
};

struct stack {
    int64_t values[8], *used;
    int64_t n;
    uint64_t mark;
};

static void *create(const assay_setting *s, assay_value key, assay_memory *m)
{
    (void)key;
    struct stack *x = assay_memory_get(m, sizeof *x);
    x->used = &x->n;
    x->mark = ++drawn;
    for (size_t i = 0; i < s->init_count && i < 8; i++)
        x->values[x->n++] = s->init[i].value.integer;
    if (bug == CONTRACT_CREATE && drawn % 3 == 0)
        x->values[x->n++] = 1;
    return x;
}

static void *copy(const void *state, assay_memory *m)
{
    struct stack *x = assay_memory_get(m, sizeof *x);
    *x = *(const struct stack *)state;
    x->used = bug == CONTRACT_COPY ? ((const struct stack *)state)->used : &x->n;
    return x;
}

static void destroy(void *state, assay_memory *m)
{
    if (bug != CONTRACT_COPY) /* whose copies refer to it */
        assay_memory_free(m, state);
}

static assay_effect step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    struct stack *x = state;
    (void)choice;
    if (call->method == PUSH) {
        if (*x->used == 8 && bug == CONTRACT_SAME)
            x->values[7] = call->args[0].integer;
        if (*x->used == 8)
            return ASSAY_BLOCKED;
        x->values[(*x->used)++] = call->args[0].integer;
        return ASSAY_CHANGED;
    }
    *result = *x->used ? assay_int(x->values[*x->used - 1]) : assay_word("empty");
    if (bug == CONTRACT_RESULT && !*x->used)
        *result = (assay_value){0};
    if (call->method == TOP || !*x->used)
        return ASSAY_SAME;
    saved->number = x->values[--*x->used];
    return bug == CONTRACT_SAME ? ASSAY_SAME : ASSAY_CHANGED;
}

static void undo(void *state, const assay_call *call, const assay_saved *saved)
{
    struct stack *x = state;
    if (bug == CONTRACT_UNDO)
        return;
    if (call->method == PUSH)
        --*x->used;
    else
        x->values[(*x->used)++] = saved->number;
}

static const char *refuse_call(const assay_call *call)
{
    return call->arg_count && call->args[0].kind != ASSAY_INT ? "a number" : NULL;
}

static unsigned choices(const void *state, const assay_call *call)
{
    (void)state;
    (void)call;
    return bug == CONTRACT_CHOICES ? 0 : 1;
}

static void digest(const void *state, uint64_t out[2])
{
    const struct stack *x = state;
    if (bug == CONTRACT_DIGEST && without_equal)
        out[0] = out[1] = 7;
    else if (bug == CONTRACT_DIGEST)
        out[0] = out[1] = x->mark;
    else
        assay_digest(x->values, (size_t)*x->used * sizeof *x->values, out);
}

static bool equal(const void *a, const void *b)
{
    const struct stack *x = a, *y = b;
    if (bug == CONTRACT_EQUAL)
        return false;
    return *x->used == *y->used && memcmp(x->values, y->values, (size_t)*x->used * sizeof *x->values) == 0;
}

static void content(const void *state, void (*visit)(void *arg, assay_binding b), void *arg)
{
    const struct stack *x = state;
    for (int64_t i = bug == CONTRACT_CONTENT; i < *x->used; i++)
        visit(arg, (assay_binding){.value = assay_int(x->values[i])});
}

static assay_cut cut(const assay_call *call, assay_value *value)
{
    *value = call->method == PUSH ? call->args[0] : call->result;
    if (value->kind != ASSAY_INT)
        *value = (assay_value){0};
    if (bug == CONTRACT_CUT && call->method != PUSH) /* and a push may go without its pop */
        *value = (assay_value){0};
    return call->method == PUSH || bug != CONTRACT_CUT ? ASSAY_CUT_WITH_VALUE : ASSAY_CUT_NEVER;
}

static assay_spec stack(void)
{
    return (assay_spec){.version = ASSAY_SPEC_VERSION,
                        .name = "small-stack",
                        .methods = methods,
                        .refuse_call = refuse_call,
                        .create = create,
                        .copy = copy,
                        .destroy = destroy,
                        .step = step,
                        .undo = undo,
                        .choices = choices,
                        .digest = digest,
                        .equal = without_equal ? NULL : equal,
                        .cut = cut,
                        .content = content};
}

static enum contract broken_by(enum contract b, const assay_spec *s, const char *sentence)
{
    struct mem mem = {0};
    struct text out = text_in(&mem);
    bug = b;
    enum contract is = contracts_try(s, 8, 1, false, &out);
    if (is != b || (sentence && !strstr(text_get(&out), sentence)))
        print_error("broken: %s, found: %s\n%s\n", b ? contract_name(b) : "none", is ? contract_name(is) : "none",
                    text_get(&out));
    bool named = !sentence || strstr(text_get(&out), sentence);
    mem_release(&mem);
    assert_true(named);
    return is;
}

static void test_each_contract(void **unused)
{
    (void)unused;
    without_equal = false;
    assay_spec s = stack();
    for (enum contract b = CONTRACT_KEPT; b <= CONTRACT_CUT; b++)
        assert_int_equal(broken_by(b, &s, b ? contract_name(b) : NULL), b);
}

static void test_without_equal(void **unused)
{
    (void)unused;
    without_equal = true;
    assay_spec s = stack();
    assert_int_equal(broken_by(CONTRACT_KEPT, &s, NULL), CONTRACT_KEPT);
    assert_int_equal(broken_by(CONTRACT_DIGEST, &s, "states that differ have equal digests"), CONTRACT_DIGEST);
    without_equal = false;
}

static void test_tree(void **unused)
{
    (void)unused;
    for (size_t i = 0; spec_table[i]; i++) {
        print_message("%s\n", spec_table[i]->name);
        assert_int_equal(broken_by(CONTRACT_KEPT, spec_table[i], NULL), CONTRACT_KEPT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_contract),
        cmocka_unit_test(test_without_equal),
        cmocka_unit_test(test_tree),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
