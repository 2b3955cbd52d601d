/* SPDX-License-Identifier: Apache-2.0 */
#include "cross/transactions/sketch.h"

#include "history/blocks.h"
#include "support/load.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

static const char *parse_list(const char *at, struct tx_access *a)
{
    while (isdigit((unsigned char)*at)) {
        char *end;
        a->list[a->length++] = (uint8_t)strtol(at, &end, 10);
        at = *end == ',' ? end + 1 : end;
    }
    return at;
}

struct tx_sketch sketch_parse(const char *text)
{
    struct tx_sketch s = {.n = 1};
    struct tx *t = &s.tx[0];
    for (const char *at = text; *at;) {
        char *end = NULL;
        if (*at == '|' || *at == ';') {
            s.tx[s.n].session = (uint8_t)(t->session + (*at == '|'));
            t = &s.tx[s.n++];
        } else if (*at == '!' || *at == '?') {
            t->outcome = *at == '!' ? TX_ABORTED : TX_UNKNOWN;
        } else if (*at == '@') {
            s.times = TX_INTERVALS;
            t->call = (int)strtol(at + 1, &end, 10);
            t->ret = (int)strtol(end + 1, &end, 10);
        } else if (*at != ' ') {
            struct tx_access *a = &t->access[t->n++];
            a->kind = *at == 'l' ? 'r' : *at;
            a->key = (uint8_t)((at[1] - 'x' + 26) % 26);
            s.is_list[a->key] |= *at == 'l' || *at == 'a';
            if (*at == 'l')
                at = parse_list(at + 2, a) - 1;
            else
                a->value = (int)strtol(at + 2, &end, 10);
        }
        at = end ? end : at + 1;
    }
    return s;
}

/* ---- writing ---- */

static void put_key(FILE *out, const struct tx_sketch *s, uint8_t key)
{
    switch (s->keys) {
    case 0: fprintf(out, "%c", "xyzuvw"[key]); break;
    case 1: fprintf(out, "%d", 10 + key); break;
    default: fprintf(out, "\"key %d\"", key);
    }
}

static void put_value(FILE *out, const struct tx_sketch *s, int value, uint8_t key)
{
    if (value == UNKNOWN_VALUE)
        fputs("?", out);
    else if (value == 0)
        fputs(s->init && key == 0 ? "77" : "0", out);
    else if (s->values == 0)
        fprintf(out, "%d", value);
    else
        fprintf(out, s->values == 1 ? "v%d" : "\"v %d\"", value);
}

static void put_access_value(FILE *out, const struct tx_sketch *s, const struct tx_access *a)
{
    if (a->kind != 'r' || !s->is_list[a->key] || a->value == UNKNOWN_VALUE) {
        put_value(out, s, a->value, a->key);
        return;
    }
    fputc('[', out);
    for (uint8_t i = 0; i < a->length; i++) {
        fputs(i ? " " : "", out);
        put_value(out, s, a->list[i], a->key);
    }
    fputc(']', out);
}

static void put_block(FILE *out, const struct tx_sketch *s, const struct tx *t)
{
    static const char *const ends[] = {"commit", "abort", "unknown"};
    fprintf(out, "s%d: begin()\n", t->session);
    for (uint8_t i = 0; i < t->n; i++) {
        const struct tx_access *a = &t->access[i];
        fprintf(out, "s%d: %s(", t->session, a->kind == 'r' ? "read" : a->kind == 'w' ? "write" : "append");
        put_key(out, s, a->key);
        fputs(a->kind == 'r' ? ") => " : ", ", out);
        put_access_value(out, s, a);
        fputs(a->kind == 'r' ? "\n" : ")\n", out);
    }
    fprintf(out, "s%d: %s()\n", t->session, ends[t->outcome]);
}

static void put_line(FILE *out, const struct tx_sketch *s, const struct tx *t)
{
    fprintf(out, "s%d: txn(", t->session);
    for (uint8_t i = 0; i < t->n; i++) {
        const struct tx_access *a = &t->access[i];
        fputs(i ? ", " : "", out);
        fputs(a->kind == 'r' ? "r " : a->kind == 'w' ? "w " : "append ", out);
        put_key(out, s, a->key);
        fputs(" ", out);
        put_access_value(out, s, a);
    }
    fputs(t->outcome == TX_COMMITTED ? ")" : t->outcome == TX_ABORTED ? ") => abort" : ") => ?", out);
    if (s->times == TX_INTERVALS && t->outcome == TX_UNKNOWN)
        fprintf(out, " @ %d..", t->call);
    else if (s->times == TX_INTERVALS)
        fprintf(out, " @ %d..%d", t->call, t->ret);
    fputs(s->times == TX_AFTER ? " @ after" : "", out);
    for (uint8_t k = 0; s->times == TX_AFTER && k < MOST_SESSIONS; k++)
        if (t->after[k])
            fprintf(out, " s%d:%d", k, t->after[k]);
    fputc('\n', out);
}

