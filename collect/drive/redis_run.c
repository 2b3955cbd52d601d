/* SPDX-License-Identifier: Apache-2.0 */
/* Transactions of a Redis server.
 *
 * One access is one command, which Redis runs alone. Several are MULTI, the commands, EXEC, in one write: Redis queues
 * the commands and runs them at EXEC without others in between. A transfer depends on a balance. So the sources of all
 * transfers are watched and read first, and the balances are followed through the transaction. EXEC refuses if one of
 * them has changed since.
 *
 * Outcomes. A lost answer leaves the outcome open. An error of a single command is a refusal only if it is known as
 * one: Redis finds it before it runs the command. EXEC undoes nothing: if one of its commands fails, the others have
 * still been run. Then the transaction counts as without effect only if no command that writes succeeded. With fewer
 * acknowledgements of replicas than asked for, the outcome is open, too. The primary has the transaction, but the
 * promise that the user waits for was not given.
 * Source: https://redis.io/docs/interact/transactions/ and https://redis.io/commands/wait/ */
#ifdef ASSAY_WITH_HIREDIS
#include "collect/drive/redis_run.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { TRIES = 16 }; /* of a transaction whose watched keys change */

/* The command of an access: its start, the key, perhaps the value, and its end. A transfer is two. */
static const struct command {
    const char *start;
    char space;
    bool writes, value;
    const char *end;
} commands[ASSAY_ACTIONS] = {
    [ASSAY_ACTION_READ] = {"*2\r\n$3\r\nGET\r\n", 'r', false, false, ""},
    [ASSAY_ACTION_WRITE] = {"*3\r\n$3\r\nSET\r\n", 'r', true, true, ""},
    [ASSAY_ACTION_ADD] = {"*3\r\n$6\r\nINCRBY\r\n", 'r', true, true, ""},
    [ASSAY_ACTION_TRANSFER] = {"*3\r\n$6\r\nINCRBY\r\n", 'r', true, true, ""},
    [ASSAY_ACTION_LIST] = {"*4\r\n$6\r\nLRANGE\r\n", 'l', false, false, "$1\r\n0\r\n$2\r\n-1\r\n"},
    [ASSAY_ACTION_APPEND] = {"*3\r\n$5\r\nRPUSH\r\n", 'l', true, true, ""},
    [ASSAY_ACTION_ELEMENTS] = {"*2\r\n$8\r\nSMEMBERS\r\n", 's', false, false, ""},
    [ASSAY_ACTION_INSERT] = {"*3\r\n$4\r\nSADD\r\n", 's', true, true, ""},
    [ASSAY_ACTION_ENQUEUE] = {"*3\r\n$5\r\nRPUSH\r\n", 'q', true, true, ""},
    [ASSAY_ACTION_DEQUEUE] = {"*2\r\n$4\r\nLPOP\r\n", 'q', true, false, ""},
};

/* Errors that Redis finds before a command runs: nothing has happened, and nothing will. */
static const char *const refusals[] = {
    "READONLY ",
    "LOADING ",
    "MASTERDOWN ",
    "NOREPLICAS ",
    "EXECABORT ",
    "OOM ",
    "MISCONF ",
    "NOAUTH ",
    "NOPERM ",
    "WRONGTYPE ",
    "BUSY ",
    "MOVED ",
    "CROSSSLOT ",
    "CLUSTERDOWN ",
    "ERR increment or decrement would overflow",
    "ERR value is not an integer or out of range",
};

/* A transaction on its way. */
struct run {
    struct redis_link *link;
    assay_session *session;
    struct redis_wait wait;
    assay_access *accesses;
    size_t n;
    bool writes;
};

bool redis_reads_only(const assay_access *accesses, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (commands[accesses[i].action].writes)
            return false;
    return true;
}

/* Keeps the first error, which is the reason of the later ones. */
static void note(struct run *r, const char *why)
{
    if (!*r->session->message)
        snprintf(r->session->message, ASSAY_DRIVER_MESSAGE, "%s", why);
}

