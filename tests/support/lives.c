/* SPDX-License-Identifier: Apache-2.0 */
#include "support/lives.h"

#include <stdio.h>
#include <string.h>

enum { EMPTY = 0, MOST_INIT = 3, LAST_TIME = 4 * LIVES_MOST };
enum role { ADD, REMOVE, PEEK };

struct life { /* an operation */
    enum role role;
    int value; /* that is added or found */
    int call, ret;
    bool pending;
};

struct story {
    int n, init_n;
    int init[MOST_INIT];
    struct life op[LIVES_MOST];
};

const struct lives_kind lives_kinds[LIVES_KINDS] = {
    {"queue", "fast-queue", "enq", "deq"},
    {"stack", "fast-stack", "push", "pop"},
    {"pqueue", "fast-pqueue", "add", "rem"},
    {"pqueue(min)", "fast-pqueue", "add", "rem"},
};

static bool is_ordered(const struct lives_kind *k)
{
    return strncmp(k->object, "pqueue", 6) == 0;
}

/* ---- a run ---- */

struct content {
    int n;
    int value[LIVES_MOST + MOST_INIT]; /* in the order in which they were added */
};

static int next_place(const struct lives_kind *k, const struct content *c)
{
    if (!is_ordered(k))
        return strcmp(k->object, "stack") == 0 ? c->n - 1 : 0;
    bool least = strstr(k->object, "min");
    int best = 0;
    for (int i = 1; i < c->n; i++)
        best = (c->value[i] < c->value[best]) == least ? i : best;
    return best;
}

static void run(const struct lives_kind *k, struct story *t)
{
    struct content c = {.n = t->init_n};
    memcpy(c.value, t->init, sizeof t->init);
    for (int i = 0; i < t->n; i++) {
        struct life *o = &t->op[i];
        if (o->role == ADD) {
            c.value[c.n++] = o->value;
            continue;
        }
        int at = c.n ? next_place(k, &c) : 0;
        o->value = c.n ? c.value[at] : EMPTY;
        if (o->role == REMOVE && c.n)
            memmove(&c.value[at], &c.value[at + 1], (size_t)(--c.n - at) * sizeof *c.value);
    }
}

/* Calls around moments at which they take effect. */
static void draw_times(struct story *t, struct rng *rng)
{
    int moment = 0, width = 1 + (int)rng_below(rng, 40);
    bool used[400] = {false};
    for (int i = 0; i < t->n; i++) {
        moment += 1 + (int)rng_below(rng, 20);
        int call = moment - (int)rng_below(rng, (uint32_t)width),
            ret = moment + 1 + (int)rng_below(rng, (uint32_t)width);
        for (call = call < 1 ? 1 : call; used[call];)
            call++;
        used[call] = true;
        for (ret = ret <= call ? call + 1 : ret; used[ret];)
            ret++;
        used[ret] = true;
        t->op[i].call = call;
        t->op[i].ret = ret;
    }
}

/* Two operations change their times or their results, or one has a result of nobody's. */
static void change(struct story *t, struct rng *rng)
{
    struct life *a = &t->op[rng_below(rng, (uint32_t)t->n)], *b = &t->op[rng_below(rng, (uint32_t)t->n)], was = *a;
    if (rng_below(rng, 2)) {
        a->call = b->call, a->ret = b->ret;
        b->call = was.call, b->ret = was.ret;
    } else if (a->role == ADD || b->role == ADD) {
        return;
    } else if (rng_below(rng, 8) == 0) {
        a->value = rng_below(rng, 2) ? EMPTY : 1 + (int)rng_below(rng, LIVES_MOST);
    } else {
        a->value = b->value, b->value = was.value;
    }
}

static struct story draw_run(const struct lives_kind *k, struct rng *rng, int most)
{
    struct story t = {.n = 2 + (int)rng_below(rng, (uint32_t)most - 1)};
    int values[LIVES_MOST + MOST_INIT], next = 0;
    for (int i = 0; i < LIVES_MOST + MOST_INIT; i++) {
        int j = (int)rng_below(rng, (uint32_t)i + 1);
        values[i] = values[j];
        values[j] = 1 + i;
    }
    t.init_n = rng_below(rng, 4) ? 0 : 1 + (int)rng_below(rng, MOST_INIT);
    for (int i = 0; i < t.init_n; i++)
        t.init[i] = values[next++];
    uint32_t peeks = rng_below(rng, 3) * 15, adds = 25 + rng_below(rng, 40);
    for (int i = 0; i < t.n; i++) {
        uint32_t dice = rng_below(rng, 100);
        t.op[i].role = dice < adds ? ADD : dice < adds + peeks ? PEEK : REMOVE;
        if (t.op[i].role == ADD)
            t.op[i].value = values[next++];
    }
    draw_times(&t, rng);
    run(k, &t);
    for (uint32_t changes = rng_below(rng, 4); changes; changes--)
        change(&t, rng);
    if (rng_below(rng, 40) == 0 && t.op[0].role == ADD && t.op[t.n - 1].role == ADD)
        t.op[0].value = t.op[t.n - 1].value;
    return t;
}

/* ---- lives ---- */

