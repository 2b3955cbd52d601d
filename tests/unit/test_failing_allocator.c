/* SPDX-License-Identifier: Apache-2.0 */
/* Out of memory at every possible place: the n-th allocation of the whole way from text to report fails,
 * for n = 0, 1, 2, ... until a run gets through. Each run must end in a clean error or in `undecided`;
 * built with the address sanitizer, it must also leave nothing behind. */
#include "engine/engine.h"
#include "memory/solver.h"
#include "support/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char *const texts[] = {
    "# @init x=7\n"
    "t0: write(z, 1)\n"
    "t0: write(x, 1)\n"
    "t0: write(y, \"a string\")\n"
    "t1: write(x, 2)\n"
    "t1: read(z) => 0\n"
    "t1: read(y) => \"a string\"\n"
    "t1: read(x) => 2\n",
    /* only search refutes sc */
    "t0: read(z) => 2\nt0: write(y, 2)\nt0: read(x) => 1\n"
    "t1: write(x, 1)\nt1: write(y, 1)\nt1: write(z, 1)\n"
    "t2: write(t, 1)\nt2: write(s, 1)\nt2: write(z, 2)\n"
    "t3: read(z) => 2\nt3: write(x, 2)\nt3: read(y) => 1\n"
    "t4: read(z) => 1\nt4: write(t, 2)\nt4: read(s) => 1\n"
    "t5: read(z) => 1\nt5: write(s, 2)\nt5: read(t) => 1\n",
    /* only search finds all of its kernel */
    ("t0: write(x, 1)\nt0: read(y) => 1\nt1: write(y, 1)\nt1: write(x, 2)\n"
     "t2: write(y, 3)\nt2: read(x) => 2\nt3: read(x) => 1\nt3: read(y) => 3\n"),
    /* objects */
    ("# @object queue\n# @init [7, 8]\n[a] call enq(1)\n[b] call deq\n[a] return\n[c] call enq(2)\n[b] return 7\n[d] "
     "call deq\n"
     "[d] return 8\n[c] return\n[e] call deq\n"),
    ("# @object stack\n[a] call push(1)\n[a] return\n[b] call push(2)\n[b] return\n[c] call pop\n[c] return 1\n"
     "[d] call pop\n[d] return empty\n"),
    ("t0: write(x, 1) @ after\nt0: read(y) => 0 @ after t1:1\nt1: write(y, 1) @ after\n"
     "t1: read(x) => 0 @ after t0:1\nt2: rmw(x, 1, 2) @ after t1:2\n"),
};
enum { TEXTS = sizeof texts / sizeof *texts };

/* What each stage returns: did it get through? If not, an error must say why. */
static bool through(bool ok, const assay_error *e)
{
    if (!ok) {
        assert_int_equal(e->code, ASSAY_ERROR_RESOURCE);
        assert_true(e->message[0] != '\0');
    }
    return ok;
}

static bool recheck_line(const assay_history *h, const char *line)
{
    uint32_t index;
    assay_error e = {0};
    return through(assay_recheck(h, line, &index, &e), &e);
}

static bool prove(const assay_history *h, const assay_result *r)
{
    char *line = NULL;
    size_t n;
    FILE *out = open_memstream(&line, &n);
    assert_non_null(out);
    bool ok = assay_result_write_evidence(r, 0, out);
    fclose(out);
    ok = ok && recheck_line(h, line);
    free(line);
    return ok;
}

static bool show(const assay_result *r)
{
    char *shown = NULL;
    size_t n;
    bool ok = true;
    FILE *out = open_memstream(&shown, &n);
    assert_non_null(out);
    for (size_t i = 0; i < assay_family_size(ASSAY_REPORTS) && ok; i++) {
        assay_error e = {0};
        assay_report_options options = {ASSAY_REPORT_OPTIONS_INIT, .file = "a.hist", .explain = true};
        const char *report = assay_family_member(ASSAY_REPORTS, i).name;
        ok = through(assay_result_report(r, report, &options, out, &e), &e);
    }
    fclose(out);
    free(shown);
    return ok;
}

static bool shrink(const assay_result *r)
{
    assay_error e = {0};
    assay_history *smaller = assay_shrink(r, NULL, NULL, &e);
    bool ok = through(smaller, &e);
    assay_history_free(smaller);
    return ok;
}

/* Was it left undecided for want of something? An engine that finds violations only may just have found none. */
static bool ended_early(const assay_result *r)
{
    return assay_result_verdict(r) == ASSAY_UNDECIDED && !strstr(assay_result_undecided(r), "finds violations only");
}

