/* SPDX-License-Identifier: Apache-2.0 */
/* Blame: in a history with one wrong result, the violation must name the call that returned it.
 *
 *   blame [--quick|--long]
 *
 * An object is simulated, a call at a time, with intervals that overlap. Then one result is replaced by a value that
 * nobody puts in, or by one that was taken out long before. A value that was taken twice may be blamed on either call.
 * Every proof is rechecked. Without the wrong result there is no violation. Large histories have the sizes at which a search goes far before it notices. */
#include "assay.h"
#include "support/chance.h"
#include "support/load.h"
#include "support/tier.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, STEP = 100, WIDEST = 150, NOBODYS = 7777777, MOST = 80000, LONG_AGO = 50, KEYS = 5 };
enum kind { QUEUE, STACK, PQUEUE, REGISTER, MAP, SET, KINDS };
static const char *const names[KINDS] = {"queue", "stack", "pqueue", "register", "map", "set"};
enum fault { NEVER_IN, TWICE };

struct call {
    bool observes;          /* a removal or a read */
    int key, value, result; /* of an observation: -1, it found nothing */
};

struct made {
    enum kind kind;
    bool distinct;
    struct call *call;
    int n, wrong, twin; /* twin: the other call that may be blamed, or -1 */
};

static void fail(const struct made *m, const char *what)
{
    fprintf(stderr, "%s, %d calls, %s values, state %llu: %s\n", names[m->kind], m->n,
            m->distinct ? "distinct" : "repeated", (unsigned long long)chance_state, what);
    exit(1);
}

/* ---- the objects ---- */

static bool is_collection(enum kind kind)
{
    return kind == QUEUE || kind == STACK || kind == PQUEUE;
}

/* Where the next removal takes its value from. A priority queue gives the greatest value first. */
static int place_of_next(enum kind kind, const int *content, int n)
{
    int greatest = 0;
    for (int i = 1; i < n && kind == PQUEUE; i++)
        if (content[i] > content[greatest])
            greatest = i;
    return kind == STACK ? n - 1 : greatest;
}

static void simulate_collection(struct made *m)
{
    enum { ROOM = 24 };
    int content[ROOM], n = 0;
    for (int i = 0; i < m->n; i++) {
        bool adds = n < 4 || (n < ROOM && chance(50));
        m->call[i] = (struct call){.observes = !adds};
        if (adds) {
            m->call[i].value = content[n++] = m->distinct ? i + 1 : 1 + below(9);
        } else {
            int at = place_of_next(m->kind, content, n);
            m->call[i].result = content[at];
            memmove(content + at, content + at + 1, (size_t)(--n - at) * sizeof *content);
        }
    }
}

static void simulate_cells(struct made *m)
{
    int now[KEYS] = {0};
    for (int i = 0; i < m->n; i++) {
        int key = m->kind == REGISTER ? 0 : below(KEYS);
        m->call[i] = (struct call){.observes = chance(50), .key = key};
        if (!m->call[i].observes)
            m->call[i].value = now[key] = m->kind == SET ? 1 : m->distinct ? i + 1 : 1 + below(9);
        else
            m->call[i].result = now[key];
    }
}

/* ---- the fault ---- */

/* The removal whose value call i is to return again: the last one that is LONG_AGO calls earlier. -1: there is none. */
static int twin_of(const struct made *m, int i)
{
    int twin = i - LONG_AGO;
    while (twin >= 0 && !m->call[twin].observes)
        twin--;
    return twin < 0 ? -1 : twin;
}

/* A removal in the middle, or a read that found something. */
static int pick(const struct made *m, enum fault fault)
{
    for (int i = m->n / 4 + below(m->n / 2); i < m->n; i++)
        if (m->call[i].observes && m->call[i].result && (fault != TWICE || twin_of(m, i) >= 0))
            return i;
    fail(m, "there is no call to be changed");
    return 0;
}

static void corrupt(struct made *m, enum fault fault)
{
    m->wrong = pick(m, fault);
    m->twin = fault == TWICE ? twin_of(m, m->wrong) : -1;
    if (m->kind == SET)
        m->call[m->wrong].key = NOBODYS;
    else
        m->call[m->wrong].result = fault == TWICE ? m->call[m->twin].result : NOBODYS;
}

/* ---- as text ---- */

