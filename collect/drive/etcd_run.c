/* SPDX-License-Identifier: Apache-2.0 */
/* Transactions of an etcd server: one request "txn", which etcd runs alone.
 *
 * Such a request compares, then runs one of two lists of reads, writes and removals. Reads and writes of given values
 * need no comparison. The other accesses (ADD, TRANSFER, APPEND, DEQUEUE) write values that depend on values read. They
 * are read first, all by one request. The request that writes compares their revisions: it succeeds only if all of them
 * are as they were read. So these reads, the writes and the transaction's other accesses happen at one moment. If a
 * comparison fails, the other list reads the values again, for the next try.
 *
 * An element that a DEQUEUE has seen at the front stays there as long as it exists, since others come in behind it.
 * An empty queue is compared as a range: etcd takes a range without keys for one that was created at revision 0.
 *
 * Outcomes. The request that reads has no effect, and neither has a failed comparison. After the request that writes, a
 * lost answer leaves the outcome open. So does an error of the server unless it is a refusal (etcd_link.c).
 * Source: https://etcd.io/docs/v3.4/learning/api/#transaction */
#ifdef ASSAY_WITH_CURL
#include "collect/drive/etcd_run.h"

#include "base/clock.h"
#include "collect/drive/etcd_keys.h"

#include <stdio.h>
#include <string.h>

enum { TRIES = 16 }; /* of a transaction whose values change */

/* A transaction on its way. */
struct run {
    struct etcd_link *link;
    assay_session *session;
    struct etcd_shared *shared;
    assay_access *accesses;
    size_t n;
    bool depends, writes;                   /* on values that are read first; anything at all */
    struct bytes compare, success, failure; /* the lists of a request */
    json_t *seen;                           /* the answer with the values that were read first */
    size_t seen_next;                       /* of its responses */
    struct bytes value;                     /* decoded */
    bool strange;                           /* a value is none of ours */
};

/* ---- requests ---- */

static void start(struct bytes *list, const char *request)
{
    bytes_puts(list, list->n ? ",{\"" : "{\"");
    bytes_puts(list, request);
    bytes_puts(list, "\":{");
}

static void finish(struct bytes *list)
{
    bytes_puts(list, "}}");
}

static void put(struct run *r, char space, uint64_t key, int64_t value)
{
    start(&r->success, "request_put");
    etcd_key(&r->success, space, key);
    etcd_value(&r->success, value);
    finish(&r->success);
}

static void get(struct run *r, struct bytes *list, char space, uint64_t key)
{
    start(list, "request_range");
    etcd_key(list, space, key);
    bytes_puts(list, !r->writes && r->shared->serializable ? ",\"serializable\":true" : "");
    finish(list);
}

/* Reads the values that an access depends on. */
static void get_before(struct run *r, struct bytes *list, const assay_access *a)
{
    switch (a->action) {
    case ASSAY_ACTION_TRANSFER: get(r, list, ETCD_REGISTER, a->to); /* fall through */
    case ASSAY_ACTION_ADD: get(r, list, ETCD_REGISTER, a->key); break;
    case ASSAY_ACTION_APPEND: get(r, list, ETCD_LIST, a->key); break;
    case ASSAY_ACTION_DEQUEUE:
        start(list, "request_range");
        etcd_below(list, ETCD_QUEUE, a->key);
        bytes_puts(list, ",\"sort_target\":\"CREATE\",\"sort_order\":\"ASCEND\",\"limit\":\"1\"");
        finish(list);
        break;
    default: break;
    }
}

static bool depends(const assay_access *a)
{
    return a->action == ASSAY_ACTION_ADD || a->action == ASSAY_ACTION_TRANSFER || a->action == ASSAY_ACTION_APPEND ||
           a->action == ASSAY_ACTION_DEQUEUE;
}

static bool reads(const assay_access *a)
{
    return a->action == ASSAY_ACTION_READ || a->action == ASSAY_ACTION_LIST || a->action == ASSAY_ACTION_ELEMENTS;
}

/* ---- values ---- */

/* The first key of the next response with values that were read first; NULL: there was none. */
static const json_t *next_seen(struct run *r)
{
    const json_t *response = json_array_get(json_object_get(r->seen, "responses"), r->seen_next++);
    r->strange |= !response;
    return json_array_get(json_object_get(json_object_get(response, "response_range"), "kvs"), 0);
}

static void decode(struct run *r, const json_t *kv)
{
    const char *value = json_string_value(json_object_get(kv, "value"));
    bytes_clear(&r->value);
    r->strange |= value && !bytes_from_base64(&r->value, value, strlen(value));
}

/* Of a register; 0 if there is none. */
static int64_t number_of(struct run *r, const json_t *kv)
{
    int64_t number = 0;
    decode(r, kv);
    r->strange |= kv && (!r->value.n || !bytes_read_number(r->value.at, r->value.at + r->value.n, &number));
    return number;
}

static int64_t sum(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}

/* ---- the request that writes ---- */

static void start_compare(struct run *r)
{
    bytes_puts(&r->compare, r->compare.n ? ",{" : "{");
}

