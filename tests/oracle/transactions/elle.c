/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/transactions/elle.h"

#include "support/chance.h"
#include "support/say.h"

#include <stdint.h>
#include <stdlib.h>

static bool can_say(const struct history *h)
{
    for (int k = 0; k < h->key_count; k++)
        if (h->keys[k].list ? h->keys[k].init_length > 0 : h->keys[k].init != INITIAL)
            return false;
    for (int i = 0; i < h->access_count; i++) {
        const struct access *a = &h->accesses[i];
        if (a->kind != READ && a->value == INITIAL)
            return false; /* nil is no value to write */
        if (a->kind == READ && a->unknown)
            return false;
    }
    return h->n > 0;
}

static void say_access(struct text *t, const struct history *h, const struct access *a, bool known, bool json)
{
    const char *nothing = json ? "null" : "nil";
    const char *name = a->kind == READ ? "r" : a->kind == WRITE ? "w" : "append";
    say(t, json ? "[\"%s\",%d," : "[:%s %d ", name, a->key);
    if (a->kind == READ && !known)
        say(t, "%s", nothing);
    else if (a->kind == READ && h->keys[a->key].list && a->length == 0)
        say(t, "%s", chance(50) ? nothing : "[]");
    else if (a->kind == READ && h->keys[a->key].list)
        for (int i = 0; i < a->length; i++)
            say(t, "%s%d%s", i ? json ? "," : " " : "[", h->cells[a->list + i], i + 1 == a->length ? "]" : "");
    else if (a->value == INITIAL)
        say(t, "%s", nothing);
    else
        say(t, "%d", a->value);
    say(t, "]");
}

static void say_event(struct text *t, const struct history *h, int u, const char *type, bool known, bool json)
{
    say(t,
        json ? "{\"process\":%d,\"type\":\"%s\",\"f\":\"txn\",\"value\":["
             : "{:process %d, :type :%s, :f :txn, :value [",
        h->txns[u].session, type);
    for (int i = 0; i < h->txns[u].count; i++) {
        say(t, i ? json ? "," : " " : "");
        say_access(t, h, access_of(h, u, i), known, json);
    }
    say(t, "]}\n");
}

/* The next transaction of the session from `at` on, or h->n */
static int next_of(const struct history *h, int session, int at)
{
    while (at < h->n && h->txns[at].session != session)
        at++;
    return at;
}

char *write_elle(struct history *h, bool json)
{
    static const char *const outcomes[] = {"ok", "fail", "info"};
    struct text t = {0};
    int *at = calloc((size_t)h->session_count + 1, sizeof *at);
    bool *open = calloc((size_t)h->session_count + 1, sizeof *open);
    if (!at || !open)
        abort();
    int64_t now = 0;
    for (int left = can_say(h) ? h->n : 0; left;) {
        int s = below(h->session_count);
        at[s] = next_of(h, s, at[s]);
        if (at[s] == h->n)
            continue;
        struct txn *x = &h->txns[at[s]];
        now++;
        if (!open[s]) {
            x->begin = now;
            say_event(&t, h, at[s], "invoke", false, json);
        } else {
            x->end = x->outcome == MAYBE ? INT64_MAX : now;
            say_event(&t, h, at[s], outcomes[x->outcome], x->outcome == COMMITTED, json);
            at[s]++;
            left--;
        }
        open[s] = !open[s];
    }
    for (int u = 0; t.bytes && u < h->n; u++)
        for (int i = 0; i < h->txns[u].count; i++)
            access_of(h, u, i)->unknown |= access_of(h, u, i)->kind == READ && h->txns[u].outcome != COMMITTED;
    if (t.bytes)
        h->timing = TIMED;
    free(at);
    free(open);
    return t.bytes;
}
