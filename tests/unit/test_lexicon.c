/* SPDX-License-Identifier: Apache-2.0 */
/* Names explained: every member of a family has a page, every example has the verdict and the pattern that its page
 * claims, and names are found however they are written. */
#include "assay.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* ---- completeness ---- */

static bool has_page(const char *name, const char *kind)
{
    assay_explained p;
    for (size_t i = 0; (p = assay_explain(name, i)).kind; i++)
        if (strcmp(p.name, name) == 0 && (strcmp(p.kind, kind) == 0 || strcmp(p.kind, "level") == 0))
            return true;
    return false;
}

static void every_member_has_a_page(void **state)
{
    (void)state;
    static const struct {
        assay_family family;
        const char *kind;
    } families[] = {{ASSAY_PATTERNS, "pattern"},
                    {ASSAY_MODELS, "model"},
                    {ASSAY_OBJECTS, "object"},
                    {ASSAY_ENGINES, "engine"},
                    {ASSAY_FORMATS, "format"}};
    for (size_t f = 0; f < sizeof families / sizeof *families; f++)
        for (size_t i = 0; i < assay_family_size(families[f].family); i++) {
            const char *name = assay_family_member(families[f].family, i).name;
            if (!has_page(name, families[f].kind))
                fail_msg("the %s %s has no page: src/lexicon", families[f].kind, name);
        }
}

static void every_page_is_whole(void **state)
{
    (void)state;
    assay_explained p;
    for (size_t i = 0; (p = assay_explained_at(i)).kind; i++) {
        bool of_a_family = strcmp(p.kind, "anomaly") != 0;
        if (!p.text || !p.context || !p.read || (of_a_family && !p.title) || (p.example && !(p.format && p.model)))
            fail_msg("the page of %s lacks something", p.name);
        for (const char *at = p.text; at; at = strstr(at + 1, "  "))
            if (at != p.text)
                fail_msg("the text about %s has two blanks in a row", p.name);
        for (size_t j = 0; j < i; j++) {
            assay_explained q = assay_explained_at(j);
            if (strcmp(p.name, q.name) == 0 && strcmp(p.kind, q.kind) == 0)
                fail_msg("%s has two pages", p.name);
        }
    }
    assert_null(assay_explained_at(1000000).kind);
}

/* ---- examples ---- */

static bool available(const char *engine)
{
    for (size_t i = 0; engine && i < assay_family_size(ASSAY_ENGINES); i++) {
        assay_member m = assay_family_member(ASSAY_ENGINES, i);
        if (strcmp(m.name, engine) == 0 && m.missing)
            return false;
    }
    return true;
}

/* A stale read may have its base order behind it: StaleRead-realtime. */
static bool says(const char *pattern, const char *claimed)
{
    size_t n = strlen(claimed);
    return pattern && strncmp(pattern, claimed, n) == 0 && (!pattern[n] || pattern[n] == '-');
}

static void try_example(const assay_explained *p)
{
    assay_error e = {0};
    assay_options options = {ASSAY_OPTIONS_INIT, .engine = p->engine};
    assay_reader *reader = assay_reader_open_memory("example", p->example, strlen(p->example), p->format, &e);
    assay_history *h = reader ? assay_reader_next(reader, &e) : NULL;
    assay_result *r = h ? assay_check(h, p->model, &options, &e) : NULL;
    if (!r)
        fail_msg("the example of %s: %s", p->name, e.message);
    const char *pattern = assay_result_pattern(r);
    if (assay_result_verdict(r) != (p->pattern ? ASSAY_VIOLATION : ASSAY_CONSISTENT))
        fail_msg("the example of %s has the wrong verdict", p->name);
    if (p->pattern && !says(pattern, p->pattern))
        fail_msg("the example of %s: %s instead of %s", p->name, pattern ? pattern : "no pattern", p->pattern);
    if (p->engine && strcmp(assay_result_engine(r), p->engine) != 0)
        fail_msg("the example of the engine %s is decided by %s", p->engine, assay_result_engine(r));
    assay_result_free(r);
    assay_history_free(h);
    assay_reader_close(reader);
}

static void every_example_is_true(void **state)
{
    (void)state;
    size_t tried = 0;
    assay_explained p;
    for (size_t i = 0; (p = assay_explained_at(i)).kind; i++)
        if (p.example && available(p.engine)) {
            try_example(&p);
            tried++;
        }
    assert_true(tried > 100);
}

/* ---- searching ---- */

static void expect(const char *name, const char *found)
{
    assay_explained p = assay_explain(name, 0);
    if (!p.kind || strcmp(p.name, found) != 0)
        fail_msg("'%s' leads to %s and not to %s", name, p.kind ? p.name : "nothing", found);
}

static void names_are_found_as_they_are_written(void **state)
{
    (void)state;
    expect("WriteSkew", "WriteSkew");
    expect("write-skew", "WriteSkew");
    expect("Write Skew", "WriteSkew");
    expect("A5B", "WriteSkew");
    expect("g2-ITEM", "G2-item");
    expect("LEVEL:PEER", "level:peer");
    expect("fast queue", "fast-queue");
    expect("linearizability", "lin");
    expect("bank(2,10)", "bank");
    expect("sat:eager", "sat");
    const char *const none[] = {"", "-", "no such name", "Write", "WriteSkewed", "-session"};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_null(assay_explain(none[i], 0).kind);
}

static void a_name_may_have_several_pages(void **state)
{
    (void)state;
    assert_string_equal(assay_explain("deque", 0).kind, "object");
    assert_string_equal(assay_explain("deque", 1).kind, "engine");
    assert_null(assay_explain("deque", 2).kind);
    assert_string_equal(assay_explain("causal", 0).name, "level:causal");
    assert_string_equal(assay_explain("causal", 1).name, "tcc");
    assert_null(assay_explain("causal", 2).kind);
}

static void other_names_say_what_they_mean_here(void **state)
{
    (void)state;
    assay_explained p = assay_explain("snapshot isolation", 0); /* also the title of si: -m takes it for si-plain */
    assert_string_equal(p.name, "si-plain");
    assert_true(p.renamed && !p.declined && p.difference);
    p = assay_explain("PL-1", 0);
    assert_string_equal(p.name, "rc-plain");
    assert_true(p.declined && p.difference);
    p = assay_explain("StaleRead-realtime", 0);
    assert_string_equal(p.name, "StaleRead");
    assert_non_null(p.difference);
    for (size_t i = 0; assay_model_name_at(i).name; i++)
        if (!assay_explain(assay_model_name_at(i).name, 0).kind)
            fail_msg("the name %s leads to no page", assay_model_name_at(i).name);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_member_has_a_page),       cmocka_unit_test(every_page_is_whole),
        cmocka_unit_test(every_example_is_true),         cmocka_unit_test(names_are_found_as_they_are_written),
        cmocka_unit_test(a_name_may_have_several_pages), cmocka_unit_test(other_names_say_what_they_mean_here),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
