/* SPDX-License-Identifier: Apache-2.0 */
/* Monitors that attach to a running system, against the definition. A random play is cut at a random event. The monitor is
 * shown all that follows; of the calls that are open there, it is shown the calls, or the returns alone. It may report a violation only if no content of the object
 * explains these events. How many of the violations that nothing explains it finds is counted. A monitor that was shown
 * any part of the play before, up to a gap, must answer the same. The clients of pending operations die.
 *
 *   attach [--quick|--long] [--seed N] [--count N] [--only OBJECT]
 *
 * A content is what a few operations before leave: enqueues, a lock. An operation that is open at the cut may have taken
 * effect before, and then it is left out. All contents are tried, up to a size that the operations behind the cut cannot
 * tell from a larger one. */
#include "assay_monitor.h"
#include "spec/spec.h"
#include "support/alphabets.h"
#include "support/play_events.h"
#include "support/tier.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CONTENT = 5, MOST_DOMAIN = 5, LATER = 1000 };

/* ---- contents ---- */

enum shape {
    NOTHING,  /* the object holds nothing */
    SEQUENCE, /* any values in any order */
    SORTED,   /* the same, where the order makes no difference */
    SUBSET,   /* each value once at most */
    PER_KEY,  /* a value for each key, or none */
    ONE,      /* one value, or none */
    NUMBER,   /* one number */
    REPEATED  /* the same operation several times */
};

struct origin {
    const char *object, *method;
    enum shape shape;
};

static const struct origin origins[] = {
    {"queue", "enq", SEQUENCE},
    {"stack", "push", SEQUENCE},
    {"deque", "push-back", SEQUENCE},
    {"pqueue", "add", SORTED},
    {"set", "add", SUBSET},
    {"multiset", "add", SORTED},
    {"register", "write", ONE},
    {"cas-register", "write", ONE},
    {"memory", "write", PER_KEY},
    {"map", "put", PER_KEY},
    {"counter", "add", NUMBER},
    {"lock", "lock", REPEATED},
    {"semaphore", "acquire", REPEATED},
    {"counting-semaphore", "post", REPEATED},
    {"rwlock", "rdlock", REPEATED},
    {"rwlock", "wrlock", REPEATED},
    {"exchanger", NULL, NOTHING},
};

struct cut {
    struct play play; /* the operations behind the cut, LATER; those that are open there come first */
    uint32_t open;
    assay_value domain[MOST_DOMAIN], keys[MOST_DOMAIN];
    uint32_t domain_n, key_n;
    uint32_t most; /* operations before the cut that can matter */
};

static bool admitted(const struct play *p)
{
    assay_history *h = play_build(p);
    bool yes = h && play_satisfies(h, p, true, 0);
    assay_history_free(h);
    return yes;
}

/* With these operations before it, is there an explanation? Operations open at the cut may have happened before. */
static bool explained_by(const struct cut *c, const struct play_op *before, uint32_t n)
{
    for (uint32_t gone = 0; gone < 1u << c->open; gone++) {
        struct play p = c->play;
        p.n = 0;
        if (n + c->play.n > PLAY_MOST)
            return true; /* not to be decided here */
        for (uint32_t i = 0; i < n; i++)
            p.op[p.n++] = before[i];
        for (uint32_t i = 0; i < c->play.n; i++)
            if (i >= c->open || !(gone >> i & 1))
                p.op[p.n++] = c->play.op[i];
        if (admitted(&p))
            return true;
    }
    return false;
}

static struct play_op before_op(const char *method, uint32_t at, const assay_value *args, uint8_t n)
{
    struct play_op op = {.thread = 60, .method = method, .arg_count = n, .call = 2 * at, .ret = 2 * at + 1};
    for (uint8_t i = 0; i < n; i++)
        op.args[i] = args[i];
    return op;
}

struct trial {
    const struct cut *cut;
    const struct origin *origin;
    struct play_op before[PLAY_MOST];
};