/* Behind the key: it is as it was. */
static void finish_compare(struct run *r, const json_t *kv)
{
    bytes_puts(&r->compare, ",\"target\":\"MOD\",\"result\":\"EQUAL\",\"mod_revision\":\"");
    bytes_number(&r->compare, etcd_number(kv, "mod_revision"));
    bytes_puts(&r->compare, "\"}");
}

static void compare(struct run *r, char space, uint64_t key, const json_t *kv)
{
    start_compare(r);
    etcd_key(&r->compare, space, key);
    finish_compare(r, kv);
}

static void transfer(struct run *r, assay_access *a)
{
    const json_t *to = next_seen(r), *from = next_seen(r);
    int64_t balance = number_of(r, from);
    a->found = balance >= a->value;
    compare(r, ETCD_REGISTER, a->key, from);
    if (a->found && a->to != a->key) {
        compare(r, ETCD_REGISTER, a->to, to);
        put(r, ETCD_REGISTER, a->key, sum(balance, -a->value));
        put(r, ETCD_REGISTER, a->to, sum(number_of(r, to), a->value));
    }
}

static void append(struct run *r, const assay_access *a)
{
    const json_t *kv = next_seen(r);
    compare(r, ETCD_LIST, a->key, kv);
    decode(r, kv);
    start(&r->success, "request_put");
    etcd_key(&r->success, ETCD_LIST, a->key);
    etcd_value_with(&r->success, &r->value, a->value);
    finish(&r->success);
}

static void name_element(struct bytes *b, const char *name)
{
    bytes_puts(b, "\"key\":\"");
    bytes_puts(b, name);
    bytes_puts(b, "\"");
}

static void dequeue(struct run *r, assay_access *a)
{
    const json_t *kv = next_seen(r);
    const char *name = json_string_value(json_object_get(kv, "key"));
    start_compare(r);
    a->found = name != NULL;
    if (name) {
        a->answer = number_of(r, kv);
        name_element(&r->compare, name);
        finish_compare(r, kv);
        start(&r->success, "request_delete_range");
        name_element(&r->success, name);
        finish(&r->success);
    } else {
        etcd_below(&r->compare, ETCD_QUEUE, a->key);
        bytes_puts(&r->compare, ",\"target\":\"CREATE\",\"result\":\"EQUAL\",\"create_revision\":\"0\"}");
    }
}

static void put_element(struct run *r, char space, const assay_access *a, int64_t name)
{
    start(&r->success, "request_put");
    etcd_element(&r->success, space, a->key, name);
    etcd_value(&r->success, a->value);
    finish(&r->success);
}

static void add_access(struct run *r, assay_access *a)
{
    const json_t *kv;
    switch (a->action) {
    case ASSAY_ACTION_READ: get(r, &r->success, ETCD_REGISTER, a->key); break;
    case ASSAY_ACTION_WRITE: put(r, ETCD_REGISTER, a->key, a->value); break;
    case ASSAY_ACTION_ADD:
        kv = next_seen(r);
        compare(r, ETCD_REGISTER, a->key, kv);
        put(r, ETCD_REGISTER, a->key, sum(number_of(r, kv), a->value));
        break;
    case ASSAY_ACTION_TRANSFER: transfer(r, a); break;
    case ASSAY_ACTION_LIST: get(r, &r->success, ETCD_LIST, a->key); break;
    case ASSAY_ACTION_APPEND: append(r, a); break;
    case ASSAY_ACTION_ELEMENTS:
        start(&r->success, "request_range");
        etcd_below(&r->success, ETCD_SET, a->key);
        bytes_puts(&r->success, ",\"keys_only\":true");
        bytes_puts(&r->success, !r->writes && r->shared->serializable ? ",\"serializable\":true" : "");
        finish(&r->success);
        break;
    case ASSAY_ACTION_INSERT: put_element(r, ETCD_SET, a, a->value); break;
    case ASSAY_ACTION_ENQUEUE: put_element(r, ETCD_QUEUE, a, atomic_fetch_add(&r->shared->elements, 1)); break;
    case ASSAY_ACTION_DEQUEUE: dequeue(r, a); break;
    default: r->strange = true; break;
    }
}

/* ---- answers ---- */

static bool take_list(struct run *r, assay_access *a, const json_t *kv)
{
    decode(r, kv);
    const char *at = r->value.at, *end = r->value.n ? at + r->value.n : at;
    while (at < end) {
        const char *space = memchr(at, ' ', (size_t)(end - at));
        int64_t element;
        space = space ? space : end;
        if (!bytes_read_number(at, space, &element) || !assay_access_push(a, element))
            return false;
        at = space + 1;
    }
    return true;
}

static bool take_set(assay_access *a, const json_t *kvs)
{
    for (size_t i = 0; i < json_array_size(kvs); i++) {
        const char *name = json_string_value(json_object_get(json_array_get(kvs, i), "key"));
        int64_t element;
        if (!name || !etcd_element_of(name, &element) || !assay_access_push(a, element))
            return false;
    }
    return true;
}

