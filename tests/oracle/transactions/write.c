/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/transactions/write.h"

#include "support/chance.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The transactions with the sessions interleaved anew */
static void interleave(const struct history *h, int *order)
{
    bool *done = calloc((size_t)h->n + 1, sizeof *done);
    if (!done)
        abort();
    for (int i = 0; i < h->n; i++) {
        int t = below(h->n);
        while (done[t])
            t = (t + 1) % h->n;
        for (int u = t - 1; u >= 0; u--)
            if (!done[u] && h->txns[u].session == h->txns[t].session)
                t = u;
        done[t] = true;
        order[i] = t;
    }
    free(done);
}

static int *draw_order(const struct history *h, int *order)
{
    int *own = malloc(((size_t)h->n + 1) * sizeof *own);
    if (!own)
        abort();
    for (int i = 0; i < h->n; i++)
        own[i] = i;
    if (chance(50))
        interleave(h, own);
    for (int i = 0; order && i < h->n; i++)
        order[i] = own[i];
    return own;
}

static void say_list(struct text *t, const struct history *h, const struct spelling *s, int list, int length,
                     enum language in)
{
    const char *between = in == JSON ? "," : in == EDN || chance(70) ? " " : ", ";
    say(t, "[");
    for (int i = 0; i < length; i++) {
        say(t, "%s", i ? between : "");
        say_value(t, s, h->cells[list + i], in);
    }
    say(t, "]");
}

static void say_headers(struct text *t, const struct history *h, const struct spelling *s, bool json)
{
    const char *open = json ? "{\"type\":\"header\",\"key\":\"init\",\"value\":" : chance(80) ? "# @init " : "@init ";
    bool common = chance(50);
    struct text all = {0};
    if (common && !is_zero(s, INITIAL)) {
        say_value(&all, s, INITIAL, HIST);
        say(&all, "\n");
    }
    for (int k = 0; k < h->key_count; k++) {
        const struct key *key = &h->keys[k];
        bool other = key->list ? key->init_length > 0 : key->init != INITIAL || !(common || is_zero(s, INITIAL));
        if (!other && chance(90))
            continue;
        say_key(&all, s, k, HIST);
        say(&all, "=");
        if (key->list)
            say_list(&all, h, s, key->init, key->init_length, HIST);
        else
            say_value(&all, s, key->init, HIST);
        say(&all, "\n");
    }
    for (char *p = all.bytes, *end; p && *p; p = end + 1) {
        end = strchr(p, '\n');
        *end = 0;
        say(t, "%s", open);
        if (json) {
            say(t, "\"");
            for (; *p; p++)
                say(t, "%s%c", *p == '"' || *p == '\\' ? "\\" : "", *p);
            say(t, "\"}\n");
        } else {
            say(t, "%s\n", p);
        }
    }
    free(all.bytes);
}

static void say_result(struct text *t, const struct history *h, const struct spelling *s, const struct access *a,
                       enum language in)
{
    if (a->kind == READ && a->unknown)
        say(t, in == JSON ? "{}" : "?");
    else if (a->kind == READ && h->keys[a->key].list)
        say_list(t, h, s, a->list, a->length, in);
    else
        say_value(t, s, a->value, in);
}

static void say_knowledge(struct text *t, const struct history *h, const struct spelling *s, int u, bool json)
{
    bool any = false;
    for (int k = 0; k < h->session_count; k++) {
        int count = h->knows[u * h->session_count + k];
        if (!count)
            continue;
        say(t, json ? any ? ",\"" : "\"" : " ");
        say_session(t, s, k);
        say(t, json ? "\":%d" : ":%d", count);
        any = true;
    }
}

static void say_time(struct text *t, const struct history *h, const struct spelling *s, int u)
{
    if (h->timing == TIMED && h->txns[u].outcome == MAYBE)
        say(t, " @ %" PRId64 "..", h->txns[u].begin);
    else if (h->timing == TIMED)
        say(t, " @ %" PRId64 "..%" PRId64, h->txns[u].begin, h->txns[u].end);
    else if (h->timing == KNOWLEDGE) {
        say(t, " @ after");
        say_knowledge(t, h, s, u, false);
    }
}