static bool is_error(const redisReply *a)
{
    return a->type == REDIS_REPLY_ERROR;
}

static bool refused(const redisReply *a)
{
    for (size_t i = 0; is_error(a) && i < sizeof refusals / sizeof *refusals; i++)
        if (strncmp(a->str, refusals[i], strlen(refusals[i])) == 0)
            return true;
    return false;
}

/* The next answer; NULL: lost. */
static redisReply *answer(struct run *r)
{
    char why[ASSAY_DRIVER_MESSAGE];
    redisReply *a = redis_answer(r->link, why);
    if (!a) {
        note(r, why);
        r->session->broken = true;
    } else if (is_error(a)) {
        note(r, a->str);
    }
    return a;
}

/* ---- commands ---- */

static void add(struct redis_link *l, const struct command *c, uint64_t key, int64_t value)
{
    redis_protocol(l, c->start);
    redis_key(l, c->space, key);
    if (c->value)
        redis_number(l, value);
    redis_protocol(l, c->end);
}

/* How many commands an access is. */
static size_t command_count(const assay_access *a)
{
    return a->action != ASSAY_ACTION_TRANSFER ? 1 : a->found ? 2 : 0;
}

static void add_access(struct redis_link *l, const assay_access *a)
{
    const struct command *c = &commands[a->action];
    if (a->action != ASSAY_ACTION_TRANSFER) {
        add(l, c, a->key, a->value);
    } else if (a->found) {
        add(l, c, a->key, -a->value);
        add(l, c, a->to, a->value);
    }
}

static void add_wait(struct run *r)
{
    if (r->writes && r->wait.replicas) {
        redis_protocol(r->link, "*3\r\n$4\r\nWAIT\r\n");
        redis_number(r->link, r->wait.replicas);
        redis_number(r->link, r->wait.milliseconds);
    }
}

/* Sends the commands. True: answers may be waited for; else the outcome is there. */
static bool sent(struct run *r, assay_outcome *outcome)
{
    char why[ASSAY_DRIVER_MESSAGE];
    enum redis_sent how = redis_send(r->link, why);
    if (how == REDIS_SENT)
        return true;
    note(r, why);
    r->session->broken = true;
    *outcome = how == REDIS_NOT_SENT ? ASSAY_ABORTED : ASSAY_UNKNOWN;
    return false;
}

/* ---- answers ---- */

static bool number_of(const redisReply *a, int64_t *number)
{
    return a->type == REDIS_REPLY_STRING && bytes_read_number(a->str, a->str + a->len, number);
}

static bool elements_of(const redisReply *a, assay_access *access)
{
    int64_t element;
    if (a->type != REDIS_REPLY_ARRAY)
        return false;
    for (size_t i = 0; i < a->elements; i++)
        if (!number_of(a->element[i], &element) || !assay_access_push(access, element))
            return false;
    return true;
}

/* Takes the answer of a command that was run. False: it is none that such a command has. */
static bool take(const redisReply *a, assay_access *access)
{
    switch (access->action) {
    case ASSAY_ACTION_READ:
    case ASSAY_ACTION_DEQUEUE:
        access->found = number_of(a, &access->answer);
        return access->found || a->type == REDIS_REPLY_NIL;
    case ASSAY_ACTION_LIST:
    case ASSAY_ACTION_ELEMENTS: return elements_of(a, access);
    case ASSAY_ACTION_WRITE: return a->type == REDIS_REPLY_STATUS;
    default: return a->type == REDIS_REPLY_INTEGER;
    }
}

static assay_outcome not_understood(struct run *r)
{
    note(r, "an answer that is none of this command: is the key used by others?");
    return ASSAY_UNKNOWN;
}