static bool check(const assay_history *h, const char *engine, const char *model)
{
    assay_error e = {0};
    assay_options options = {ASSAY_OPTIONS_INIT, .evidence = true, .engine = engine};
    assay_result *r = assay_check(h, model, &options, &e);
    if (!r && e.code == ASSAY_ERROR_NOT_APPLICABLE)
        return true;
    bool ok = through(r, &e) && !ended_early(r) && show(r);
    if (ok && assay_result_proved(r))
        ok = prove(h, r) && (assay_result_verdict(r) != ASSAY_VIOLATION || shrink(r));
    assay_result_free(r);
    return ok;
}

static bool kernel(const assay_history *h)
{
    assay_error e = {0};
    assay_kernel *k = assay_kernel_of(h, NULL, &e);
    bool ok = k || e.code == ASSAY_ERROR_NOT_APPLICABLE; /* not sequentially consistent */
    through(ok, &e);
    assay_kernel_free(k);
    return ok;
}

/* It was not met, or is one that no want of memory put there. */
static bool genuine(assay_obstacle o)
{
    return !o.met || (o.result ? !ended_early(o.result) : through(false, o.error));
}

/* Of an object; the levels of a memory are none. */
static bool strongest(const char *text)
{
    assay_error e = {0};
    assay_history *h = load_text(text, &e);
    assay_strongest *s = h ? assay_strongest_new(NULL, &e) : NULL;
    if (!s)
        assay_history_free(h);
    bool found = s && assay_strongest_add(s, h, "a", 0, &e) && assay_strongest_find(s, NULL, NULL, &e);
    bool ok = through(found || e.code == ASSAY_ERROR_NOT_APPLICABLE, &e) && genuine(assay_strongest_base(s));
    for (size_t i = 0; ok && i < assay_strongest_methods(s); i++)
        ok = genuine(assay_strongest_method(s, i).obstacle);
    assay_strongest_free(s);
    return ok;
}

static bool grade(const assay_history *h)
{
    assay_error e = {0};
    assay_grading *g = assay_grade(h, NULL, &e);
    bool ok = through(g, &e);
    for (size_t i = 0; ok && i < assay_grading_size(g); i++) {
        const assay_result *r = assay_grading_result(g, i);
        const assay_error *why = assay_grading_error(g, i);
        ok = r ? assay_result_verdict(r) != ASSAY_UNDECIDED : why->code == ASSAY_ERROR_NOT_APPLICABLE;
    }
    assay_grading_free(g);
    return ok;
}

static bool convert(const assay_history *h, const char *format)
{
    char *written = NULL;
    size_t n;
    assay_error e = {0};
    FILE *out = open_memstream(&written, &n);
    assert_non_null(out);
    bool ok = assay_history_write(h, format, 0, out, &e) || e.code == ASSAY_ERROR_NOT_APPLICABLE;
    through(ok, &e);
    fclose(out);
    free(written);
    return ok;
}

/* Logs of other tools, for which reading and writing are tried. */
static const struct {
    const char *format, *text;
} logs[] = {
    {"jsonl", "{\"type\":\"header\",\"key\":\"note\",\"value\":\"a\"}\n"
              "{\"thread\":\"t0\",\"method\":\"push\",\"args\":[\"a\\n\",5,{\"string\":\"x\"}]}\n"
              "{\"thread\":\"t1\",\"method\":\"pop\",\"result\":5,\"after\":{\"t0\":1}}\n"},
    {"edn", "[{:process 0 :type :invoke :f :cas :value [1 \"a\\n\"] :x [(#{1})]}\n"
            "{:process 0 :type :info :f :cas :value [1 \"a\\n\"]}\n"
            "#Op{:process 0 :type :invoke :f :write :value b}]"},
    {"jsonl", "[{\"thread\":0,\"method\":\"enq\",\n\"args\":[5]},\n{\"thread\":1,\"method\":\"deq\",\"result\":5}]\n"},
    {"csv", "# @object queue\nthread,method,arguments,result,call,return\na,enq,\"\"\"x y\"\" 2\",,1,2\n"},
    {"edn", "#t ^{:a 1} [{:process 0 :type :invoke :f :drain}{:process 0 :type :ok :f :drain :value [1 2 3]}]"},
    {"edn", "{:process 0 :type :invoke :f :transfer :value {:from 0 :to 1 :amount 2}}\n"
            "{:process 1 :type :invoke :f :read}{:process 1 :type :ok :f :read :value {1 2, 0 3}}"},
    {"edn", "{:process 0 :type :invoke :f :read :value #tuple [7 nil]}\n"
            "{:process 0 :type :ok :f :read :value #tuple [7 #{1 2}]}"},
    {"jepsen-txt", "1 :invoke :read nil\n1 :ok :read 7\n"},
    {"jepsen-log", "INFO jepsen.util - 1 :invoke :read nil\nINFO jepsen.util - 1 :ok :read 7\n"},
    {"kv-log", "{:process 0 :type :invoke :f :append :key \"k\" :value \"v\"}\n"},
    {"set-log", "1 invokes add 5\n1 returns true\n"},
};
enum { LOGS = sizeof logs / sizeof *logs };