static const char *letter(enum kind kind)
{
    return kind == READ ? "r" : kind == WRITE ? "w" : "append";
}

static void say_line(struct text *t, const struct history *h, const struct spelling *s, int u)
{
    const struct txn *x = &h->txns[u];
    say_session(t, s, x->session);
    say(t, ": txn(");
    for (int i = 0; i < x->count; i++) {
        const struct access *a = access_of(h, u, i);
        say(t, "%s%s ", i ? chance(80) ? ", " : " " : "", letter(a->kind));
        say_key(t, s, a->key, HIST);
        say(t, " ");
        say_result(t, h, s, a, HIST);
    }
    say(t, ")%s", x->outcome == ABORTED ? " => abort" : x->outcome == MAYBE ? " => ?" : "");
    say_time(t, h, s, u);
    say(t, "\n");
}

char *write_lines(const struct history *h, const struct spelling *s, int *order)
{
    struct text t = {0};
    int *own = draw_order(h, order);
    say(&t, "%s", "");
    say_headers(&t, h, s, false);
    for (int i = 0; i < h->n; i++)
        say_line(&t, h, s, own[i]);
    free(own);
    return t.bytes;
}

/* ---- blocks ---- */

/* Step i of a transaction: its begin, accesses, and end, of which one line a time is written */
static void say_step(struct text *t, const struct history *h, const struct spelling *s, int u, int i)
{
    const struct txn *x = &h->txns[u];
    int64_t ended = x->outcome == MAYBE ? x->begin : x->end;
    say_session(t, s, x->session);
    if (i == 0) {
        say(t, ": begin()");
        if (h->timing == TIMED)
            say(t, " @ %" PRId64 "..%" PRId64, x->begin, x->begin);
        else
            say_time(t, h, s, u);
    } else if (i <= x->count) {
        const struct access *a = access_of(h, u, i - 1);
        say(t, a->kind == READ ? ": read(" : a->kind == WRITE ? ": write(" : ": append(");
        say_key(t, s, a->key, HIST);
        say(t, a->kind == READ ? ") => " : ", ");
        say_result(t, h, s, a, HIST);
        say(t, a->kind == READ ? "" : ")");
        if (h->timing == TIMED)
            say(t, " @ %" PRId64 "..%" PRId64, x->begin, x->begin);
    } else {
        say(t, ": %s()", x->outcome == COMMITTED ? "commit" : x->outcome == ABORTED ? "abort" : "unknown");
        if (h->timing == TIMED)
            say(t, " @ %" PRId64 "..%" PRId64, x->begin, ended);
    }
    say(t, "\n");
}

char *write_blocks(const struct history *h, const struct spelling *s)
{
    struct text t = {0};
    for (int i = 0; i < h->access_count; i++)
        if (h->accesses[i].unknown)
            return NULL; /* in a block the transaction would end there */
    int *at = calloc((size_t)h->session_count + 1, sizeof *at),
        *step = calloc((size_t)h->session_count + 1, sizeof *at);
    if (!at || !step)
        abort();
    say(&t, "%s", "");
    say_headers(&t, h, s, false);
    for (int left = h->session_count, k; left;) {
        k = below(h->session_count);
        if (at[k] > h->n)
            continue;
        while (at[k] < h->n && h->txns[at[k]].session != k)
            at[k]++;
        if (at[k] >= h->n) {
            at[k] = h->n + 1;
            left--;
            continue;
        }
        say_step(&t, h, s, at[k], step[k]++);
        if (step[k] == h->txns[at[k]].count + 2) {
            at[k]++;
            step[k] = 0;
        }
    }
    free(at);
    free(step);
    return t.bytes;
}

/* ---- jsonl ---- */

