/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/memory/small.h"

#include "oracle/finding.h"
#include "oracle/memory/build.h"
#include "oracle/memory/compare.h"
#include "oracle/memory/counts.h"
#include "oracle/memory/draw.h"
#include "oracle/memory/engines.h"
#include "oracle/memory/forge.h"
#include "oracle/memory/history.h"
#include "oracle/memory/kernel.h"
#include "oracle/memory/models.h"
#include "oracle/memory/oracle.h"
#include "oracle/memory/write.h"
#include "support/chance.h"

#include <assay.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *last_lines[MODELS]; /* proofs about a neighbour */
int slow_percent = 2;

void free_lines(char *lines[MODELS])
{
    for (int m = 0; m < MODELS; m++) {
        free(lines[m]);
        lines[m] = NULL;
    }
}

/* The same verdicts of the history in another format */
static void check_form(const struct history *h, const assay_history *a, const char *text, const char *format,
                       const bool ok[MODELS])
{
    assay_error e = {0};
    char *bytes = written_as(a, format, &e);
    if (!bytes && strcmp(format, "axe"))
        finding(text, "not written as %s: %s", format, e.message);
    assay_history *b = bytes ? parse(bytes, format) : NULL;
    if (b) {
        char first[17], second[17];
        counts.forms++;
        assay_history_digest(a, first);
        assay_history_digest(b, second);
        if (strcmp(format, "axe") && strcmp(first, second))
            finding(text, "another digest as %s:\n%s", format, bytes);
        for (int k = 0; k < 3; k++) {
            int m = below(MODELS);
            compare(h, b, bytes, m, ok[m], &(assay_options){ASSAY_OPTIONS_INIT}, NULL);
        }
    }
    assay_history_free(b);
    free(bytes);
}

static void check_built(const struct history *h, const char *text, const bool ok[MODELS])
{
    assay_error e = {0};
    assay_history *b = build(h, &e);
    if (e.code)
        finding(text, "built by calls: %s", e.message);
    counts.forms += b != NULL;
    for (int m = 0; b && m < MODELS; m++)
        if (chance(40))
            compare(h, b, text, m, ok[m], &(assay_options){ASSAY_OPTIONS_INIT, .evidence = chance(50)}, NULL);
    assay_history_free(b);
}

static void check_grade(const struct history *h, const assay_history *a, const char *text, const bool ok[MODELS])
{
    bool may[MODELS];
    for (int m = 0; m < MODELS; m++)
        may[m] = may_decline(h, m);
    counts.gradings++;
    int seen = compare_grading(a, text, model_names, MODELS, ok, may);
    if (seen != MODELS)
        finding(text, "graded: %d of %d models", seen, MODELS);
}

/* Several models with what they share computed once, in any order */
static void check_shared(const struct history *h, const assay_history *a, const char *text, const bool ok[MODELS])
{
    assay_error e = {0};
    assay_options o = {ASSAY_OPTIONS_INIT, .evidence = chance(50)};
    assay_checker *c = assay_checker_new(a, &o, &e);
    for (int k = 0; c && k < 12; k++) {
        int m = below(MODELS);
        assay_error f = {0};
        assay_result *r = assay_checker_run(c, model_names[m], &f);
        compared.of_engines += r != NULL;
        if (r && (assay_result_verdict(r) == ASSAY_CONSISTENT) != ok[m])
            finding(text, "%s of several: %s, the definition says %s", model_names[m],
                    assay_verdict_name(assay_result_verdict(r)), verdict_word(ok[m]));
        if (r && assay_result_proved(r))
            confirm(&(struct question){.history = a, .text = text, .model = model_names[m]}, r);
        else if (!r && !may_decline(h, m))
            finding(text, "%s of several: %s", model_names[m], f.message);
        assay_result_free(r);
    }
    if (!c)
        finding(text, "no checker: %s", e.message);
    assay_checker_free(c);
}

/* A part of the history is judged like any other. */
static void check_slice(const struct history *h, const assay_history *a, const char *text)
{
    struct history cut = *h;
    bool keep[MAX_OPS], ok[MODELS];
    for (int i = 0; i < h->n; i++)
        keep[i] = chance(75);
    keep_only(&cut, keep);
    assay_history *b = assay_history_slice(a, keep);
    counts.slices++;
    oracle(&cut, ok);
    for (int k = 0; b && k < 3; k++) {
        int m = below(MODELS);
        compare(&cut, b, text, m, ok[m], &(assay_options){ASSAY_OPTIONS_INIT, .evidence = true}, NULL);
    }
    assay_history_free(b);
}

