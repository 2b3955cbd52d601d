/* SPDX-License-Identifier: Apache-2.0 */
/* A user's specification that runs out of memory: its hooks are told by NULL and return, the check ends after that. And
 * one whose states monitors can save. */
#include "assay_monitor.h"
#include "assay_spec.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { APPEND };

static const assay_method methods[] = {
    {"append", "append(value) => how many there are", APPEND, 1, ASSAY_NO_KEY, ASSAY_RESULT_REQUIRED},
    {0},
};

/* Hooks that were entered and not left: as many as there are destructors that never ran, if they were C++. */
static int inside;
static unsigned refused; /* times that a hook was told by NULL */

struct appended {
    assay_memory *memory;
    int64_t *values;
    size_t n, room;
};

static void *told(void *block)
{
    refused += !block;
    return block;
}

static void *new_state(assay_memory *m)
{
    struct appended *x = told(assay_memory_get(m, sizeof *x));
    if (x)
        x->memory = m;
    return x;
}

static void *copy(const void *state, assay_memory *m)
{
    const struct appended *from = state;
    inside++;
    struct appended *x = new_state(m);
    if (x && from->n) {
        x->values = told(assay_memory_get(m, from->n * sizeof *x->values));
        if (x->values) {
            memcpy(x->values, from->values, from->n * sizeof *x->values);
            x->n = x->room = from->n;
        }
    }
    inside--;
    return x;
}

static void destroy(void *state, assay_memory *m)
{
    assay_memory_free(m, ((struct appended *)state)->values);
    assay_memory_free(m, state);
}

static bool make_room(struct appended *x)
{
    size_t room = x->room ? 2 * x->room : 1;
    int64_t *values = told(assay_memory_resize(x->memory, x->values, room * sizeof *values));
    if (!values)
        return false;
    x->values = values;
    x->room = room;
    return true;
}

static assay_effect step(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved)
{
    struct appended *x = state;
    (void)choice;
    (void)saved;
    inside++;
    bool fits = x->n < x->room || make_room(x);
    if (fits) {
        x->values[x->n++] = call->args[0].integer;
        *result = assay_int((int64_t)x->n);
    }
    inside--;
    return fits ? ASSAY_CHANGED : ASSAY_BLOCKED;
}

static void *create(const assay_setting *s, assay_value key, assay_memory *m)
{
    (void)key;
    inside++;
    struct appended *x = new_state(m);
    for (size_t i = 0; x && i < s->init_count; i++) {
        assay_saved saved;
        assay_value length;
        step(x, &(assay_call){.method = APPEND, .args = &s->init[i].value}, 0, &length, &saved);
    }
    inside--;
    return x;
}

static void undo(void *state, const assay_call *call, const assay_saved *saved)
{
    (void)call;
    (void)saved;
    ((struct appended *)state)->n--;
}

static void digest(const void *state, uint64_t out[2])
{
    const struct appended *x = state;
    assay_digest(x->values, x->n * sizeof *x->values, out);
}

static bool equal(const void *a, const void *b)
{
    const struct appended *x = a, *y = b;
    return x->n == y->n && (!x->n || memcmp(x->values, y->values, x->n * sizeof *x->values) == 0);
}

static const assay_spec appending = {
    .version = ASSAY_SPEC_VERSION,
    .name = "appended",
    .title = "values one after another",
    .methods = methods,
    .create = create,
    .copy = copy,
    .destroy = destroy,
    .step = step,
    .undo = undo,
    .digest = digest,
    .equal = equal,
};

/* Two threads append at the same times; in every pair the second was first. */
static assay_history *appends(int n)
{
    assay_history *h = assay_history_new();
    assay_error e = {0};
    for (int i = 0; i < n; i++) {
        assay_value value = assay_int(i);
        assay_operation op = {.thread = i % 2 ? "b" : "a",
                              .method = "append",
                              .args = &value,
                              .arg_count = 1,
                              .result = assay_int(i % 2 ? i : i + 2),
                              .timed = true,
                              .call_time = i / 2 * 10,
                              .return_time = i / 2 * 10 + 5};
        assay_history_add(h, &op, &e);
    }
    assert_int_equal(e.code, ASSAY_OK);
    return h;
}

static assay_result *check(const assay_history *h, const char *engine, size_t memory)
{
    assay_error e = {0};
    assay_options options = {ASSAY_OPTIONS_INIT, .spec = &appending, .engine = engine, .memory = memory,
                             .evidence = true};
    assay_result *r = assay_check(h, "lin", &options, &e);
    if (!r)
        fail_msg("%s: %s", engine ? engine : "any", e.message);
    assert_int_equal(inside, 0);
    return r;
}

