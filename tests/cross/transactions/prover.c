/* SPDX-License-Identifier: Apache-2.0 */
/* Facts are edges between the begins and commits of transactions. They are base order, wr, and the orders that lists
 * show. Further edges are derived as long as there are any: a path is looked for by breadth-first search, and written
 * down as the reason. When there are no more, two writers whose order is open are ordered both ways. A cycle within a
 * case is a lemma, and the pairs that are assumed are a learned clause.
 *
 * No path is chosen cleverly, and reasons that no cycle needs are written, too. */
#include "cross/transactions/prover.h"

#include "cross/transactions/read_sources.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_EDGES = 4000, POINTS = 2 * MOST_TXNS };

struct edge {
    const char *rule;
    uint8_t from, to; /* transactions */
    uint32_t reason;  /* or UINT32_MAX */
};

struct prover {
    const struct tx_sketch *s;
    const struct model *m;
    struct read_sources of; /* the transactions' reads */
    struct edge edges[MOST_EDGES];
    uint32_t edge_n;
    char *text[3]; /* reasons, lemmas, learned clauses */
    size_t size[3];
    FILE *out[3];
    uint32_t reason_n, lemma_n, learned_n;
    uint8_t assumed[64][2];
    uint32_t assumed_n;
    uint8_t too_early; /* the writer that comes before the initial transaction */
};

enum { REASONS, LEMMAS, LEARNED };

static bool is_open(const struct prover *p, uint8_t t)
{
    return p->s->tx[t].outcome == TX_UNKNOWN;
}

/* ---- points ---- */

static bool has_points(const struct prover *p)
{
    return p->m->conditions & (COND_PC | COND_SI);
}

static uint8_t begin_of(const struct prover *p, uint8_t t)
{
    return has_points(p) ? (uint8_t)(2 * t) : (uint8_t)(2 * t + 1);
}

static uint8_t commit_of(uint8_t t)
{
    return (uint8_t)(2 * t + 1);
}

static bool is(const struct edge *e, const char *rule)
{
    return strcmp(e->rule, rule) == 0;
}

static uint8_t start_of(const struct prover *p, const struct edge *e)
{
    return is(e, "rw") ? begin_of(p, e->from) : commit_of(e->from);
}

static uint8_t end_of(const struct prover *p, const struct edge *e)
{
    bool writers = !is(e, "po") && !is(e, "rt") && !is(e, "wr");
    return is(e, "rw") || (writers && (p->m->conditions & COND_PC)) ? commit_of(e->to) : begin_of(p, e->to);
}

struct path {
    uint32_t edges[POINTS], n;
    bool found;
};

/* By breadth-first search; at least one edge. weak: only base and wr. */
static struct path find_path(const struct prover *p, uint8_t from, uint8_t to, bool weak)
{
    uint32_t by[POINTS];
    uint8_t queue[POINTS * 2], head = 0, tail = 0, before[POINTS];
    bool seen[POINTS] = {0};
    struct path path = {.found = false};
    queue[tail++] = from;
    if (has_points(p) && from % 2 == 0) { /* its commit follows without an edge */
        queue[tail++] = (uint8_t)(from + 1);
        by[from + 1] = UINT32_MAX;
        before[from + 1] = from;
        seen[from + 1] = from + 1 != to;
    }
    while (head < tail && !path.found) {
        uint8_t at = queue[head++];
        for (uint32_t i = 0; i < p->edge_n && !path.found; i++) {
            const struct edge *e = &p->edges[i];
            uint8_t end = end_of(p, e);
            bool fits = !weak || is(e, "po") || is(e, "rt") || is(e, "wr");
            if (!fits || start_of(p, e) != at || (seen[end] && end != to))
                continue;
            for (int step = 0; step < 2; step++) { /* the end, and its commit */
                uint8_t next = (uint8_t)(end + step);
                if (step && (!has_points(p) || end % 2 == 1 || (seen[next] && next != to)))
                    break;
                if (seen[next] && next != to)
                    continue;
                seen[next] = true;
                by[next] = step ? UINT32_MAX : i;
                before[next] = step ? end : at;
                if (next == to) {
                    path.found = true;
                    break;
                }
                queue[tail++] = next;
            }
        }
    }
    if (!path.found)
        return path;
    uint32_t reversed[POINTS], n = 0;
    uint8_t at = to;
    do {
        if (by[at] != UINT32_MAX)
            reversed[n++] = by[at];
        at = before[at];
    } while (at != from);
    while (n)
        path.edges[path.n++] = reversed[--n];
    path.found = path.n > 0;
    return path;
}