static void print_call(const struct made *m, const struct call *c, FILE *f)
{
    static const char *const add[] = {"enq", "push", "add"}, *const take[] = {"deq", "pop", "rem"};
    if (is_collection(m->kind) && !c->observes)
        fprintf(f, "%s(%d)", add[m->kind], c->value);
    else if (is_collection(m->kind))
        fprintf(f, "%s() => %d", take[m->kind], c->result);
    else if (m->kind == REGISTER)
        fprintf(f, c->observes ? "read() => %d" : "write(%d)", c->observes ? c->result : c->value);
    else if (m->kind == SET)
        fprintf(f, c->observes ? "contains(%d) => %s" : "add(%d)", c->key, c->result ? "true" : "false");
    else if (c->observes)
        fprintf(f, c->result ? "get(%d) => %d" : "get(%d) => null", c->key, c->result);
    else
        fprintf(f, "put(%d, %d)", c->key, c->value);
}

static char *text_of(const struct made *m)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fprintf(f, "# @object %s\n", names[m->kind]);
    for (int i = 0; i < m->n; i++) { /* a thread has every fourth call, so its own do not overlap */
        int at = (i + 2) * STEP;
        fprintf(f, "t%d: ", i % THREADS);
        print_call(m, &m->call[i], f);
        fprintf(f, " @ %d..%d\n", at - below(WIDEST), at + 1 + below(WIDEST));
    }
    fclose(f);
    return text;
}

/* ---- the check ---- */

static void recheck(const struct made *m, const assay_history *h, const assay_result *r)
{
    char *line = NULL;
    size_t size;
    FILE *f = open_memstream(&line, &size);
    assay_error e = {0};
    uint32_t index;
    assay_result_write_evidence(r, 0, f);
    fclose(f);
    if (!assay_recheck(h, line, &index, &e))
        fail(m, e.message);
    free(line);
}

/* The fault must be the only one. Where values repeat, to find an order of so many calls may take long. */
static void demand_order(const struct made *m)
{
    assay_error e = {0};
    char *text = text_of(m);
    assay_history *h = load_text(text, &e);
    assay_result *r = h ? assay_check(h, "lin", NULL, &e) : NULL;
    if (!r || assay_result_verdict(r) != ASSAY_CONSISTENT)
        fail(m, r ? "there is a violation without a wrong result" : e.message);
    assay_result_free(r);
    assay_history_free(h);
    free(text);
}

static void judge(enum kind kind, bool distinct, enum fault fault, int n)
{
    struct made m = {.kind = kind, .distinct = distinct, .n = n};
    assay_error e = {0};
    m.call = calloc((size_t)n, sizeof *m.call);
    if (is_collection(kind))
        simulate_collection(&m);
    else
        simulate_cells(&m);
    if (distinct)
        demand_order(&m);
    corrupt(&m, fault);
    char *text = text_of(&m);
    assay_history *h = load_text(text, &e);
    assay_result *r = h ? assay_check(h, "lin", NULL, &e) : NULL;
    if (!r)
        fail(&m, e.message);
    if (assay_result_verdict(r) != ASSAY_VIOLATION)
        fail(&m, "the wrong result was not noticed");
    int blamed = (int)assay_result_culprit(r);
    if (blamed != m.wrong && blamed != m.twin) {
        fprintf(stderr, "operation %d is blamed, and %d is wrong\n", blamed, m.wrong);
        fail(&m, assay_result_pattern(r));
    }
    recheck(&m, h, r);
    assay_result_free(r);
    assay_history_free(h);
    free(text);
    free(m.call);
}

int main(int argc, char **argv)
{
    enum tier tier = request_of(argc, argv).tier;
    uint32_t rounds = by_tier(tier, 20, 100, 2000), count = 0;
    for (uint32_t round = 0; round < rounds; round++)
        for (int kind = 0; kind < KINDS; kind++)
            for (int distinct = 0; distinct < 2; distinct++) {
                chance_state = 1000003 * (uint64_t)round + 100 * (uint64_t)kind + (uint64_t)distinct + 1;
                int n = round == 0 ? MOST : 200 + below(800);
                judge(kind, distinct, NEVER_IN, n);
                if (is_collection(kind) && distinct)
                    judge(kind, distinct, TWICE, n);
                count++;
            }
    printf("%u histories: the wrong result is the one that is blamed\n", (unsigned)count);
    return 0;
}
