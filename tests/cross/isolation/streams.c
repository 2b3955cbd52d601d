/* SPDX-License-Identifier: Apache-2.0 */
#include "cross/isolation/streams.h"

#include "collect/collect.h"
#include "cross/transactions/random.h"
#include "history/history.h"
#include "support/load.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- the order of arrival ---- */

static int by_place(const void *left, const void *right)
{
    const struct stream_line *a = left, *b = right;
    return a->place < b->place ? -1 : a->place > b->place;
}

/* Lines arrive up to `far` places late. The order of a session stays. */
static void mix(struct stream *s, uint32_t far, struct rng *rng)
{
    uint32_t *last = calloc(s->sessions + 1, sizeof *last);
    for (uint32_t i = 0; i < s->n; i++) {
        struct stream_line *l = &s->lines[i];
        uint32_t place = i + (far ? rng_below(rng, far) : 0);
        place = place < last[l->session] ? last[l->session] : place;
        last[l->session] = place;
        l->place = place * s->n + i;
    }
    qsort(s->lines, s->n, sizeof *s->lines, by_place);
    free(last);
    int64_t latest = INT64_MIN;
    s->late = 1;
    for (uint32_t i = 0; s->timed && i < s->n; i++) {
        struct stream_line *l = &s->lines[i];
        latest = !l->unknown && l->ret > latest ? l->ret : latest;
        s->late = latest > l->call + s->late ? latest - l->call : s->late;
    }
}

/* ---- histories as lines ---- */

static struct stream of_history(const assay_history *h)
{
    struct stream s = {.timed = h->call, .n = h->n, .sessions = h->threads.n};
    char *text = NULL;
    size_t size = 0;
    assay_error e = {0};
    FILE *out = open_memstream(&text, &size);
    if (!out || !assay_history_write(h, "hist", 0, out, &e) || fclose(out) != 0)
        abort();
    s.lines = calloc(s.n + 1, sizeof *s.lines);
    s.headers = calloc(1, size + 1);
    uint32_t op = 0;
    for (char *at = text; *at;) {
        size_t length = strcspn(at, "\n") + 1;
        if (*at == '#') {
            strncat(s.headers, at, length);
        } else {
            s.lines[op] = (struct stream_line){.text = strndup(at, length), .session = h->thread[op]};
            s.lines[op].call = h->call ? h->call[op] : 0;
            s.lines[op].unknown = history_pending(h, op);
            s.lines[op].ret = h->call ? history_known_until(h, op) : 0;
            op++;
        }
        at += length;
    }
    if (op != s.n)
        abort();
    free(text);
    return s;
}

struct stream stream_at_random(struct rng *rng)
{
    struct tx_sketch sketch = random_sketch(rng);
    while (sketch.repeats) /* monitors demand unique values */
        sketch = random_sketch(rng);
    assay_error e = {0};
    sketch.blocks = false;
    if (sketch.times == TX_AFTER)
        sketch.times = TX_NO_TIMES;
    char *text = sketch_text(&sketch);
    assay_history *h = load_text(text, &e);
    if (!h)
        abort();
    struct stream s = of_history(h);
    mix(&s, rng_below(rng, 2) ? 4 : 0, rng);
    assay_history_free(h);
    free(text);
    return s;
}

/* ---- stores ---- */

static void set(struct collect_settings *s, const char *name, const char *value)
{
    if (collect_set(collector_find("transactions"), s, name, value))
        return;
    printf("no setting %s %s\n", name, value);
    exit(1);
}

static void number(struct collect_settings *s, const char *name, unsigned long value)
{
    char text[32];
    snprintf(text, sizeof text, "%lu", value);
    set(s, name, text);
}

struct stream stream_of_store(struct rng *rng)
{
    static const char *const stores[] = {"ser", "ser", "si", "si", "pc", "psi"};
    static const char *const data[] = {"registers", "lists", "both"};
    static const char *const bugs[] = {"lost-update", "dirty-read", "stale-snapshot", "torn-write"};
    const struct collector *c = collector_find("transactions");
    struct collect_settings settings = collect_defaults(c);
    assay_error e = {0};
    uint32_t store = rng_below(rng, 6);
    set(&settings, "store", stores[store]);
    uint32_t kind = rng_below(rng, 2) * rng_below(rng, 3);
    set(&settings, "data", data[kind]);
    number(&settings, "sessions", 1 + rng_below(rng, 5));
    number(&settings, "transactions", 10 + rng_below(rng, 80));
    number(&settings, "accesses", 1 + rng_below(rng, 5));
    number(&settings, "keys", 1 + rng_below(rng, 6));
    number(&settings, "reads", 20 + 10 * rng_below(rng, 7));
    number(&settings, "read-first", rng_below(rng, 2) * rng_below(rng, 101));
    if (kind)
        number(&settings, "appends", 2 + rng_below(rng, 8));
    number(&settings, "aborts", rng_below(rng, 2) * rng_below(rng, 20));
    number(&settings, "unknown", rng_below(rng, 3) ? 0 : rng_below(rng, 20));
    if (rng_below(rng, 3))
        set(&settings, "times", NULL);
    bool right = store < 4; /* the others allow some of the bugs, and violate si anyhow */
    if (right && !rng_below(rng, 3)) {
        set(&settings, "bug", bugs[rng_below(rng, 4)]);
        number(&settings, "often", 1 + rng_below(rng, 8));
    }
    if (!rng_below(rng, 4))
        number(&settings, "mutate", 1);
    settings.seed = rng_below(rng, 1 << 30);
    assay_history *h = collect_history(c, &settings, &e);
    if (!h) {
        printf("%s\n", e.message);
        exit(1);
    }
    struct stream s = of_history(h);
    char command[512];
    collect_command(c, &settings, command, sizeof command);
    s.command = strdup(command);
    mix(&s, rng_below(rng, 3) ? rng_below(rng, 8) : 0, rng);
    assay_history_free(h);
    return s;
}