/* ---- evidence ---- */

static void put_steps(FILE *out, const struct prover *p, const struct path *path)
{
    fputc('[', out);
    for (uint32_t i = 0; i < path->n; i++) {
        const struct edge *e = &p->edges[path->edges[i]];
        fprintf(out, "%s[\"%s\",%d,%d", i ? "," : "", e->rule, e->from, e->to);
        if (e->reason != UINT32_MAX)
            fprintf(out, ",%u", e->reason);
        fputc(']', out);
    }
    fputc(']', out);
}

static void add_edge(struct prover *p, const char *rule, uint8_t from, uint8_t to, uint32_t reason)
{
    if (p->edge_n == MOST_EDGES)
        abort();
    p->edges[p->edge_n++] = (struct edge){rule, from, to, reason};
}

static uint32_t put_reason(struct prover *p, const char *rule, uint8_t from, uint8_t to, uint8_t read,
                           const struct path *path)
{
    FILE *out = p->out[REASONS];
    fprintf(out, "%s{\"rule\":\"%s\",\"from\":%d,", p->reason_n ? "," : "", rule, from);
    if (to == INITIAL)
        fputs("\"to\":\"initial\"", out);
    else
        fprintf(out, "\"to\":%d", to);
    if (read < MOST_TXNS)
        fprintf(out, ",\"read\":%d", read);
    fputs(",\"path\":", out);
    put_steps(out, p, path);
    fputc('}', out);
    return p->reason_n++;
}

/* ---- derivation ---- */

static bool has_edge(const struct prover *p, const char *rule, uint8_t from, uint8_t to)
{
    for (uint32_t i = 0; i < p->edge_n; i++)
        if (p->edges[i].from == from && p->edges[i].to == to && is(&p->edges[i], rule))
            return true;
    return false;
}

static bool share_key(const struct prover *p, uint8_t a, uint8_t b)
{
    for (uint8_t key = 0; key < MOST_KEYS; key++)
        if (a != b && p->of.writes[a][key] && p->of.writes[b][key] && p->of.counts[a] && p->of.counts[b])
            return true;
    return false;
}

static bool ordered(const struct prover *p, uint8_t a, uint8_t b)
{
    return has_edge(p, "cf", a, b) || has_edge(p, "ww", a, b) || has_edge(p, "vo", a, b) || has_edge(p, "case", a, b);
}

static bool reads_earlier(const struct prover *p, uint32_t read, uint8_t source)
{
    for (uint32_t i = 0; i < read; i++)
        if (p->of.reads[i].reader == p->of.reads[read].reader && p->of.reads[i].source == source)
            return true;
    return false;
}

/* The path by which the read is bound to see v. */
static struct path bound(const struct prover *p, uint32_t read, uint8_t v)
{
    uint8_t r = p->of.reads[read].reader;
    struct path path = {.found = false};
    if (!(p->m->conditions & (COND_RC | COND_RA)))
        return find_path(p, commit_of(v), begin_of(p, r), p->m->conditions & COND_TCC);
    if ((p->m->conditions & COND_RC) && !reads_earlier(p, read, v))
        return path;
    for (uint32_t i = 0; i < p->edge_n && !path.found; i++) {
        const struct edge *e = &p->edges[i];
        bool fits = is(e, "wr") || ((p->m->conditions & COND_RA) && (is(e, "po") || is(e, "rt")));
        if (fits && e->from == v && e->to == r)
            path = (struct path){{i}, 1, true};
    }
    return path;
}