/* Tries all contents that begin with the first n operations; `from`: the first value that may follow. */
static bool explained(struct trial *t, uint32_t n, uint32_t from)
{
    const struct cut *c = t->cut;
    const struct origin *o = t->origin;
    bool keyed = o->shape == PER_KEY;
    if (explained_by(c, t->before, n))
        return true;
    if (o->shape == NOTHING || n == c->most || (o->shape == ONE && n))
        return false;
    if (o->shape == REPEATED) {
        t->before[n] = before_op(o->method, n, NULL, 0);
        return explained(t, n + 1, 0);
    }
    for (uint32_t k = keyed ? from : 0; k < (keyed ? c->key_n : 1); k++)
        for (uint32_t v = keyed || o->shape == SEQUENCE ? 0 : from; v < c->domain_n; v++) {
            assay_value args[2] = {keyed ? c->keys[k] : c->domain[v], c->domain[v]};
            t->before[n] = before_op(o->method, n, args, keyed ? 2 : 1);
            if (explained(t, n + 1, keyed ? k + 1 : o->shape == SUBSET ? v + 1 : v))
                return true;
        }
    return false;
}

static bool number_explained(struct trial *t)
{
    for (int64_t n = -16; n <= 16; n++) {
        t->before[0] = before_op(t->origin->method, 0, &(assay_value){.kind = ASSAY_INT, .integer = n}, 1);
        if (explained_by(t->cut, t->before, 1))
            return true;
    }
    return false;
}

static bool some_content_explains(const struct cut *c, const assay_spec *spec)
{
    for (size_t i = 0; i < sizeof origins / sizeof *origins; i++) {
        struct trial t = {.cut = c, .origin = &origins[i]};
        if (strcmp(spec->name, origins[i].object) == 0 &&
            (origins[i].shape == NUMBER ? number_explained(&t) : explained(&t, 0, 0)))
            return true;
    }
    return false;
}

/* ---- cuts ---- */

static bool add_value(assay_value *to, uint32_t *n, assay_value v)
{
    if (v.kind != ASSAY_INT)
        return true;
    for (uint32_t i = 0; i < *n; i++)
        if (assay_value_same(to[i], v))
            return true;
    if (*n == MOST_DOMAIN)
        return false;
    to[(*n)++] = v;
    return true;
}

/* Cuts the play at the time. False: there would be too many contents. */
static bool cut_at(const struct play *p, int64_t time, struct cut *c)
{
    *c = (struct cut){.play = *p};
    bool few = true;
    uint32_t most = 0;
    c->play.n = 0;
    for (int later = 0; later < 2; later++)
        for (uint32_t i = 0; i < p->n; i++) {
            struct play_op op = p->op[i];
            bool open = op.call < time && (op.pending || op.ret >= time);
            if (later ? op.call < time : !open)
                continue;
            op.call = LATER + (open ? (int64_t)c->open : op.call);
            op.ret = op.ret + LATER;
            c->open += open;
            bool keyed = op.arg_count > 1 || strcmp(op.method, "get") == 0 || strcmp(op.method, "read") == 0;
            for (uint8_t a = 0; a < op.arg_count; a++)
                few &= keyed && !a ? add_value(c->keys, &c->key_n, op.args[a])
                                   : add_value(c->domain, &c->domain_n, op.args[a]);
            few &= add_value(c->domain, &c->domain_n, op.result);
            most += 1 +
                    (op.result.kind == ASSAY_INT && strcmp(op.method, "count") == 0 ? (uint32_t)op.result.integer : 0);
            c->play.op[c->play.n++] = op;
        }
    c->most = most < MOST_CONTENT ? most : MOST_CONTENT;
    return few && most <= MOST_CONTENT && c->open < 5;
}

/* ---- the monitor ---- */

enum answer { FINE, VIOLATION, DECLINES };

/* Shows a part of the play, up to the middle of a line, and a gap. False: the part alone is a violation. */
static bool show_before(assay_monitor *m, const struct play *before, uint32_t events_shown, assay_error *e)
{
    struct play_event events[PLAY_EVENTS];
    struct mem mem = {0};
    struct text t = text_in(&mem);
    uint32_t n = play_events(before, events);
    for (uint32_t i = 0; i < n && i < events_shown; i++)
        play_event_print(&t, before, &events[i]);
    text_puts(&t, "[1] ca");
    bool fine = assay_monitor_feed(m, t.at, t.n, e) && !assay_monitor_first(m) && assay_monitor_gap(m, e);
    mem_release(&mem);
    return fine;
}

/* Hidden: the calls that are open at the cut are not shown. They have returned when the monitor has settled. before:
 * what is shown up to a gap; NULL: the monitor attaches. */