static void the_check_ends_after_the_hook(void **state)
{
    (void)state;
    static const char *const engines[] = {"wgl", "jit"};
    assay_history *h = appends(60);
    for (size_t g = 0; g < sizeof engines / sizeof *engines; g++) {
        assay_result *r = check(h, engines[g], 0);
        assert_int_equal(assay_result_verdict(r), ASSAY_CONSISTENT);
        size_t needed = assay_result_bytes(r);
        assay_result_free(r);
        refused = 0;
        for (size_t memory = 1; memory < needed; memory += needed / 200 + 1) { /* wherever it runs out */
            unsigned before = refused;
            r = check(h, engines[g], memory);
            if (refused > before)
                assert_int_equal(assay_result_verdict(r), ASSAY_UNDECIDED);
            if (assay_result_verdict(r) == ASSAY_UNDECIDED)
                assert_non_null(strstr(assay_result_undecided(r), "memory budget"));
            else
                assert_int_equal(assay_result_verdict(r), ASSAY_CONSISTENT);
            assay_result_free(r);
        }
        assert_true(refused > 0);
    }
    assay_history_free(h);
}

static char *evidence(const assay_result *r)
{
    char *line = NULL;
    size_t size;
    FILE *out = open_memstream(&line, &size);
    assert_non_null(out);
    assert_true(assay_result_write_evidence(r, 0, out));
    fclose(out);
    return line;
}

static void recheck_ends_after_the_hook(void **state)
{
    (void)state;
    assay_history *h = appends(60);
    assay_result *r = check(h, NULL, 0);
    char *line = evidence(r);
    refused = 0;
    for (size_t memory = 1;; memory += 97) {
        assay_error e = {0};
        assay_options options = {ASSAY_OPTIONS_INIT, .spec = &appending, .memory = memory};
        unsigned before = refused;
        bool accepted = assay_recheck_with(h, line, &options, NULL, NULL, &e);
        assert_int_equal(inside, 0);
        if (accepted) {
            assert_int_equal(refused, before);
            break;
        }
        assert_int_equal(e.code, ASSAY_ERROR_BUDGET);
    }
    assert_true(refused > 0);
    free(line);
    assay_result_free(r);
    assay_history_free(h);
}

/* A user's allocator of its own may fail, too. */
static void *create_nothing(const assay_setting *s, assay_value key, assay_memory *m)
{
    (void)s;
    (void)key;
    (void)m;
    return NULL;
}

static void no_state_is_no_memory(void **state)
{
    (void)state;
    assay_spec spec = appending;
    spec.create = create_nothing;
    assay_history *h = appends(4);
    assay_result *r = assay_check(h, "lin", &(assay_options){ASSAY_OPTIONS_INIT, .spec = &spec}, NULL);
    assert_true(!r || assay_result_verdict(r) == ASSAY_UNDECIDED);
    assay_result_free(r);
    assay_history_free(h);
}

/* ---- a state that is saved ---- */

static void content(const void *state, void (*visit)(void *arg, assay_binding b), void *arg)
{
    const struct appended *x = state;
    for (size_t i = 0; i < x->n; i++)
        visit(arg, (assay_binding){.value = assay_int(x->values[i])});
}

static bool feed(assay_monitor *m, const char *lines)
{
    assay_error e = {0};
    return assay_monitor_feed(m, lines, strlen(lines), &e);
}

static void a_monitor_saves_its_state(void **state)
{
    (void)state;
    assay_spec spec = appending;
    assay_monitor_options options = {ASSAY_MONITOR_OPTIONS_INIT, .spec = &spec, .saves = 1};
    assay_error e = {0};
    char *bytes = NULL;
    size_t n = 0, pending = 0;
    assay_monitor *m = assay_monitor_open(NULL, &options, &e);
    assert_false(m && feed(m, "[1] call append(7)\n")); /* it has no content */
    assay_monitor_close(m);
    spec.content = content;
    m = assay_monitor_open(NULL, &options, &e);
    assert_true(feed(m, "[1] call append(7)\n[1] return 1\n[2] call append(8)\n"));
    FILE *out = open_memstream(&bytes, &n);
    assert_true(assay_monitor_save(m, out, &pending, &e));
    fclose(out);
    assay_monitor_close(m);
    m = assay_monitor_open(NULL, &options, &e);
    assert_true(assay_monitor_load(m, bytes, n, &e));
    assert_true(feed(m, "[2] return 2\n[1] call append(9)\n[1] return 3\n"));
    assert_int_equal(assay_monitor_verdict(m), ASSAY_CONSISTENT);
    feed(m, "[1] call append(9)\n[1] return 3\n");
    assert_int_equal(assay_monitor_verdict(m), ASSAY_VIOLATION);
    assay_monitor_close(m);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_check_ends_after_the_hook),
        cmocka_unit_test(recheck_ends_after_the_hook),
        cmocka_unit_test(no_state_is_no_memory),
        cmocka_unit_test(a_monitor_saves_its_state),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