enum derived { NOTHING_NEW, SOMETHING_NEW, BEFORE_INITIAL };

static enum derived derive_cf(struct prover *p)
{
    enum derived result = NOTHING_NEW;
    for (uint32_t i = 0; i < p->of.read_n; i++)
        for (uint8_t v = 0; v < p->s->n; v++) {
            const struct read *r = &p->of.reads[i];
            if (!p->of.counts[v] || !p->of.writes[v][r->key] || v == r->source || v == r->reader ||
                (r->source != INITIAL && ordered(p, v, r->source)))
                continue;
            struct path path = bound(p, i, v);
            if (!path.found)
                continue;
            uint32_t reason = put_reason(p, "cf", v, r->source, r->reader, &path);
            p->too_early = v;
            if (r->source == INITIAL)
                return BEFORE_INITIAL;
            add_edge(p, "cf", v, r->source, reason);
            result = SOMETHING_NEW;
        }
    return result;
}

static bool derive_ww(struct prover *p)
{
    bool new = false;
    for (uint8_t v = 0; v < p->s->n; v++)
        for (uint8_t w = 0; w < p->s->n; w++) {
            if (!share_key(p, v, w) || ordered(p, v, w))
                continue;
            uint8_t from = p->m->conditions & COND_SI ? begin_of(p, v) : commit_of(v);
            struct path path = find_path(p, from, commit_of(w), false);
            if (!path.found)
                continue;
            add_edge(p, "ww", v, w, put_reason(p, "ww", v, w, MOST_TXNS, &path));
            new = true;
        }
    return new;
}

static bool derive_rw(struct prover *p)
{
    bool new = false;
    for (uint32_t i = 0; i < p->of.read_n; i++)
        for (uint8_t w = 0; w < p->s->n; w++) {
            const struct read *r = &p->of.reads[i];
            if (!p->of.counts[w] || !p->of.writes[w][r->key] || w == r->reader || w == r->source ||
                has_edge(p, "rw", r->reader, w))
                continue;
            struct path path = {.found = true};
            if (r->source != INITIAL)
                path = find_path(p, commit_of(r->source), commit_of(w), false);
            if (!path.found)
                continue;
            add_edge(p, "rw", r->reader, w, put_reason(p, "rw", r->reader, w, r->reader, &path));
            new = true;
        }
    return new;
}

static struct path find_cycle(const struct prover *p)
{
    struct path path = {.found = false};
    for (uint32_t i = 0; i < p->edge_n && !path.found; i++) {
        uint8_t start = start_of(p, &p->edges[i]), end = end_of(p, &p->edges[i]);
        if (start == end || (has_points(p) && end + 1 == start && end % 2 == 0))
            return (struct path){{i}, 1, true};
        struct path back = find_path(p, end, start, false);
        if (!back.found)
            continue;
        path = (struct path){{i}, 1, true};
        for (uint32_t k = 0; k < back.n; k++)
            path.edges[path.n++] = back.edges[k];
    }
    return path;
}

/* Derives all that follows. A contradiction is a cycle, or the last reason. */
static bool contradicts(struct prover *p, struct path *cycle, bool *before_initial)
{
    bool strong = !(p->m->conditions & (COND_RC | COND_RA | COND_TCC));
    for (;;) {
        *cycle = find_cycle(p);
        if (cycle->found)
            return true;
        enum derived cf = derive_cf(p);
        *before_initial = cf == BEFORE_INITIAL;
        if (*before_initial)
            return true;
        bool new = cf == SOMETHING_NEW;
        if (strong)
            new |= derive_ww(p);
        if (strong && !(p->m->conditions & COND_PSI))
            new |= derive_rw(p);
        if (!new)
            return false;
    }
}

/* ---- cases ---- */