/* ---- guesses ---- */

enum { KEYS = 4, MOST_VERSIONS = 100 };

struct guessing {
    struct rng *rng;
    FILE *out;
    bool lists;
    uint32_t keys, n[KEYS], shown[KEYS]; /* versions so far; of a list so many have been shown */
    uint32_t list[KEYS][MOST_VERSIONS];
    int64_t now, call, ret;
};

static void put_list(struct guessing *g, uint32_t key, uint32_t version)
{
    g->shown[key] = version > g->shown[key] ? version : g->shown[key];
    fprintf(g->out, "r k%u [", key);
    for (uint32_t i = 0; i < version; i++)
        fprintf(g->out, i ? " %u" : "%u", g->list[key][i]);
    fputs("]", g->out);
}

/* An element comes behind the shown ones, and not always at the end. It may be read back there. */
static void put_write(struct guessing *g, uint32_t key)
{
    uint32_t n = g->n[key]++, at = n;
    if (g->lists && n > g->shown[key] && !rng_below(g->rng, 3))
        at--;
    memmove(g->list[key] + at + 1, g->list[key] + at, (n - at) * sizeof **g->list);
    g->list[key][at] = n + 1;
    fprintf(g->out, "%s k%u %u", g->lists ? "append" : "w", key, n + 1);
    if (g->lists && !rng_below(g->rng, 8)) {
        fputs(", ", g->out);
        put_list(g, key, at + 1);
    }
}

static void put_read(struct guessing *g, uint32_t key)
{
    uint32_t back = rng_below(g->rng, 3);
    uint32_t version = g->n[key] > back ? g->n[key] - back : g->n[key];
    if (!g->lists) {
        fprintf(g->out, "r k%u %u", key, version);
        return;
    }
    put_list(g, key, version);
}

static void put_accesses(struct guessing *g, uint32_t reads)
{
    bool used[KEYS] = {0};
    for (uint32_t i = 0, n = 1 + rng_below(g->rng, 3), put = 0; i < n; i++) {
        uint32_t key = rng_below(g->rng, g->keys);
        if (used[key])
            continue;
        fputs(put++ ? ", " : "", g->out);
        (rng_below(g->rng, 100) < reads ? put_read : put_write)(g, key);
        used[key] = true;
    }
}

static void begin_line(struct guessing *g, uint32_t session, int64_t *until, uint32_t overlap)
{
    int64_t call = g->now > overlap ? g->now - rng_below(g->rng, overlap + 1) : g->now;
    g->call = call < until[session] ? until[session] : call;
    g->now += 2;
    g->now = g->now < g->call ? g->call : g->now;
    g->ret = g->now + rng_below(g->rng, overlap + 1);
    until[session] = g->ret;
    fprintf(g->out, "s%u: txn(", session);
}

static void end_line(struct guessing *g)
{
    fprintf(g->out, ") @ %" PRId64 "..%" PRId64 "\n", g->call, g->ret);
}

/* Rounds of concurrent writers, then a token that each session passes on, so that the writers are over, then
 * readers. */
static void put_rounds(struct guessing *g, uint32_t sessions)
{
    int64_t until[5] = {0};
    uint32_t token = 0;
    for (uint32_t rounds = 1 + rng_below(g->rng, 3); rounds; rounds--) {
        uint32_t mixed = rng_below(g->rng, 2) * rng_below(g->rng, 40);
        for (uint32_t i = 0, n = 2 + rng_below(g->rng, 4); i < n; i++) {
            begin_line(g, rng_below(g->rng, sessions), until, 9);
            put_accesses(g, mixed);
            end_line(g);
        }
        g->now += 20;
        for (uint32_t i = 0, n = sessions * (1 + rng_below(g->rng, 2)); i < n; i++, token++) {
            begin_line(g, i % sessions, until, 0);
            fprintf(g->out, "r token %u, w token %u", token, token + 1);
            end_line(g);
        }
        for (uint32_t i = 0, n = 1 + rng_below(g->rng, 4); i < n; i++) {
            begin_line(g, rng_below(g->rng, sessions), until, 3);
            put_accesses(g, 90);
            end_line(g);
        }
        g->now += 20;
    }
}

struct stream stream_of_guesses(struct rng *rng)
{
    char *text = NULL;
    size_t size = 0;
    struct guessing g = {.rng = rng, .lists = !rng_below(rng, 3), .keys = 2 + rng_below(rng, KEYS - 1)};
    g.out = open_memstream(&text, &size);
    if (!g.out)
        abort();
    put_rounds(&g, 2 + rng_below(rng, 3));
    if (fclose(g.out) != 0)
        abort();
    assay_error e = {0};
    assay_history *h = load_text(text, &e);
    if (!h) {
        printf("%s\n%s", e.message, text);
        exit(1);
    }
    struct stream s = of_history(h);
    mix(&s, rng_below(rng, 2) ? 4 : 0, rng);
    assay_history_free(h);
    free(text);
    return s;
}

/* ---- texts ---- */

char *stream_text(const struct stream *s, uint32_t n)
{
    size_t size = strlen(s->headers) + 1;
    for (uint32_t i = 0; i < n; i++)
        size += strlen(s->lines[i].text);
    char *text = calloc(1, size), *at = stpcpy(text, s->headers);
    for (uint32_t i = 0; i < n; i++)
        at = stpcpy(at, s->lines[i].text);
    return text;
}

void stream_free(struct stream *s)
{
    for (uint32_t i = 0; i < s->n; i++)
        free(s->lines[i].text);
    free(s->lines);
    free(s->headers);
    free(s->command);
}
