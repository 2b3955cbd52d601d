/* SPDX-License-Identifier: Apache-2.0 */
/* Blame of weak consistency: in a history with one wrong result, the named calls contain it, or contradict each other.
 *
 *   blame_weak [--quick|--long]
 *
 * An execution is made by definition: an order, and for each call a random set of earlier ones that it sees, closed
 * under the axioms of the model. Its results are replayed here. So the history is consistent, and the engine must say
 * so. Then one result is changed. If that is a violation, it must name suspects, and recheck must accept the proof. The
 * same proof, forged to speak of the history before the change, must be refused: that one is consistent. */
#include "assay.h"
#include "evidence/evidence.h"
#include "support/chance.h"
#include "support/evidence_line.h"
#include "support/load.h"
#include "support/tier.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 9, THREADS = 3, KEYS = 2, VALUES = 3, EMPTY = -1 };
enum made_object { REGISTER, SET, MAP, QUEUE, COUNTER, OBJECTS };
static const char *const names[OBJECTS] = {"register", "set", "map", "queue", "counter"};

enum axiom_bit { PO = 1, VIS_PO = 2, PO_VIS = 4, VIS_VIS = 8 };
static const struct {
    const char *name;
    unsigned axioms;
} models[] = {{"level:weak", 0},
              {"read-my-writes", PO},
              {"weak-hb", PO}, /* there are no times */
              {"monotonic-reads", VIS_PO},
              {"peer", PO_VIS},
              {"level:monotonic", PO | VIS_PO},
              {"level:peer", PO | VIS_PO | PO_VIS},
              {"causal-convergence", PO | VIS_VIS},
              {"level:causal", PO | VIS_PO | PO_VIS | VIS_VIS}};
enum { MODELS = sizeof models / sizeof *models };

struct call {
    bool observes; /* it has no effect but on a queue, where it is a removal */
    int thread, key, value, result;
    unsigned sees; /* a set of earlier calls */
};

struct made {
    enum made_object object;
    unsigned model;
    struct call call[MOST];
    int n, wrong;
};

static struct {
    unsigned histories, violations, alone, named;
} count;

static void fail(const struct made *m, const char *text, const char *what)
{
    fprintf(stderr, "%s, %s, wrong: %d: %s\n%s", names[m->object], models[m->model].name, m->wrong, what, text);
    exit(1);
}

/* ---- the execution ---- */

static unsigned session_before(const struct made *m, int i)
{
    unsigned set = 0;
    for (int j = 0; j < i; j++)
        set |= (unsigned)(m->call[j].thread == m->call[i].thread) << j;
    return set;
}

/* All that the axioms demand of call i, given what it sees already. */
static unsigned demanded(const struct made *m, int i, unsigned sees)
{
    unsigned axioms = models[m->model].axioms, own = session_before(m, i), more = axioms & PO ? own : 0;
    for (int j = 0; j < i; j++) {
        more |= (axioms & VIS_PO) && (own >> j & 1) ? m->call[j].sees : 0;
        more |= (axioms & PO_VIS) && (sees >> j & 1) ? session_before(m, j) : 0;
        more |= (axioms & VIS_VIS) && (sees >> j & 1) ? m->call[j].sees : 0;
    }
    return more;
}

static int replay(const struct made *m, int i)
{
    int state[KEYS] = {0}, queue[MOST], first = 0, last = 0, key = m->call[i].key;
    for (int j = 0; j < i; j++) {
        const struct call *c = &m->call[j];
        if (!(m->call[i].sees >> j & 1))
            continue;
        if (m->object == QUEUE && c->observes)
            first += first < last;
        else if (m->object == QUEUE)
            queue[last++] = c->value;
        else if (!c->observes)
            state[c->key] = m->object == COUNTER ? state[c->key] + 1 : c->value;
    }
    if (m->object == QUEUE)
        return first < last ? queue[first] : EMPTY;
    return state[key];
}

static void make(struct made *m)
{
    m->n = 4 + below(MOST - 3);
    m->wrong = -1;
    for (int i = 0; i < m->n; i++) {
        bool keyed = m->object == SET || m->object == MAP;
        struct call *c = &m->call[i];
        *c = (struct call){.observes = chance(50), .thread = below(THREADS), .key = keyed ? below(KEYS) : 0};
        c->value = m->object == SET ? 1 : 1 + below(VALUES);
        c->sees = (unsigned)below(1 << i) & (unsigned)below(1 << i);
        for (unsigned more; (more = demanded(m, i, c->sees) & ~c->sees);)
            c->sees |= more;
        c->result = replay(m, i);
    }
}

static bool change(struct made *m)
{
    int start = below(m->n), other;
    for (int k = 0; k < m->n && m->wrong < 0; k++)
        if (m->call[(start + k) % m->n].observes)
            m->wrong = (start + k) % m->n;
    if (m->wrong < 0)
        return false;
    struct call *c = &m->call[m->wrong];
    do
        other = m->object == SET ? below(2) : m->object == QUEUE ? below(VALUES + 2) - 1 : below(VALUES + 1);
    while (other == c->result || (m->object == QUEUE && !other));
    c->result = other;
    return true;
}

/* ---- as text ---- */

