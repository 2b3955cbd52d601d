/* SPDX-License-Identifier: Apache-2.0 */
/* Cuts of objects against a plain search that is written here.
 *
 * Each kind of cut (docs/internals/algorithms.md) is made here a second time, from its description. Of a linearizable history
 * every cut must leave a linearizable one. What assay_shrink leaves of a violation must be a violation, be reached by
 * cuts that are allowed, have a proof that recheck accepts, and have the pattern of the whole. No further cut may leave
 * such a violation. Verdicts with `@init ?` are compared, too. */
#include "cross/cuts/cuts.h"
#include "cross/cuts/draw.h"
#include "support/chance.h"
#include "support/evidence_line.h"
#include "support/load.h"
#include "support/tier.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    unsigned consistent, violations, cuts, windows, refused;
    bool failed;
} seen;

static void complain(const struct sketch *s, const char *what, const assay_history *rest)
{
    char text[TEXT];
    print_sketch(text, s);
    printf("%s:\n%s", what, text);
    if (rest) {
        puts("left is:");
        assay_history_write(rest, "hist", 0, stdout, NULL);
    }
    seen.failed = true;
}

static void cuts_keep_it_consistent(const struct sketch *s)
{
    bool made;
    struct sketch rest = *s;
    for (int i = 0; cut(&rest, i, &made); i++, rest = *s)
        if (made && ++seen.cuts && !linearizable(&rest)) {
            char what[64];
            snprintf(what, sizeof what, "cut %d of a linearizable history leaves none", i);
            complain(s, what, NULL);
        }
}

static bool proved(const assay_history *h, const assay_result *r)
{
    char *line = evidence_line(r);
    uint32_t index;
    assay_error e = {0};
    bool yes = line && assay_recheck(h, line, &index, &e);
    free(line);
    return yes;
}

static struct sketch sketch_of(const struct sketch *s, const assay_history *h, const uint32_t *kept)
{
    struct sketch rest = *s;
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    assay_history_write(h, "hist", 0, f, NULL);
    fclose(f);
    rest.any = strstr(text, "?\n") && strstr(text, "# @init") && strstr(text, "?\n") < strstr(text, "\nt");
    free(text);
    rest.n = (int)assay_history_size(h);
    for (int i = 0; i < rest.n; i++) {
        rest.op[i] = s->op[kept[i]];
        assay_operation op = assay_history_operation(h, (uint32_t)i);
        if (op.pending)
            leave_open(&rest, i);
        if (strstr(op.thread, "-open"))
            rest.op[i].thread = OWN + rest.op[i].number;
    }
    return rest;
}

static bool one_key(const struct sketch *s)
{
    for (int i = 1; i < s->n; i++)
        if (s->op[i].key != s->op[0].key)
            return false;
    return true;
}

/* Is the violation of the pattern? */
static bool has_pattern(const struct sketch *s, const char *pattern)
{
    char text[TEXT];
    assay_error e = {0};
    print_sketch(text, s);
    assay_history *h = load_text(text, &e);
    assay_result *r = h ? assay_check(h, "lin", NULL, &e) : NULL;
    bool yes = r && assay_result_verdict(r) == ASSAY_VIOLATION && strcmp(assay_result_pattern(r), pattern) == 0;
    assay_result_free(r);
    assay_history_free(h);
    return yes;
}

static void shrinks_well(const struct sketch *s, const assay_history *h, const assay_result *r)
{
    uint32_t kept[MOST];
    assay_error e = {0};
    assay_history *small = assay_shrink(r, NULL, kept, &e);
    assay_result *again = small ? assay_check(small, "lin", NULL, &e) : NULL;
    struct sketch rest = small ? sketch_of(s, small, kept) : *s;
    bool made;
    (void)h;
    seen.windows += rest.any && !s->any;
    if (one_key(&rest))
        rest.keys = 1;
    if (!again || assay_result_verdict(again) != ASSAY_VIOLATION || linearizable(&rest))
        complain(s, "shrinking leaves no violation", small);
    else if (!proved(small, again))
        complain(s, "the proof of what shrinking leaves is refused", small);
    else if (strcmp(assay_result_pattern(again), assay_result_pattern(r)) != 0)
        complain(s, "shrinking leaves another pattern", small);
    else if (rest.keys == 1 && !reachable(s, &rest))
        complain(s, "shrinking makes a cut that is not allowed", small);
    for (int i = 0; i < rest.n; i++)
        if (assay_history_operation(small, (uint32_t)i).line != assay_history_operation(h, kept[i]).line)
            complain(s, "shrinking changes a line", small);
    struct sketch less = rest;
    for (int i = 0; cut(&less, i, &made); i++, less = rest)
        if (made && less.n < rest.n && !linearizable(&less) && has_pattern(&less, assay_result_pattern(r)))
            complain(s, "shrinking leaves a cut to be made", small);
    assay_result_free(again);
    assay_history_free(small);
}

static void test_one(void)
{
    struct sketch s = random_sketch();
    char text[TEXT];
    print_sketch(text, &s);
    assay_error e = {0};
    assay_history *h = load_text(text, &e);
    const assay_options options = {ASSAY_OPTIONS_INIT, .evidence = true};
    assay_result *r = h ? assay_check(h, "lin", &options, &e) : NULL;
    bool fine = linearizable(&s);
    if (!r) {
        seen.refused++;
        printf("%s\n", e.message);
        complain(&s, "it cannot be checked", NULL);
    } else if ((assay_result_verdict(r) == ASSAY_CONSISTENT) != fine) {
        complain(&s, fine ? "it is linearizable" : "it is not linearizable", NULL);
    } else if (!proved(h, r)) {
        complain(&s, "the proof is refused", NULL);
    } else if (fine) {
        seen.consistent++;
        cuts_keep_it_consistent(&s);
    } else {
        seen.violations++;
        shrinks_well(&s, h, r);
    }
    assay_result_free(r);
    assay_history_free(h);
}

int main(int argc, char **argv)
{
    struct request r = request_of(argc, argv);
    uint32_t rounds = request_count(&r, 20000, 80000, 2000000);
    for (uint64_t i = r.seed; i < r.seed + rounds && !seen.failed; i++) {
        chance_state = i;
        test_one();
        if (seen.failed)
            printf("--seed %" PRIu64 "\n", i);
    }
    printf("%u linearizable histories with %u cuts, %u violations shrunk, %u of them to windows\n", seen.consistent,
           seen.cuts, seen.violations, seen.windows);
    return seen.failed || seen.cuts < rounds / 10 || seen.windows < rounds / 200;
}