/* A time within the range that is not used yet, or 0. */
static int draw_time(struct rng *rng, bool *used, int low, uint32_t width)
{
    int time = low + (int)rng_below(rng, width);
    for (uint32_t i = 0; i < width && used[time]; i++)
        time = time + 1 < low + (int)width ? time + 1 : low;
    if (used[time])
        return 0;
    used[time] = true;
    return time;
}

static void add_lived(struct story *t, enum role role, int value, int a, int b)
{
    if (a && b && t->n < LIVES_MOST)
        t->op[t->n++] = (struct life){role, value, a < b ? a : b, a < b ? b : a, false};
}

/* A value's calls: its add is called before the others return, and the remove returns after they are called. */
static void draw_life(struct story *t, struct rng *rng, bool *used, int value, int low, uint32_t width)
{
    static const int ways[][4] = {{0, 1, 2, 3}, {0, 2, 1, 3}, {0, 3, 1, 2}, {1, 2, 0, 3}, {1, 3, 0, 2}};
    int time[4];
    for (int i = 0; i < 4; i++) {
        time[i] = draw_time(rng, used, low, width);
        if (!time[i])
            return;
        for (int j = i; j > 0 && time[j] < time[j - 1]; j--) {
            int other = time[j];
            time[j] = time[j - 1];
            time[j - 1] = other;
        }
    }
    const int *way = ways[rng_below(rng, 3) ? 0 : rng_below(rng, 5)];
    add_lived(t, ADD, value, time[way[0]], time[way[1]]);
    if (rng_below(rng, 12))
        add_lived(t, REMOVE, value, time[way[2]], time[way[3]]);
    if (rng_below(rng, 4) == 0) {
        uint32_t between = (uint32_t)(time[3] - time[0]);
        int first = draw_time(rng, used, time[0], between);
        add_lived(t, PEEK, value, first, draw_time(rng, used, time[0], between));
    }
}

static struct story draw_lives(struct rng *rng)
{
    struct story t = {0};
    bool used[LAST_TIME + 1] = {false};
    uint32_t width = 6 + rng_below(rng, LAST_TIME - 6);
    for (int v = 1; v <= 6; v++)
        draw_life(&t, rng, used, v, 1 + (int)rng_below(rng, LAST_TIME - width), width);
    if (rng_below(rng, 4) == 0) {
        int first = draw_time(rng, used, 1, LAST_TIME);
        add_lived(&t, rng_below(rng, 2) ? REMOVE : PEEK, EMPTY, first, draw_time(rng, used, 1, LAST_TIME));
    }
    return t;
}

/* ---- plays ---- */

static struct play play_of(const struct lives_kind *k, const struct story *t)
{
    static char init[64];
    struct play p = {.object = k->object, .n = (uint32_t)t->n};
    size_t at = 0;
    for (int i = 0; i < t->init_n; i++)
        at += (size_t)snprintf(init + at, sizeof init - at, "%s%d", i ? ", " : "[", t->init[i]);
    if (t->init_n) {
        snprintf(init + at, sizeof init - at, "]");
        p.init = init;
    }
    for (int i = 0; i < t->n; i++) {
        const struct life *l = &t->op[i];
        struct play_op *o = &p.op[i];
        *o = (struct play_op){.thread = (uint8_t)i, .call = l->call, .ret = l->ret, .pending = l->pending};
        o->method = l->role == ADD ? k->add : l->role == REMOVE ? k->remove : "peek";
        o->arg_count = l->role == ADD;
        if (l->role == ADD)
            o->args[0] = assay_int(l->value);
        else if (!l->pending)
            o->result = l->value == EMPTY ? assay_word("empty") : assay_int(l->value);
    }
    return p;
}

struct play play_lives(const struct lives_kind *kind, uint64_t i, struct rng *rng)
{
    bool lives = i % 3 == 0;
    struct story t = lives ? draw_lives(rng) : draw_run(kind, rng, i % 3 == 1 ? 8 : LIVES_MOST);
    for (uint32_t open = rng_below(rng, 4) ? 0 : 1 + rng_below(rng, lives ? 3 : 2); open && t.n; open--)
        t.op[rng_below(rng, (uint32_t)t.n)].pending = true;
    return play_of(kind, &t);
}

bool lives_may_decline(const struct lives_kind *kind, const struct play *p)
{
    bool twice = false, open_remove = false, peeks = false;
    for (uint32_t i = 0; i < p->n; i++) {
        const struct play_op *o = &p->op[i];
        char value[24];
        open_remove |= o->pending && strcmp(o->method, kind->remove) == 0;
        peeks |= !o->pending && strcmp(o->method, "peek") == 0;
        for (uint32_t j = 0; o->arg_count && j < i; j++)
            twice |= p->op[j].arg_count && p->op[j].args[0].integer == o->args[0].integer;
        snprintf(value, sizeof value, "%lld", (long long)o->args[0].integer);
        const char *at = o->arg_count && p->init ? strstr(p->init, value) : NULL; /* between [ or a space, and , or ] */
        twice |= at && strchr("[ ", at[-1]) && strchr(",]", at[strlen(value)]);
    }
    return twice || (open_remove && strcmp(kind->object, "stack") != 0 && (is_ordered(kind) || peeks));
}