static void put_lemma(struct prover *p, const struct path *cycle, bool before_initial)
{
    fputs(p->lemma_n++ ? "," : "", p->out[LEMMAS]);
    if (before_initial)
        fprintf(p->out[LEMMAS], "[[\"cf\",%d,\"initial\",%u]]", p->too_early, p->reason_n - 1);
    else
        put_steps(p->out[LEMMAS], p, cycle);
}

static void put_learned(struct prover *p)
{
    fputs(p->learned_n++ ? ",[" : "[", p->out[LEARNED]);
    for (uint32_t i = 0; i < p->assumed_n; i++)
        fprintf(p->out[LEARNED], "%s[%d,%d]", i ? "," : "", p->assumed[i][0], p->assumed[i][1]);
    fputs("]", p->out[LEARNED]);
}

static bool open_pair(const struct prover *p, uint8_t *v, uint8_t *w)
{
    for (*v = 0; *v < p->s->n; ++*v)
        for (*w = 0; *w < *v; ++*w)
            if (share_key(p, *v, *w) && !ordered(p, *v, *w) && !ordered(p, *w, *v))
                return true;
    return false;
}

/* Is every case contradictory? */
static bool refute(struct prover *p)
{
    struct path cycle;
    bool before_initial = false;
    uint8_t v, w;
    if (contradicts(p, &cycle, &before_initial)) {
        put_lemma(p, &cycle, before_initial);
        put_learned(p);
        return true;
    }
    if ((p->m->conditions & (COND_RC | COND_RA | COND_TCC)) || !open_pair(p, &v, &w))
        return false;
    for (int way = 0; way < 2; way++) {
        uint32_t edges = p->edge_n;
        p->assumed[p->assumed_n][0] = way ? w : v;
        p->assumed[p->assumed_n++][1] = way ? v : w;
        add_edge(p, "case", way ? w : v, way ? v : w, UINT32_MAX);
        bool refuted = refute(p);
        p->edge_n = edges;
        p->assumed_n--;
        if (!refuted)
            return false;
    }
    put_learned(p);
    return true;
}

/* ---- facts ---- */

static bool known_before(const struct tx_sketch *s, uint8_t a, uint8_t b)
{
    bool before[MOST_TXNS][MOST_TXNS] = {0};
    for (uint8_t t = 0; t < s->n; t++) {
        uint8_t count[MOST_SESSIONS] = {0};
        for (uint8_t u = 0; u < s->n; u++) {
            uint8_t place = count[s->tx[u].session]++;
            before[u][t] = (u < t && s->tx[u].session == s->tx[t].session) || place < s->tx[t].after[s->tx[u].session];
        }
    }
    for (uint8_t k = 0; k < s->n; k++)
        for (uint8_t t = 0; t < s->n; t++)
            for (uint8_t u = 0; u < s->n; u++)
                before[t][u] |= before[t][k] && before[k][u];
    return before[a][b];
}

static void add_base(struct prover *p, uint8_t a, uint8_t b)
{
    const struct tx *x = &p->s->tx[a], *y = &p->s->tx[b];
    if (p->m->base == BASE_NONE || is_open(p, a))
        return;
    if (a < b && x->session == y->session)
        add_edge(p, "po", a, b, UINT32_MAX);
    else if (p->m->base == BASE_REALTIME && p->s->times == TX_INTERVALS && x->ret < y->call - 2 * p->s->skew)
        add_edge(p, "rt", a, b, UINT32_MAX);
    else if (p->m->base == BASE_REALTIME && p->s->times == TX_AFTER && known_before(p->s, a, b))
        add_edge(p, "rt", a, b, UINT32_MAX);
}

static void add_shown(struct prover *p, uint8_t key, uint8_t a, uint8_t b)
{
    uint8_t place[2] = {UINT8_MAX, UINT8_MAX};
    for (uint8_t i = 0; i < p->of.shown_n[key]; i++) {
        place[0] = p->of.shown[key][i] == a ? i : place[0];
        place[1] = p->of.shown[key][i] == b ? i : place[1];
    }
    if (p->of.writes[a][key] && p->of.writes[b][key] && place[0] < place[1] && !has_edge(p, "vo", a, b))
        add_edge(p, "vo", a, b, UINT32_MAX);
}