static bool has_unknown_read(const struct tx_sketch *s)
{
    for (uint8_t t = 0; t < s->n; t++)
        for (uint8_t i = 0; i < s->tx[t].n; i++)
            if (s->tx[t].access[i].value == UNKNOWN_VALUE)
                return true;
    return false;
}

char *sketch_text(const struct tx_sketch *s)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        abort();
    if (s->init && !s->is_list[0]) {
        fputs("# @init ", out);
        put_key(out, s, 0);
        fputs("=77\n", out);
    }
    bool blocks = s->blocks && s->times == TX_NO_TIMES && !has_unknown_read(s);
    for (uint8_t t = 0; t < s->n; t++)
        (blocks ? put_block : put_line)(out, s, &s->tx[t]);
    if (fclose(out) != 0)
        abort();
    return text;
}

bool sketch_timed(const struct tx_sketch *s)
{
    return s->n && s->times != TX_NO_TIMES;
}

assay_history *sketch_history(const struct tx_sketch *s)
{
    char *text = sketch_text(s);
    assay_error e = {0};
    assay_history *h = load_text(text, &e), *joined = h ? blocks_joined(h, &e) : NULL;
    if (!h && s->n) {
        printf("not readable: %s\n%s", e.message, text);
        exit(1);
    }
    free(text);
    if (joined != h)
        assay_history_free(h);
    return joined;
}

/* ---- shrinking ---- */

/* So many of the session, up to one that returned. */
static uint8_t returned(const struct tx_sketch *s, uint8_t session, uint8_t count)
{
    uint8_t seen = 0, last = 0;
    for (uint8_t t = 0; t < s->n && seen < count; t++) {
        seen += s->tx[t].session == session;
        if (s->tx[t].session == session && s->tx[t].outcome != TX_UNKNOWN)
            last = seen;
    }
    return last;
}

void sketch_drop_access(struct tx *t, uint8_t i)
{
    memmove(&t->access[i], &t->access[i + 1], (size_t)(t->n - i - 1) * sizeof t->access[0]);
    t->n--;
}

void sketch_forget(struct tx_sketch *s, uint8_t t)
{
    uint8_t session = s->tx[t].session, place = 0;
    for (uint8_t u = 0; u < t; u++)
        place += s->tx[u].session == session;
    for (uint8_t u = 0; u < s->n; u++)
        s->tx[u].after[session] -= s->tx[u].after[session] > place;
    memmove(&s->tx[t], &s->tx[t + 1], (size_t)(s->n - t - 1) * sizeof s->tx[0]);
    s->n--;
    for (uint8_t u = 0; u < s->n; u++)
        s->tx[u].after[session] = returned(s, session, s->tx[u].after[session]);
}

static bool try_cut(struct tx_sketch *s, struct tx_sketch smaller, sketch_fault *fault, void *arg)
{
    if (!smaller.n || !fault(&smaller, arg))
        return false;
    *s = smaller;
    return true;
}

static bool cut_transactions(struct tx_sketch *s, sketch_fault *fault, void *arg)
{
    bool cut = false;
    for (uint8_t t = s->n; t--;) {
        struct tx_sketch smaller = *s;
        sketch_forget(&smaller, t);
        cut |= try_cut(s, smaller, fault, arg);
    }
    return cut;
}

static bool cut_accesses(struct tx_sketch *s, sketch_fault *fault, void *arg)
{
    bool cut = false;
    for (uint8_t t = 0; t < s->n; t++)
        for (uint8_t i = s->tx[t].n; i-- && s->tx[t].n > 1;) {
            struct tx_sketch smaller = *s;
            struct tx *x = &smaller.tx[t];
            sketch_drop_access(x, i);
            cut |= try_cut(s, smaller, fault, arg);
        }
    return cut;
}

static bool simplify(struct tx_sketch *s, sketch_fault *fault, void *arg)
{
    struct tx_sketch plain = *s;
    plain.keys = plain.values = 0;
    plain.blocks = plain.init = false;
    bool cut = memcmp(&plain, s, sizeof plain) != 0 && try_cut(s, plain, fault, arg);
    plain = *s;
    plain.times = TX_NO_TIMES;
    plain.skew = 0;
    return cut | (s->times && try_cut(s, plain, fault, arg));
}

void sketch_shrink(struct tx_sketch *s, sketch_fault *fault, void *arg)
{
    while (cut_transactions(s, fault, arg) || cut_accesses(s, fault, arg) || simplify(s, fault, arg))
        continue;
}