static enum answer monitored(const struct cut *c, bool hidden, const struct play *before, uint32_t events_before)
{
    struct play_event events[PLAY_EVENTS];
    struct mem mem = {0};
    struct text t = text_in(&mem);
    uint32_t n = play_events(&c->play, events);
    uint64_t shown = 0, settle = 0;
    for (uint32_t i = 0; i < n; i++) {
        bool open = events[i].op < c->open;
        if (hidden && open && !events[i].returns)
            continue;
        shown++;
        settle = open && events[i].returns == hidden ? shown : settle;
        play_event_print(&t, &c->play, &events[i]);
        shown += play_deaths_print(&t, &c->play, events, i, (uint32_t)c->play.op[0].call % 3);
    }
    assay_error e = {0};
    assay_monitor *m = assay_monitor_open(
        c->play.object, &(assay_monitor_options){ASSAY_MONITOR_OPTIONS_INIT, .attach = !before, .settle = settle}, &e);
    enum answer answer = DECLINES;
    if (m && (!before || show_before(m, before, events_before, &e)) &&
        assay_monitor_feed(m, t.at ? t.at : "", t.n, &e) && assay_monitor_end(m, &e))
        answer = assay_monitor_first(m) ? VIOLATION : FINE;
    else if (m && e.code && e.code != ASSAY_ERROR_NOT_APPLICABLE) {
        fprintf(stderr, "%s\n%s", e.message, text_get(&t));
        exit(1);
    }
    assay_monitor_close(m);
    mem_release(&mem);
    return answer;
}

/* ---- the test ---- */

static void random_plays(const assay_spec *s, uint64_t seed, uint32_t count)
{
    uint64_t cuts = 0, violations = 0, found = 0;
    for (uint32_t i = 0; i < count; i++) {
        struct rng rng = {hash_join(seed, hash_join(hash_bytes(s->name, strlen(s->name)), i))};
        struct cast cast = {.object = some_object(s, &rng),
                            .spec = s,
                            .least = 4,
                            .most = 12,
                            .threads = 1 + rng_below(&rng, 3),
                            .values = 1 + rng_below(&rng, 2),
                            .distinct = rng_below(&rng, 2),
                            .pending = rng_below(&rng, 4) ? 0 : 60,
                            .lies = rng_below(&rng, 3)};
        struct play p = play_random(&cast, &rng);
        struct cut c;
        int64_t last = 0;
        for (uint32_t k = 0; k < p.n; k++)
            last = p.op[k].call > last ? p.op[k].call : last;
        if (!cut_at(&p, (int64_t)rng_below(&rng, (uint32_t)last + 1), &c) || !c.play.n)
            continue;
        bool hidden = rng_below(&rng, 3) == 0;
        for (uint32_t k = 0; k < c.open; k++)
            hidden &= !c.play.op[k].pending;
        enum answer answer = monitored(&c, hidden, NULL, 0);
        if (answer == DECLINES)
            continue;
        enum answer behind_gap = monitored(&c, hidden, &p, rng_below(&rng, 2 * p.n + 1));
        if (behind_gap != answer && behind_gap != DECLINES) {
            fprintf(stderr, "%s: behind a gap the answer is not that of an attached monitor; before it a part of\n",
                    s->name);
            play_print(&p, stderr);
            fputs("behind it:\n", stderr);
            play_print(&c.play, stderr);
            exit(1);
        }
        bool violation = !some_content_explains(&c, s);
        cuts++;
        violations += violation;
        found += violation && answer == VIOLATION;
        if (answer == VIOLATION && !violation) {
            fprintf(stderr, "%s: a violation is reported that some content explains; the first %u were open\n", s->name,
                    (unsigned)c.open);
            play_print(&c.play, stderr);
            exit(1);
        }
    }
    if (cuts)
        printf("%-20s %8" PRIu64 " cuts, %6" PRIu64 " violations for every content, %6" PRIu64 " found\n", s->name,
               cuts, violations, found);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    struct request r = request_of(argc, argv);
    for (size_t i = 0; spec_table[i]; i++)
        if (request_wants(&r, spec_table[i]->name))
            random_plays(spec_table[i], r.seed, request_count(&r, 1500, 7000, 300000));
    return 0;
}