static void convert_log(assay_history *h, void *arg)
{
    *(bool *)arg = convert(h, "hist") && convert(h, "jsonl");
}

/* What is tried: reading, grading and writing; or one engine and model; or a log. */
struct stage {
    const char *text, *format; /* format: of a log; NULL: .hist */
    const char *engine;        /* with its variant; NULL: the former */
    const struct model *model;
};

/* The whole way; false as soon as something does not get through. */
static bool go(const struct stage *s)
{
    assay_error e = {0};
    if (s->format) {
        bool fine = false;
        size_t n = load_each(s->format, s->text, strlen(s->text), convert_log, &fine, &e);
        return through(n == 1 && !e.code, &e) && fine;
    }
    assay_history *h = load_text(s->text, &e);
    bool ok = through(h, &e);
    if (s->engine)
        ok = ok && check(h, s->engine, s->model->name);
    else
        ok = ok && grade(h) && kernel(h) && convert(h, "hist") && convert(h, "datalog") && strongest(s->text);
    assay_history_free(h);
    return ok;
}

/* The logic program runs in a process of its own, which has its own tests. */
static bool decides(const struct engine *g, const struct model *m)
{
    return strcmp(g->name, "datalog") != 0 && !(g->missing && g->missing()) && engine_decides(g, m->conditions);
}

/* The engine as it is, and, where it uses a solver, with each that is there. */
static void each_variant(void (*try)(const struct stage *s), const struct stage *s, const struct engine *g)
{
    struct stage each = *s;
    char name[64];
    each.engine = g->name;
    try(&each);
    for (size_t i = 0; g->variants == solver_variants && sat_table[i]; i++) {
        snprintf(name, sizeof name, "%s:%s", g->name, sat_table[i]->name);
        each.engine = name;
        if (!sat_table[i]->missing())
            try(&each);
    }
}

static void each_stage(void (*try)(const struct stage *s))
{
    for (int i = 0; i < TEXTS; i++) {
        try(&(struct stage){.text = texts[i]});
        for (size_t g = 0; engine_table[g]; g++)
            for (size_t m = 0; model_table[m]; m++)
                if (decides(engine_table[g], model_table[m]))
                    each_variant(try, &(struct stage){.text = texts[i], .model = model_table[m]}, engine_table[g]);
    }
    for (int i = 0; i < LOGS; i++)
        try(&(struct stage){.text = logs[i].text, .format = logs[i].format});
}

/* ---- in the build with the allocator that fails: nested.hostile ---- */

#ifdef ASSAY_FAILING_ALLOCATOR

static long failed;

/* The first hundred of each stage one by one, later ones at a growing distance: stages share most of what
 * they run through. */
static void fail_each_allocation(const struct stage *s)
{
    bool done = false;
    for (long n = 0; !done; n += 1 + (n > 100 ? n / 16 : 0)) {
        assert_true(n < 100000);
        mem_fail_after(n);
        done = go(s);
        mem_fail_after(-1);
        failed += !done;
    }
}

static void every_allocation_can_fail(void **state)
{
    (void)state;
    each_stage(fail_each_allocation);
    print_message("%ld allocations, failed one at a time\n", failed);
}

#endif

/* ---- in every build ---- */

static void get_through(const struct stage *s)
{
    if (!go(s))
        fail_msg("%s by %s", s->model ? s->model->name : "grading", s->engine ? s->engine : "all");
}

static void without_failures_it_gets_through(void **state)
{
    (void)state;
    mem_fail_after(-1);
    each_stage(get_through);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_failures_it_gets_through),
#ifdef ASSAY_FAILING_ALLOCATOR
        cmocka_unit_test(every_allocation_can_fail),
#endif
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
