/* SPDX-License-Identifier: Apache-2.0 */
/* The staleness of a history, or of several (assay_staleness of assay.h): counts, percentiles, the stale reads, and the
 * reads by session and by node.
 *
 * Invariant: fresh reads are only counted, since they are 0 versions and no time behind. The stale ones are kept, the
 * worst first: by versions, then by time. Their times are kept a second time, the longest first. So a percentile of
 * either is one element, and a sum of histories takes memory for the stale reads only.
 *
 * If a history says which unit its times have, the time behind is in nanoseconds. */
#include "base/given.h"
#include "base/options.h"
#include "base/text.h"
#include "history/token.h"
#include "staleness/behind.h"

#include <stdlib.h>
#include <string.h>

struct group_set {
    struct names names;
    VEC(assay_stale_group) at; /* by the number of the name */
};

struct assay_staleness {
    struct mem mem;
    uint32_t histories;
    uint64_t reads, unexplained;
    bool in_nanoseconds;
    VEC(assay_stale_read) stale; /* the worst first */
    uint64_t *times;             /* of these, the longest first */
    size_t longest;              /* the place of the stale read with the longest time */
    struct group_set groups[2];  /* by assay_stale_grouping */
};

/* ---- building ---- */

static int worst_first(const void *left, const void *right)
{
    const assay_stale_read *a = left, *b = right;
    if (a->versions != b->versions)
        return a->versions > b->versions ? -1 : 1;
    if (a->time != b->time)
        return a->time > b->time ? -1 : 1;
    if (a->history != b->history)
        return a->history < b->history ? -1 : 1;
    if (a->operation != b->operation)
        return a->operation < b->operation ? -1 : 1;
    return a->access < b->access ? -1 : a->access > b->access;
}

static int longest_first(const void *left, const void *right)
{
    const uint64_t *a = left, *b = right;
    return *a > *b ? -1 : *a < *b;
}

static void sort_stale(assay_staleness *s)
{
    uint32_t n = s->stale.n;
    s->times = mem_new(&s->mem, uint64_t, (size_t)n + 1);
    if (!n)
        return;
    qsort(s->stale.at, n, sizeof *s->stale.at, worst_first);
    for (uint32_t i = 0; i < n; i++) {
        s->times[i] = s->stale.at[i].time;
        if (s->times[i] > s->stale.at[s->longest].time)
            s->longest = i;
    }
    qsort(s->times, n, sizeof *s->times, longest_first);
}

static assay_stale_group *group(assay_staleness *s, assay_stale_grouping by, const char *name, size_t length)
{
    struct group_set *set = &s->groups[by];
    uint32_t number = names_put(&set->names, name, length);
    if (number == set->at.n) {
        assay_stale_group new = {.name = names_text(&set->names, number)};
        vec_push(&s->mem, &set->at, new);
    }
    return &set->at.at[number];
}

static void count_stale(assay_stale_group *g, const assay_stale_read *r)
{
    g->stale++;
    g->versions = r->versions > g->versions ? r->versions : g->versions;
    g->time = r->time > g->time ? r->time : g->time;
}

static assay_staleness *staleness_new(assay_error *e)
{
    assay_staleness *s = calloc(1, sizeof *s);
    if (!s) {
        error_from_escape(e, ESCAPE_OUT_OF_MEMORY);
        return NULL;
    }
    for (int by = 0; by < 2; by++)
        s->groups[by].names = names_in(&s->mem);
    return s;
}

/* ---- one history ---- */

struct measuring {
    assay_staleness *s;
    const history *h;
    assay_options options;
    struct mem mem;
    struct budget budget;
    struct objects objects;
    struct accesses_measured accesses;
    struct behind_all behind;
    uint32_t *session, *node; /* of a thread: its groups, or ID_NONE */
    assay_error *e;
};

static void need_times(const struct measuring *x)
{
    enum times times = history_times(x->h);
    if (times == TIMES_INTERVALS)
        return;
    error_set(x->e, ASSAY_ERROR_NOT_APPLICABLE, "the staleness of reads cannot be measured: %s",
              times == TIMES_AFTER ? "the history has `@ after`, but no times" : "the history has no real time");
    error_remedy(x->e,
                 "record when each operation was called and returned: `@ 120..180`, or calls and returns in order");
    escape_raise(ESCAPE_ERROR);
}

