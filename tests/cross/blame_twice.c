/* SPDX-License-Identifier: Apache-2.0 */
/* Blame, where values repeat: a removal returns a value that another one took before, so this value is taken once too
 * often.
 *
 *   blame_twice [--quick|--long]
 *
 * A collection is simulated, a call at a time, with intervals that overlap. Then the result of one removal is replaced
 * by that of an earlier one. Another copy of the value may be there, so that the wrong call fits for a while. The report
 * must name the call: as the one that its sentence is about; as one of the removals of its value, of which one is too many; or as the call
 * without whose result there is a linearization. Where another call is named, that must be as good: without its result
 * there is a linearization, too. In LEAST percent of the histories one of this holds. Every proof is rechecked. */
#include "assay.h"
#include "support/chance.h"
#include "support/evidence_line.h"
#include "support/load.h"
#include "support/tier.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, STEP = 100, WIDEST = 150, ROOM = 24, FEWEST = 4, VALUES = 9, LEAST = 97, NO_CALL = -1 };
enum kind { QUEUE, STACK, PQUEUE, DEQUE, MULTISET, KINDS };
static const char *const names[KINDS] = {"queue", "stack", "pqueue", "deque", "multiset"};

struct call {
    bool removes, front; /* front: the end of a deque */
    int value;
    int from, to; /* times */
};

struct made {
    enum kind kind;
    struct call *call;
    int n, wrong;
};

struct score {
    int violations, named, same_value, at_fault, as_good;
};

static void fail(const struct made *m, const char *what)
{
    fprintf(stderr, "%s, %d calls, operation %d is wrong, state %" PRIu64 ": %s\n", names[m->kind], m->n, m->wrong,
            chance_state, what);
    exit(1);
}

/* ---- the history ---- */

static int place_of_next(enum kind kind, bool front, const int *content, int n)
{
    int greatest = 0;
    for (int i = 1; i < n && kind == PQUEUE; i++)
        if (content[i] > content[greatest])
            greatest = i;
    if (kind == MULTISET)
        return below(n);
    return kind == STACK || (kind == DEQUE && !front) ? n - 1 : greatest;
}

static void simulate(struct made *m)
{
    int content[ROOM + 1], n = 0;
    for (int i = 0; i < m->n; i++) {
        bool adds = n < FEWEST || (n < ROOM && chance(50));
        struct call *c = &m->call[i];
        int time = (i + 2) * STEP;
        *c = (struct call){
            .removes = !adds, .front = chance(50), .from = time - below(WIDEST), .to = time + 1 + below(WIDEST)};
        int at = !adds ? place_of_next(m->kind, c->front, content, n) : m->kind == DEQUE && c->front ? 0 : n;
        if (adds) {
            memmove(content + at + 1, content + at, (size_t)(n++ - at) * sizeof *content);
            c->value = content[at] = 1 + below(VALUES);
        } else {
            c->value = content[at];
            memmove(content + at, content + at + 1, (size_t)(--n - at) * sizeof *content);
        }
    }
}

static bool corrupt(struct made *m)
{
    for (int tries = 0; tries < 100; tries++) {
        int i = m->n / 4 + below(m->n / 2), j = below(i);
        if (m->call[i].removes && m->call[j].removes && m->call[i].value != m->call[j].value) {
            m->wrong = i;
            m->call[i].value = m->call[j].value;
            return true;
        }
    }
    return false;
}

/* ---- as text ---- */

static void print_call(const struct made *m, const struct call *c, bool open, FILE *f)
{
    static const char *const add[] = {"enq", "push", "add", "push", "add"};
    static const char *const take[] = {"deq", "pop", "rem", "pop", "remove"};
    fputs(c->removes ? take[m->kind] : add[m->kind], f);
    if (m->kind == DEQUE)
        fputs(c->front ? "-front" : "-back", f);
    if (!c->removes || m->kind == MULTISET)
        fprintf(f, "(%d)", c->value);
    else
        fputs("()", f);
    if (c->removes && !open && m->kind == MULTISET)
        fputs(" => true", f);
    else if (c->removes && !open)
        fprintf(f, " => %d", c->value);
}

/* Call `open` has not returned. Operation i is in line i + 2. */
static char *text_of(const struct made *m, int open)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fprintf(f, "# @object %s\n", names[m->kind]);
    for (int i = 0; i < m->n; i++) {
        if (i == open)
            fputs("open: ", f);
        else
            fprintf(f, "t%d: ", i % THREADS);
        print_call(m, &m->call[i], i == open, f);
        fprintf(f, " @ %d..", m->call[i].from);
        if (i != open)
            fprintf(f, "%d", m->call[i].to);
        fputc('\n', f);
    }
    fclose(f);
    return text;
}