static void print_call(const struct made *m, const struct call *c, FILE *f)
{
    switch (m->object) {
    case REGISTER: fprintf(f, c->observes ? "read() => %d" : "write(%d)", c->observes ? c->result : c->value); break;
    case SET: fprintf(f, c->observes ? "contains(%d) => %s" : "add(%d)", c->key, c->result ? "true" : "false"); break;
    case MAP:
        if (!c->observes)
            fprintf(f, "put(%d, %d)", c->key, c->value);
        else
            fprintf(f, c->result ? "get(%d) => %d" : "get(%d) => null", c->key, c->result);
        break;
    case QUEUE:
        if (c->observes && c->result == EMPTY)
            fprintf(f, "deq() => empty");
        else
            fprintf(f, c->observes ? "deq() => %d" : "enq(%d)", c->observes ? c->result : c->value);
        break;
    default:
        if (c->observes)
            fprintf(f, "get() => %d", c->result);
        else
            fprintf(f, "inc()");
    }
}

/* The order of a thread is that of its lines; threads stand together, so that the number of a call says nothing. */
static char *text_of(const struct made *m)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    fprintf(f, "# @object %s\n", names[m->object]);
    for (int t = 0; t < THREADS; t++)
        for (int i = 0; i < m->n; i++)
            if (m->call[i].thread == t) {
                fprintf(f, "t%d: ", t);
                print_call(m, &m->call[i], f);
                fprintf(f, "\n");
            }
    fclose(f);
    return text;
}

static uint32_t number_of(const struct made *m, int call)
{
    uint32_t n = 0;
    for (int i = 0; i < m->n; i++)
        n += m->call[i].thread < m->call[call].thread || (m->call[i].thread == m->call[call].thread && i < call);
    return n;
}

/* ---- the check ---- */

static assay_result *check(const struct made *m, const char *text, assay_history **h)
{
    assay_error e = {0};
    assay_options options = {ASSAY_OPTIONS_INIT, .evidence = true};
    *h = load_text(text, &e);
    assay_result *r = *h ? assay_check(*h, models[m->model].name, &options, &e) : NULL;
    if (!r)
        fail(m, text, e.message);
    return r;
}

/* Lets the line speak of the history that the other one is about. */
static void forge(char *line, const char *other)
{
    static const char key[] = "\"history\":\"";
    enum { DIGITS = 16 };
    memcpy(strstr(line, key) + strlen(key), strstr(other, key) + strlen(key), DIGITS);
}

static void judge_violation(const struct made *m, const char *text, const assay_history *h, const assay_result *r,
                            const assay_history *before, const char *witness)
{
    const struct evidence *ev = &r->evidence;
    const struct explanation *x = &r->explanation;
    char *line = evidence_line(r);
    assay_error e = {0};
    uint32_t index;
    bool named = false;
    if (!assay_recheck(h, line, &index, &e))
        fail(m, text, e.message);
    for (uint32_t i = 0; i < ev->suspects.n; i++)
        named |= ev->suspects.at[i] == number_of(m, m->wrong);
    assay_value recorded = value_public(h, history_result(h, ev->culprit));
    for (uint32_t i = 0; i < x->allowed.n; i++)
        if (assay_value_same(x->allowed.at[i], recorded))
            fail(m, text, "the recorded result is said to be possible");
    if (x->alone && !x->allowed.n && ev->opposite == ASSAY_NO_OPERATION)
        fail(m, text, "no possible result is named");
    forge(line, witness);
    if (assay_recheck(before, line, &index, &e))
        fail(m, text, "a forged proof about a consistent history is accepted");
    free(line);
    count.violations++;
    count.alone += x->alone;
    count.named += named;
}

static void judge(enum made_object object, unsigned model)
{
    struct made m = {.object = object, .model = model};
    assay_history *before, *after;
    make(&m);
    char *text = text_of(&m);
    assay_result *r = check(&m, text, &before);
    if (assay_result_verdict(r) != ASSAY_CONSISTENT)
        fail(&m, text, "an execution by definition is called a violation");
    char *witness = evidence_line(r);
    count.histories++;
    if (change(&m)) {
        char *changed = text_of(&m);
        assay_result *wrong = check(&m, changed, &after);
        if (assay_result_verdict(wrong) == ASSAY_VIOLATION)
            judge_violation(&m, changed, after, wrong, before, witness);
        assay_result_free(wrong);
        assay_history_free(after);
        free(changed);
    }
    free(witness);
    assay_result_free(r);
    assay_history_free(before);
    free(text);
}

int main(int argc, char **argv)
{
    enum tier tier = request_of(argc, argv).tier;
    for (uint32_t round = 0; round < by_tier(tier, 40, 200, 4000); round++)
        for (int object = 0; object < OBJECTS; object++)
            for (unsigned model = 0; model < MODELS; model++) {
                chance_state = 1000003 * (uint64_t)round + 100 * (uint64_t)object + model + 1;
                judge((enum made_object)object, model);
            }
    printf("%u histories; of %u violations %u are of one call, and %u name the changed one\n", count.histories,
           count.violations, count.alone, count.named);
    if (count.violations && count.named * 100 >= count.violations * 95)
        return 0;
    printf("too few name the changed call\n");
    return 1;
}