static void say_json(struct text *t, const struct history *h, const struct spelling *s, int u)
{
    const struct txn *x = &h->txns[u];
    say(t, "{\"thread\":\"");
    say_session(t, s, x->session);
    say(t, "\",\"method\":\"txn\",\"args\":[");
    for (int i = 0; i < x->count; i++) {
        const struct access *a = access_of(h, u, i);
        say(t, "%s\"%s\",", i ? "," : "", letter(a->kind));
        say_key(t, s, a->key, JSON);
        say(t, ",");
        say_result(t, h, s, a, JSON);
    }
    say(t, "]%s", x->outcome == ABORTED ? ",\"result\":\"abort\"" : x->outcome == MAYBE ? ",\"pending\":true" : "");
    if (h->timing == TIMED)
        say(t, ",\"call\":%" PRId64, x->begin);
    if (h->timing == TIMED && x->outcome != MAYBE)
        say(t, ",\"return\":%" PRId64, x->end);
    if (h->timing == KNOWLEDGE) {
        say(t, ",\"after\":{");
        say_knowledge(t, h, s, u, true);
        say(t, "}");
    }
    say(t, "}\n");
}

char *write_jsonl(const struct history *h, const struct spelling *s)
{
    struct text t = {0};
    int *order = draw_order(h, NULL);
    say(&t, "%s", "");
    say_headers(&t, h, s, true);
    for (int i = 0; i < h->n; i++)
        say_json(&t, h, s, order[i]);
    free(order);
    return t.bytes;
}

/* ---- plume and dbcop: registers with initial value 0, all outcomes known. ---- */

static bool only_registers(const struct history *h)
{
    for (int k = 0; k < h->key_count; k++)
        if (h->keys[k].list || h->keys[k].init != INITIAL)
            return false;
    for (int t = 0; t < h->n; t++)
        if (h->txns[t].outcome == MAYBE)
            return false;
    for (int i = 0; i < h->access_count; i++)
        if (h->accesses[i].unknown)
            return false;
    return h->timing == UNTIMED;
}

/* In front, writes of 0 may mean the initial transaction. */
static bool writes_initial(const struct history *h)
{
    for (int i = 0; i < h->access_count; i++)
        if (h->accesses[i].kind == WRITE && h->accesses[i].value == INITIAL)
            return true;
    return false;
}

char *write_plume(const struct history *h)
{
    struct text t = {0};
    if (!only_registers(h) || writes_initial(h) || !h->access_count)
        return NULL;
    int *order = draw_order(h, NULL);
    for (int i = 0; i < h->n; i++)
        for (int k = 0; k < h->txns[order[i]].count; k++) {
            const struct access *a = access_of(h, order[i], k);
            int number = h->txns[order[i]].outcome == ABORTED ? -1 : order[i];
            say(&t, "%s(%d,%d,%d,%d)\n", letter(a->kind), a->key, a->value, h->txns[order[i]].session, number);
        }
    free(order);
    return t.bytes;
}

char *write_dbcop(const struct history *h)
{
    struct text t = {0};
    if (!only_registers(h) || !h->n)
        return NULL;
    say(&t, "[");
    for (int k = 0; k < h->session_count; k++) {
        bool any = false;
        say(&t, "%s[", k ? "," : "");
        for (int u = 0; u < h->n; u++) {
            if (h->txns[u].session != k)
                continue;
            say(&t, "%s{\"events\":[", any ? "," : "");
            any = true;
            for (int i = 0; i < h->txns[u].count; i++) {
                const struct access *a = access_of(h, u, i);
                say(&t, "%s{\"write\":%s,\"variable\":%d,\"value\":%d,\"success\":true}", i ? "," : "",
                    a->kind == READ ? "false" : "true", a->key, a->value);
            }
            say(&t, "],\"%s\":%s}", "success", h->txns[u].outcome == ABORTED ? "false" : "true");
        }
        say(&t, "]");
    }
    say(&t, "]\n");
    return t.bytes;
}