static void need_initial_values(struct measuring *x)
{
    if (!history_any_initial(x->h))
        return;
    error_set(x->e, ASSAY_ERROR_NOT_APPLICABLE,
              "the staleness of reads cannot be measured: an initial value may be any (`@init ?`)");
    escape_raise(ESCAPE_ERROR);
}

static void find_accesses(struct measuring *x)
{
    struct object_choice choice = {x->options.object, x->options.spec};
    if (!objects_of(x->h, choice, &x->mem, &x->objects, x->e))
        escape_raise(ESCAPE_ERROR);
    if (!x->h->n)
        return;
    need_initial_values(x);
    need_times(x);
    if (x->objects.n == 1 && objects_all(&x->objects, &spec_multi_register))
        accesses_of_transactions(&x->accesses, x->h, &x->mem, &x->budget, x->e);
    else
        accesses_of_objects(&x->accesses, x->h, &x->objects, &x->mem, &x->budget, x->e);
}

/* The thread that a key of `@nodes` names, or ID_NONE. */
static uint32_t thread_named(const history *h, struct value key, struct text *t)
{
    uint32_t name = kind_is_text(key.kind) ? (uint32_t)key.bits : ID_NONE;
    if (key.kind == ASSAY_INT) {
        t->n = 0;
        token_print(t, h, key);
        name = names_find(&h->names, text_get(t), t->n);
    }
    return name < h->thread_of_name.n ? h->thread_of_name.at[name] : ID_NONE;
}

static uint32_t node_group(struct measuring *x, struct value node, struct text *t)
{
    t->n = 0;
    if (node.kind == ASSAY_STRING)
        text_puts(t, history_text(x->h, (uint32_t)node.bits));
    else if (node.kind != ASSAY_NONE)
        token_print(t, x->h, node);
    return (uint32_t)(group(x->s, ASSAY_BY_NODE, text_get(t), t->n) - x->s->groups[ASSAY_BY_NODE].at.at);
}

static void find_groups(struct measuring *x)
{
    const history *h = x->h;
    struct text t = text_in(&x->mem);
    x->session = mem_new_ids(&x->mem, (size_t)h->threads.n + 1);
    x->node = mem_new_ids(&x->mem, (size_t)h->threads.n + 1);
    for (uint32_t i = 0; i < h->threads.n; i++) {
        const struct name *name = &h->names.all.at[h->threads.at[i].name];
        group(x->s, ASSAY_BY_SESSION, name->text, name->length);
        x->session[i] = i;
    }
    for (uint32_t i = 0; i < h->nodes.n; i++) {
        uint32_t thread = thread_named(h, h->nodes.at[i].key, &t);
        if (thread != ID_NONE)
            x->node[thread] = node_group(x, h->nodes.at[i].value, &t);
    }
    for (uint32_t i = 0; h->nodes.n && i < h->threads.n; i++)
        if (x->node[i] == ID_NONE)
            x->node[i] = node_group(x, (struct value){.kind = ASSAY_NONE}, &t);
}

static assay_stale_group *groups_of(struct measuring *x, uint32_t op, assay_stale_grouping by)
{
    uint32_t thread = x->h->thread[op], number = by == ASSAY_BY_NODE ? x->node[thread] : x->session[thread];
    return number == ID_NONE ? NULL : &x->s->groups[by].at.at[number];
}

static void count_reads(struct measuring *x)
{
    for (uint32_t i = 0; i < x->accesses.reads.n; i++) {
        if (x->behind.unexplained[i]) {
            x->s->unexplained++;
            continue;
        }
        x->s->reads++;
        for (int by = 0; by < 2; by++) {
            assay_stale_group *g = groups_of(x, x->accesses.reads.at[i].op, by);
            if (g)
                g->reads++;
        }
    }
}