static void add_facts(struct prover *p)
{
    for (uint8_t a = 0; a < p->s->n; a++)
        for (uint8_t b = 0; b < p->s->n; b++) {
            if (a == b || !p->of.counts[a] || !p->of.counts[b])
                continue;
            add_base(p, a, b);
            for (uint8_t key = 0; key < MOST_KEYS; key++)
                add_shown(p, key, a, b);
        }
    for (uint32_t i = 0; i < p->of.read_n; i++)
        if (p->of.reads[i].source != INITIAL && !has_edge(p, "wr", p->of.reads[i].source, p->of.reads[i].reader))
            add_edge(p, "wr", p->of.reads[i].source, p->of.reads[i].reader, UINT32_MAX);
}

/* ---- the proof ---- */

static uint8_t unrepeatable(const struct prover *p)
{
    for (uint32_t i = 0; i < p->of.read_n; i++)
        for (uint32_t k = 0; k < i; k++)
            if (p->of.reads[i].reader == p->of.reads[k].reader && p->of.reads[i].key == p->of.reads[k].key &&
                p->of.reads[i].source != p->of.reads[k].source)
                return p->of.reads[i].reader;
    return MOST_TXNS;
}

static char *put_line(struct prover *p, const assay_history *h, uint8_t culprit, bool cases)
{
    char *line = NULL;
    size_t size;
    FILE *out = open_memstream(&line, &size);
    for (int i = 0; i < 3; i++)
        fflush(p->out[i]);
    char digest[17];
    assay_history_digest(h, digest);
    fprintf(out, "{\"evidence\":1,\"history\":\"%s\",\"index\":0,\"model\":\"%s\",\"verdict\":\"violation\",", digest,
            p->m->name);
    if (p->s->skew && p->m->base == BASE_REALTIME)
        fprintf(out, "\"skew\":\"%d\",", p->s->skew);
    if (culprit < MOST_TXNS)
        fprintf(out, "\"pattern\":\"NonRepeatableRead\",\"culprit\":%d}\n", culprit);
    else if (cases)
        fprintf(out, "\"pattern\":\"NoVersionOrder\",\"reasons\":[%s],\"lemmas\":[%s],\"learned\":[%s]}\n",
                p->text[REASONS], p->text[LEMMAS], p->text[LEARNED]);
    else if (strstr(p->text[LEMMAS], "initial"))
        fprintf(out, "\"pattern\":\"AntiDependencyCycle\",\"reasons\":[%s],\"cycle\":[]}\n", p->text[REASONS]);
    else
        fprintf(out, "\"pattern\":\"AntiDependencyCycle\",\"reasons\":[%s],\"cycle\":%s}\n", p->text[REASONS],
                p->text[LEMMAS]);
    fclose(out);
    return line;
}

enum proved prove(const struct tx_sketch *s, const assay_history *h, const struct model *m, char **line)
{
    struct prover *p = calloc(1, sizeof *p);
    *line = NULL;
    *p = (struct prover){.s = s, .m = m};
    for (int i = 0; i < 3; i++)
        p->out[i] = open_memstream(&p->text[i], &p->size[i]);
    enum proved result = PROVED_NOTHING;
    if (read_sources_find(&p->of, s)) {
        uint8_t culprit = m->conditions & COND_RC ? MOST_TXNS : unrepeatable(p);
        add_facts(p);
        result = culprit < MOST_TXNS || refute(p) ? PROVED_VIOLATION : PROVED_CONSISTENT;
        if (result == PROVED_VIOLATION)
            *line = put_line(p, h, culprit, p->lemma_n > 1);
    }
    for (int i = 0; i < 3; i++) {
        fclose(p->out[i]);
        free(p->text[i]);
    }
    free(p);
    return result;
}