/* The answer of WAIT, which follows the others. */
static assay_outcome acknowledged(struct run *r, assay_outcome outcome)
{
    if (!r->writes || !r->wait.replicas)
        return outcome;
    redisReply *a = answer(r);
    bool enough = a && a->type == REDIS_REPLY_INTEGER && a->integer >= (long long)r->wait.replicas;
    if (a && a->type == REDIS_REPLY_INTEGER && !enough && outcome == ASSAY_COMMITTED) {
        char why[ASSAY_DRIVER_MESSAGE];
        snprintf(why, sizeof why, "%lld of %u replicas acknowledged it within %" PRId64 " ms; the primary has it",
                 a->integer, r->wait.replicas, r->wait.milliseconds);
        note(r, why);
    }
    freeReplyObject(a);
    return outcome == ASSAY_COMMITTED && !enough ? ASSAY_UNKNOWN : outcome;
}

/* ---- one access: one command ---- */

static assay_outcome run_alone(struct run *r)
{
    assay_outcome outcome = ASSAY_COMMITTED;
    add_access(r->link, r->accesses);
    add_wait(r);
    if (!sent(r, &outcome))
        return outcome;
    redisReply *a = answer(r);
    if (!a)
        return ASSAY_UNKNOWN;
    if (is_error(a))
        outcome = refused(a) ? ASSAY_ABORTED : ASSAY_UNKNOWN;
    else if (!take(a, r->accesses))
        outcome = not_understood(r);
    freeReplyObject(a);
    return acknowledged(r, outcome);
}

/* ---- several: MULTI, the commands, EXEC ---- */

/* The answers of the commands that EXEC has run. */
static assay_outcome take_all(struct run *r, const redisReply *exec)
{
    bool wrote = false, failed = false, understood = true;
    size_t at = 0;
    for (size_t i = 0; i < r->n; i++) {
        assay_access *access = &r->accesses[i];
        for (size_t k = command_count(access); k && at < exec->elements; k--) {
            const redisReply *a = exec->element[at++];
            if (is_error(a)) {
                note(r, a->str);
                failed = true;
                continue;
            }
            wrote |= commands[access->action].writes;
            understood &= take(a, access);
        }
    }
    if (failed)
        return wrote ? ASSAY_UNKNOWN : ASSAY_ABORTED;
    return understood ? ASSAY_COMMITTED : not_understood(r);
}

/* MULTI and `queued` commands have been answered: `began` by OK, and `harmless` says that each of them was refused. */
static assay_outcome take_exec(struct run *r, bool began, bool harmless, size_t queued, bool *conflict)
{
    redisReply *exec = answer(r);
    assay_outcome outcome = ASSAY_UNKNOWN;
    if (!exec)
        return ASSAY_UNKNOWN;
    if (exec->type == REDIS_REPLY_NIL) {
        *conflict = true;
        outcome = ASSAY_ABORTED;
    } else if (exec->type == REDIS_REPLY_ARRAY && exec->elements == queued) {
        outcome = take_all(r, exec);
    } else if (is_error(exec)) { /* without MULTI the commands were run one by one */
        outcome = (began && refused(exec)) || (!began && harmless) ? ASSAY_ABORTED : ASSAY_UNKNOWN;
    } else {
        outcome = not_understood(r);
    }
    freeReplyObject(exec);
    return outcome;
}

static assay_outcome run_multi(struct run *r, bool *conflict)
{
    assay_outcome outcome;
    size_t queued = 0;
    *conflict = false;
    redis_protocol(r->link, "*1\r\n$5\r\nMULTI\r\n");
    for (size_t i = 0; i < r->n; i++) {
        add_access(r->link, &r->accesses[i]);
        queued += command_count(&r->accesses[i]);
    }
    redis_protocol(r->link, "*1\r\n$4\r\nEXEC\r\n");
    add_wait(r);
    if (!sent(r, &outcome))
        return outcome;
    bool began = false, harmless = true;
    for (size_t i = 0; i <= queued; i++) {
        redisReply *a = answer(r);
        if (!a)
            return ASSAY_UNKNOWN;
        if (i == 0)
            began = a->type == REDIS_REPLY_STATUS;
        else
            harmless &= refused(a);
        freeReplyObject(a);
    }
    return acknowledged(r, take_exec(r, began, harmless, queued, conflict));
}

/* ---- with transfers ---- */