/* How many responses an access has. */
static size_t response_count(const assay_access *a)
{
    if (a->action == ASSAY_ACTION_TRANSFER)
        return a->found && a->to != a->key ? 2 : 0;
    return a->action == ASSAY_ACTION_DEQUEUE ? a->found : 1;
}

/* Takes the answers of a transaction that was executed. */
static bool take(struct run *r, const json_t *answer)
{
    const json_t *responses = json_object_get(answer, "responses");
    size_t at = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < r->n; i++) {
        assay_access *a = &r->accesses[i];
        if (reads(a)) {
            const json_t *range = json_object_get(json_array_get(responses, at), "response_range");
            const json_t *kvs = json_object_get(range, "kvs"), *kv = json_array_get(kvs, 0);
            ok = range && (a->action != ASSAY_ACTION_LIST || take_list(r, a, kv)) &&
                 (a->action != ASSAY_ACTION_ELEMENTS || take_set(a, kvs));
            if (a->action == ASSAY_ACTION_READ) {
                a->found = kv != NULL;
                a->answer = number_of(r, kv);
            }
        }
        at += response_count(a);
    }
    return ok && !r->strange && at == json_array_size(responses);
}

/* ---- the run ---- */

static void write_list(struct bytes *body, const char *name, struct bytes *list)
{
    bytes_puts(body, body->n ? ",\"" : "{\"");
    bytes_puts(body, name);
    bytes_puts(body, "\":[");
    bytes_add(body, list->at, list->n);
    bytes_puts(body, "]");
    body->failed |= list->failed;
    bytes_clear(list);
}

static enum etcd_sent send_lists(struct run *r, json_t **answer)
{
    write_list(&r->link->body, "compare", &r->compare);
    write_list(&r->link->body, "success", &r->success);
    write_list(&r->link->body, "failure", &r->failure);
    bytes_puts(&r->link->body, "}");
    enum etcd_sent sent = etcd_post(r->link, "/v3/kv/txn", answer, r->session->message);
    /* A token may have expired, so a refusal asks for a new connection, too. */
    r->session->broken = (sent != ETCD_ANSWERED && sent != ETCD_FAILED) || !etcd_alive(r->link);
    return sent;
}

static assay_outcome not_understood(struct run *r, assay_outcome outcome)
{
    snprintf(r->session->message, ASSAY_DRIVER_MESSAGE, "a value that is none of ours: is the key used by others?");
    return outcome;
}

static assay_outcome outcome_of(const struct run *r, enum etcd_sent sent)
{
    if (sent == ETCD_NOT_ANSWERED || (sent == ETCD_FAILED && r->writes))
        return ASSAY_UNKNOWN;
    return ASSAY_ABORTED;
}

/* One request that does it all. True: `outcome` is there; false: try again. */
static bool try(struct run *r, assay_outcome *outcome)
{
    json_t *answer;
    r->seen_next = 0;
    for (size_t i = 0; i < r->n; i++) {
        add_access(r, &r->accesses[i]);
        get_before(r, &r->failure, &r->accesses[i]);
    }
    if (r->strange) {
        *outcome = not_understood(r, ASSAY_ABORTED);
        return true;
    }
    enum etcd_sent sent = send_lists(r, &answer);
    if (sent != ETCD_ANSWERED) {
        *outcome = outcome_of(r, sent);
        return true;
    }
    bool succeeded = json_is_true(json_object_get(answer, "succeeded"));
    json_decref(r->seen);
    r->seen = answer;
    if (succeeded)
        *outcome = take(r, answer) ? ASSAY_COMMITTED : not_understood(r, ASSAY_UNKNOWN);
    return succeeded;
}

static assay_outcome run(struct run *r)
{
    assay_outcome outcome;
    for (size_t i = 0; i < r->n; i++)
        get_before(r, &r->success, &r->accesses[i]);
    if (r->depends && send_lists(r, &r->seen) != ETCD_ANSWERED)
        return ASSAY_ABORTED;
    for (int i = 0; i < TRIES && clock_seconds(CLOCK_MONOTONIC) < r->link->until; i++)
        if (try(r, &outcome))
            return outcome;
    snprintf(r->session->message, ASSAY_DRIVER_MESSAGE, "the values were changed by others at each try");
    return ASSAY_ABORTED;
}

assay_outcome etcd_run(struct etcd_link *l, assay_session *s, struct etcd_shared *shared, assay_access *accesses,
                       size_t n)
{
    struct run r = {.link = l, .session = s, .shared = shared, .accesses = accesses, .n = n};
    *s->message = 0;
    for (size_t i = 0; i < n; i++) {
        r.depends |= depends(&accesses[i]);
        r.writes |= !reads(&accesses[i]);
    }
    assay_outcome outcome = run(&r);
    json_decref(r.seen);
    bytes_free(&r.compare);
    bytes_free(&r.success);
    bytes_free(&r.failure);
    bytes_free(&r.value);
    return outcome;
}
#else
typedef int nothing_here;
#endif