/* ---- the check ---- */

static bool explained_without(const struct made *m, int call)
{
    assay_error e = {0};
    char *text = text_of(m, call);
    assay_history *h = load_text(text, &e);
    assay_result *r = h ? assay_check(h, "lin", NULL, &e) : NULL;
    if (!r)
        fail(m, e.message);
    bool explained = assay_result_verdict(r) == ASSAY_CONSISTENT;
    assay_result_free(r);
    assay_history_free(h);
    free(text);
    return explained;
}

struct told {     /* by a report: calls, or NO_CALL */
    int subject;  /* of its sentence */
    int at_fault; /* without its result there is a linearization */
};

static int call_behind(const char *text, const char *words)
{
    const char *at = strstr(text, words);
    return at ? atoi(at + strlen(words)) - 2 : NO_CALL;
}

static struct told told_by_report(const struct made *m, const assay_result *r, const assay_options *o)
{
    const assay_report_options options = {ASSAY_REPORT_OPTIONS_INIT, .file = "h.hist", .checked = o};
    char *text = NULL;
    size_t size;
    assay_error e = {0};
    FILE *f = open_memstream(&text, &size);
    if (!assay_result_report(r, "text", &options, f, &e))
        fail(m, e.message);
    fclose(f);
    struct told told = {call_behind(text, ":\n    line "), call_behind(text, "if the return of line ")};
    free(text);
    return told;
}

static void recheck(const struct made *m, const assay_history *h, const assay_result *r)
{
    assay_error e = {0};
    uint32_t index;
    char *line = evidence_line(r);
    if (!assay_recheck(h, line, &index, &e))
        fail(m, e.message);
    free(line);
}

static void judge(const struct made *m, struct score *s)
{
    assay_error e = {0};
    const assay_options options = {ASSAY_OPTIONS_INIT};
    char *text = text_of(m, NO_CALL);
    assay_history *h = load_text(text, &e);
    assay_result *r = h ? assay_check(h, "lin", &options, &e) : NULL;
    if (!r)
        fail(m, e.message);
    if (assay_result_verdict(r) == ASSAY_VIOLATION) {
        int culprit = (int)assay_result_culprit(r);
        struct told told = told_by_report(m, r, &options);
        bool twice = strcmp(assay_result_pattern(r), "RemovedTwice") == 0;
        if (told.at_fault != NO_CALL && !explained_without(m, told.at_fault))
            fail(m, "the call that is said to be at fault is not");
        recheck(m, h, r);
        s->violations++;
        if (culprit == m->wrong || told.subject == m->wrong)
            s->named++;
        else if (twice && m->call[culprit].removes && m->call[culprit].value == m->call[m->wrong].value)
            s->same_value++;
        else if (told.at_fault == m->wrong)
            s->at_fault++;
        else
            s->as_good += told.at_fault != NO_CALL || explained_without(m, culprit);
    }
    assay_result_free(r);
    assay_history_free(h);
    free(text);
}

static void try_kind(enum kind kind, uint32_t rounds)
{
    struct score s = {0};
    for (uint32_t round = 0; round < rounds; round++) {
        chance_state = 1000003 * (uint64_t)round + 100 * (uint64_t)kind + 3;
        struct made m = {.kind = kind, .n = 40 + below(260)};
        m.call = calloc((size_t)m.n, sizeof *m.call);
        simulate(&m);
        if (corrupt(&m))
            judge(&m, &s);
        free(m.call);
    }
    int right = s.named + s.same_value + s.at_fault + s.as_good;
    printf("%-8s violations %4d: named %4d, its value %3d, said to be at fault %3d, another one as good %3d, missed "
           "%d\n",
           names[kind], s.violations, s.named, s.same_value, s.at_fault, s.as_good, s.violations - right);
    if (right * 100 < s.violations * LEAST) {
        fprintf(stderr, "%s: too many wrong results are blamed on their consequences\n", names[kind]);
        exit(1);
    }
}

int main(int argc, char **argv)
{
    uint32_t rounds = by_tier(request_of(argc, argv).tier, 60, 300, 6000);
    for (int kind = 0; kind < KINDS; kind++)
        try_kind(kind, rounds);
    return 0;
}