/* A time that is too long to be counted in nanoseconds is 584 years. */
static uint64_t nanoseconds(enum clock_unit unit, uint64_t time)
{
    static const uint64_t each[] = {
        [CLOCK_UNSAID] = 1, [CLOCK_NS] = 1, [CLOCK_US] = 1000, [CLOCK_MS] = 1000000, [CLOCK_S] = 1000000000};
    return time > UINT64_MAX / each[unit] ? UINT64_MAX : time * each[unit];
}

static void keep_stale(struct measuring *x)
{
    vec_reserve(&x->s->mem, &x->s->stale, x->behind.stale.n);
    for (uint32_t i = 0; i < x->behind.stale.n; i++) {
        const struct behind *b = &x->behind.stale.at[i];
        const struct stale_read *r = &x->accesses.reads.at[b->read];
        assay_stale_read *s = &x->s->stale.at[x->s->stale.n++];
        *s = (assay_stale_read){.operation = r->op,
                                .access = r->access,
                                .line = history_access_line(x->h, r->op, r->access),
                                .source = b->source,
                                .earliest = b->earliest,
                                .newest = b->newest,
                                .versions = b->versions,
                                .time = nanoseconds(x->h->clock, b->time)};
        for (int by = 0; by < 2; by++) {
            assay_stale_group *g = groups_of(x, r->op, by);
            if (g)
                count_stale(g, s);
        }
    }
}

static void measure(void *arg)
{
    struct measuring *x = arg;
    budget_look(&x->budget);
    find_accesses(x);
    if (x->accesses.reads.n)
        behind_find(&x->behind, &x->accesses, x->h, x->options.skew, &x->mem, &x->budget);
    find_groups(x);
    count_reads(x);
    keep_stale(x);
    sort_stale(x->s);
}

static assay_staleness *finished(assay_staleness *s, enum escape left, const assay_error *mine, assay_error *e)
{
    if (!left)
        return s;
    if (left == ESCAPE_ERROR)
        error_copy(e, mine);
    else
        error_from_escape(e, left);
    assay_staleness_free(s);
    return NULL;
}

assay_staleness *assay_stale(const assay_history *h, const assay_options *options, assay_error *e)
{
    if (!GIVEN(h, e))
        return NULL;
    assay_error mine = {0};
    struct measuring x = {.h = h, .e = &mine};
    if (!options_take(&x.options, sizeof x.options, options, e) || !(x.s = staleness_new(e)))
        return NULL;
    x.s->histories = 1;
    x.s->in_nanoseconds = h->clock != CLOCK_UNSAID;
    x.mem.limit = x.options.memory;
    x.budget = budget_begin(&x.options);
    enum escape left = escape_run(measure, &x);
    mem_release(&x.mem);
    return finished(x.s, left, &mine, e);
}

/* ---- several ---- */

struct adding {
    assay_staleness *to;
    const assay_staleness *const *parts;
    size_t n;
    assay_error *e;
};

/* Times without a unit add to nothing but their like. A history without a stale read adds to all. */
static void need_one_unit(const struct adding *x, const assay_staleness *first, const assay_staleness *s)
{
    if (first->in_nanoseconds == s->in_nanoseconds)
        return;
    error_set(x->e, ASSAY_ERROR_NOT_APPLICABLE,
              "the staleness of these histories cannot be summed: only some say the unit of their times");
    error_remedy(x->e, "say it in each of them: `# @clock ms`");
    escape_raise(ESCAPE_ERROR);
}

static void add_groups(assay_staleness *to, const assay_staleness *from, assay_stale_grouping by)
{
    for (uint32_t i = 0; i < from->groups[by].at.n; i++) {
        const assay_stale_group *g = &from->groups[by].at.at[i];
        assay_stale_group *sum = group(to, by, g->name, from->groups[by].names.all.at[i].length);
        sum->reads += g->reads;
        sum->stale += g->stale;
        sum->versions = g->versions > sum->versions ? g->versions : sum->versions;
        sum->time = g->time > sum->time ? g->time : sum->time;
    }
}