/* The access that stands for the register `key` as the source of a transfer, whose `answer` is the balance; or NULL. */
static assay_access *source(struct run *r, uint64_t key, size_t before)
{
    for (size_t i = 0; i < before; i++)
        if (r->accesses[i].action == ASSAY_ACTION_TRANSFER && r->accesses[i].key == key)
            return &r->accesses[i];
    return NULL;
}

/* Watches the sources and reads their balances. A loss is harmless: nothing has been written. */
static bool watch(struct run *r)
{
    assay_outcome ignored;
    size_t sources = 0;
    for (size_t i = 0; i < r->n; i++)
        sources += r->accesses[i].action == ASSAY_ACTION_TRANSFER && !source(r, r->accesses[i].key, i);
    for (int verb = 0; verb < 2; verb++) {
        redis_array(r->link, 1 + sources);
        redis_word(r->link, verb ? "MGET" : "WATCH");
        for (size_t i = 0; i < r->n; i++)
            if (r->accesses[i].action == ASSAY_ACTION_TRANSFER && !source(r, r->accesses[i].key, i))
                redis_key(r->link, 'r', r->accesses[i].key);
    }
    if (!sent(r, &ignored))
        return false;
    redisReply *watched = answer(r), *balances = watched ? answer(r) : NULL;
    bool ok = balances && watched->type == REDIS_REPLY_STATUS && balances->type == REDIS_REPLY_ARRAY &&
              balances->elements == sources;
    for (size_t i = 0, at = 0; ok && i < r->n; i++) {
        if (r->accesses[i].action != ASSAY_ACTION_TRANSFER || source(r, r->accesses[i].key, i))
            continue;
        const redisReply *b = balances->element[at++];
        r->accesses[i].answer = 0; /* of a register that does not exist, as for INCRBY */
        ok = b->type == REDIS_REPLY_NIL || number_of(b, &r->accesses[i].answer);
    }
    if (!ok)
        note(r, "a balance cannot be read: is the key used by others?");
    freeReplyObject(watched);
    freeReplyObject(balances);
    return ok;
}

static void change(struct run *r, uint64_t key, int64_t by)
{
    assay_access *s = source(r, key, r->n);
    if (s)
        s->answer = (int64_t)((uint64_t)s->answer + (uint64_t)by);
}

/* Follows the balances through the transaction: which transfers take place? */
static void decide(struct run *r)
{
    for (size_t i = 0; i < r->n; i++) {
        assay_access *a = &r->accesses[i], *s = source(r, a->key, r->n);
        if (a->action == ASSAY_ACTION_WRITE && s) {
            s->answer = a->value;
        } else if (a->action == ASSAY_ACTION_ADD) {
            change(r, a->key, a->value);
        } else if (a->action == ASSAY_ACTION_TRANSFER) {
            a->found = s->answer >= a->value;
            change(r, a->key, a->found ? -a->value : 0);
            change(r, a->to, a->found ? a->value : 0);
        }
    }
}

static assay_outcome run_transfers(struct run *r)
{
    double until = clock_seconds(CLOCK_MONOTONIC) + r->link->timeout;
    for (int i = 0; i < TRIES && clock_seconds(CLOCK_MONOTONIC) < until; i++) {
        bool conflict;
        if (!watch(r))
            return ASSAY_ABORTED;
        decide(r);
        assay_outcome outcome = run_multi(r, &conflict);
        if (!conflict)
            return outcome;
    }
    note(r, "the watched keys were changed by others at each try");
    return ASSAY_ABORTED;
}

assay_outcome redis_run(struct redis_link *l, assay_session *s, struct redis_wait wait, assay_access *accesses,
                        size_t n)
{
    struct run r = {l, s, wait, accesses, n, !redis_reads_only(accesses, n)};
    bool conflict;
    *s->message = 0;
    for (size_t i = 0; i < n; i++)
        if (accesses[i].action == ASSAY_ACTION_TRANSFER)
            return run_transfers(&r);
    return n == 1 ? run_alone(&r) : run_multi(&r, &conflict);
}
#else
typedef int nothing_here;
#endif