bool is_slow(const char *engine)
{
    return !strncmp(engine, "datalog", 7);
}

/* Every engine but for the search of tso decides histories with an order across threads as it does others. */
static void same_engines(const assay_history *across, const struct history *h, const char *text)
{
    struct history plain = *h;
    plain.po_after = false;
    char *other = history_text(&plain, (struct style){.thread = "t%d"});
    assay_history *b = parse(other, "hist");
    for (int k = 0; b && k < engines_found; k++) {
        int m = below(MODELS);
        if (is_slow(engines[k]) || by_logic(h, m) || (m == TSO && strstr(engines[k], "search")))
            continue;
        assay_error e = {0}, f = {0};
        assay_options o = {ASSAY_OPTIONS_INIT, .engine = engines[k]};
        assay_result *with = assay_check(across, model_names[m], &o, &e),
                     *without = assay_check(b, model_names[m], &o, &f);
        if (!with != !without)
            finding(text, "%s by %s %s: %s", model_names[m], engines[k],
                    with ? "only across threads" : "not across threads", with ? f.message : e.message);
        assay_result_free(with);
        assay_result_free(without);
    }
    assay_history_free(b);
    free(other);
}

static void check_engines(const struct history *h, const assay_history *a, const char *text, const bool ok[MODELS],
                          bool slow)
{
    for (int k = 0; k < engines_found; k++)
        for (int m = 0; m < MODELS; m++) {
            if (is_slow(engines[k]) ? !slow || !chance(20) : !chance(40))
                continue;
            assay_options o = {ASSAY_OPTIONS_INIT, .engine = engines[k], .evidence = chance(70)};
            compare(h, a, text, m, ok[m], &o, NULL);
        }
}

static bool stays_in_order(const struct style *s)
{
    return !s->shuffle && s->times != EVENTS;
}

void check_small(const struct history *h, int forge)
{
    struct style s = any_style();
    char *text = history_text(h, s), *lines[MODELS] = {NULL};
    bool ok[MODELS];
    assay_history *a = parse(text, "hist");
    oracle(h, ok);
    for (int m = 0; a && m < MODELS; m++)
        if (!by_logic(h, m) || chance(10))
            compare(h, a, text, m, ok[m], &(assay_options){ASSAY_OPTIONS_INIT, .evidence = true}, &lines[m]);
    if (a) {
        counts.histories++;
        check_engines(h, a, text, ok, chance(slow_percent));
        if (h->po_after && chance(30))
            same_engines(a, h, text);
        if (chance(h->po_after ? 3 : 20)) /* a grading asks logic programs */
            check_grade(h, a, text, ok);
        if (chance(30))
            check_form(h, a, text, chance(50) ? "jsonl" : "hist", ok);
        if (chance(30))
            check_form(h, a, text, "axe", ok);
        if (chance(20))
            check_built(h, text, ok);
        if (chance(h->po_after ? 2 : 10))
            check_shared(h, a, text, ok);
        if (chance(15) && stays_in_order(&s))
            check_slice(h, a, text);
        if (chance(40) && stays_in_order(&s) && unique_values(h) && !pending_writes(h) && !h->po_after)
            for (int tso = 0; tso < 2; tso++)
                check_kernel(h, a, text, tso, ok[tso ? TSO : SC]);
        if (forge && chance(forge)) {
            struct truth t = {a, text, model_names, MODELS, ok};
            forge_proofs(&t, lines, 12, forge_once_of_memory);
            forge_proofs(&t, last_lines, 4, forge_once_of_memory);
            if (stays_in_order(&s))
                invent_proofs(h, &t, 30);
        }
    }
    free_lines(last_lines);
    memcpy(last_lines, lines, sizeof lines);
    assay_history_free(a);
    free(text);
}

void small_family(int forge)
{
    struct history h;
    draw_small(&h);
    check_small(&h, forge);
    for (int k = 0; k < 2; k++) {
        bend_read(&h);
        if (effort(&h) < 1500)
            check_small(&h, forge);
    }
}