static void add_part(assay_staleness *to, const assay_staleness *from)
{
    vec_reserve(&to->mem, &to->stale, from->stale.n);
    for (uint32_t i = 0; i < from->stale.n; i++) {
        assay_stale_read r = from->stale.at[i];
        r.history += to->histories;
        to->stale.at[to->stale.n++] = r;
    }
    to->histories += from->histories;
    to->reads += from->reads;
    to->unexplained += from->unexplained;
    for (int by = 0; by < 2; by++)
        add_groups(to, from, by);
}

static void add(void *arg)
{
    const struct adding *x = arg;
    const assay_staleness *first = NULL;
    for (size_t i = 0; i < x->n; i++) {
        const assay_staleness *s = x->parts[i];
        if (s->stale.n && first)
            need_one_unit(x, first, s);
        if (s->stale.n && !first)
            first = s;
        add_part(x->to, s);
    }
    if (!first && x->n)
        first = x->parts[0];
    x->to->in_nanoseconds = first && first->in_nanoseconds;
    sort_stale(x->to);
}

assay_staleness *assay_staleness_sum(const assay_staleness *const *parts, size_t n, assay_error *e)
{
    if (!GIVEN((parts || !n), e))
        return NULL;
    for (size_t i = 0; i < n; i++)
        if (!GIVEN(parts[i], e))
            return NULL;
    assay_error mine = {0};
    struct adding x = {.to = staleness_new(e), .parts = parts, .n = n, .e = &mine};
    return x.to ? finished(x.to, escape_run(add, &x), &mine, e) : NULL;
}

void assay_staleness_free(assay_staleness *s)
{
    if (!s)
        return;
    mem_release(&s->mem);
    free(s);
}

/* ---- asking ---- */

uint32_t assay_staleness_histories(const assay_staleness *s)
{
    if (!s)
        return 0;
    return s->histories;
}

uint64_t assay_staleness_reads(const assay_staleness *s)
{
    if (!s)
        return 0;
    return s->reads;
}

uint64_t assay_staleness_unexplained(const assay_staleness *s)
{
    if (!s)
        return 0;
    return s->unexplained;
}

bool assay_staleness_in_nanoseconds(const assay_staleness *s)
{
    if (!s)
        return false;
    return s->in_nanoseconds;
}

size_t assay_staleness_stale(const assay_staleness *s)
{
    if (!s)
        return 0;
    return s->stale.n;
}

assay_stale_read assay_staleness_read(const assay_staleness *s, size_t i)
{
    if (i >= assay_staleness_stale(s))
        return (assay_stale_read){0};
    return s->stale.at[i];
}

size_t assay_staleness_longest(const assay_staleness *s)
{
    if (!s)
        return 0;
    return s->longest;
}

/* Of the reads in ascending order, the one behind which at most the rest of the thousand lie. */
assay_behind assay_staleness_percentile(const assay_staleness *s, unsigned per_mille)
{
    if (!s)
        return (assay_behind){0};
    per_mille = per_mille > 1000 ? 1000 : per_mille;
    uint64_t worse = s->reads / 1000 * (1000 - per_mille) + s->reads % 1000 * (1000 - per_mille) / 1000;
    worse -= worse && worse == s->reads; /* of the least read none is better */
    if (worse >= s->stale.n)
        return (assay_behind){0, 0};
    return (assay_behind){s->stale.at[worse].versions, s->times[worse]};
}

/* How many stale reads are at least so many versions behind. */
static uint64_t at_least(const assay_staleness *s, uint64_t versions)
{
    uint32_t low = 0, high = s->stale.n;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (s->stale.at[middle].versions >= versions)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

uint64_t assay_staleness_between(const assay_staleness *s, uint64_t least, uint64_t most)
{
    if (!s)
        return 0;
    uint64_t from = least ? at_least(s, least) : s->reads, beyond = most < UINT64_MAX ? at_least(s, most + 1) : 0;
    return from > beyond ? from - beyond : 0;
}

size_t assay_staleness_groups(const assay_staleness *s, assay_stale_grouping by)
{
    return s && by < sizeof s->groups / sizeof *s->groups ? s->groups[by].at.n : 0;
}

assay_stale_group assay_staleness_group(const assay_staleness *s, assay_stale_grouping by, size_t i)
{
    return i < assay_staleness_groups(s, by) ? s->groups[by].at.at[i] : (assay_stale_group){0};
}
