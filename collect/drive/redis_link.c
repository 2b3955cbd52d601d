/* SPDX-License-Identifier: Apache-2.0 */
#ifdef ASSAY_WITH_HIREDIS
#include "collect/drive/redis_link.h"

#include "base/clock.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

enum { REDIS_PORT = 6379 }; /* where servers listen unless told otherwise */

static struct timeval timeval(double seconds)
{
    time_t whole = (time_t)seconds;
    return (struct timeval){.tv_sec = whole, .tv_usec = (suseconds_t)((seconds - (double)whole) * 1e6)};
}

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static bool authenticate(struct redis_link *l, const char *password, char *message)
{
    char why[ASSAY_DRIVER_MESSAGE];
    if (password) {
        redis_array(l, 2);
        redis_word(l, "AUTH");
        redis_word(l, password);
        redisReply *r = redis_ask(l, why);
        /* A server without a password does not mind, and neither does redis-cli. */
        bool needless = !r && (starts(why, "ERR AUTH <password> called") || starts(why, "ERR Client sent AUTH"));
        if (!r && !needless) {
            snprintf(message, ASSAY_DRIVER_MESSAGE, "%s: %.120s; the password is taken from REDISCLI_AUTH", l->where,
                     why);
            return false;
        }
        freeReplyObject(r);
    }
    redis_protocol(l, "*1\r\n$4\r\nPING\r\n");
    redisReply *r = redis_ask(l, why);
    bool loading = !r && (starts(why, "LOADING") || starts(why, "MASTERDOWN")); /* it will be of use soon */
    if (!r && !loading)
        snprintf(message, ASSAY_DRIVER_MESSAGE, "%s: %.120s%s", l->where, why,
                 starts(why, "NOAUTH") ? "; put the password into REDISCLI_AUTH" : "");
    freeReplyObject(r);
    return r || loading;
}

bool redis_connect(struct redis_link *l, const assay_node *node, double timeout, const char *password, char *message)
{
    unsigned port = node->port ? node->port : REDIS_PORT;
    l->timeout = timeout;
    snprintf(l->where, sizeof l->where, "%.64s:%u", node->host, port);
    l->context = redisConnectWithTimeout(node->host, (int)port, timeval(timeout));
    if (!l->context || l->context->err || redisSetTimeout(l->context, timeval(timeout)) != REDIS_OK) {
        snprintf(message, ASSAY_DRIVER_MESSAGE,
                 "%s: %.120s (start servers with `assay cluster up redis`, or name them with --nodes)", l->where,
                 l->context ? l->context->errstr : "out of memory");
        redis_disconnect(l);
        return false;
    }
    if (authenticate(l, password, message))
        return true;
    redis_disconnect(l);
    return false;
}

void redis_disconnect(struct redis_link *l)
{
    redisFree(l->context);
    l->context = NULL;
    bytes_free(&l->out);
}

void redis_protocol(struct redis_link *l, const char *bytes)
{
    bytes_puts(&l->out, bytes);
}

/* A prefix character, a number and the end of the line. */
static void line(struct redis_link *l, char kind, size_t number)
{
    char at[BYTES_NUMBER + 3];
    size_t n = 1;
    at[0] = kind;
    n += bytes_decimal(at + 1, (int64_t)number);
    at[n++] = '\r';
    at[n++] = '\n';
    bytes_add(&l->out, at, n);
}

static void add_word(struct redis_link *l, const char *at, size_t n)
{
    line(l, '$', n);
    bytes_add(&l->out, at, n);
    bytes_add(&l->out, "\r\n", 2);
}

void redis_array(struct redis_link *l, size_t words)
{
    line(l, '*', words);
}

void redis_word(struct redis_link *l, const char *word)
{
    add_word(l, word, strlen(word));
}

void redis_number(struct redis_link *l, int64_t number)
{
    char digits[BYTES_NUMBER];
    add_word(l, digits, bytes_decimal(digits, number));
}

void redis_key(struct redis_link *l, char space, uint64_t key)
{
    char name[8 + BYTES_NUMBER] = {'a', 's', 's', 'a', 'y', ':', space, ':'};
    add_word(l, name, 8 + bytes_decimal(name + 8, (int64_t)key));
}

enum redis_sent redis_send(struct redis_link *l, char *message)
{
    struct bytes *out = &l->out;
    size_t done = 0;
    if (out->failed)
        snprintf(message, ASSAY_DRIVER_MESSAGE, "out of memory");
    while (!out->failed && done < out->n) {
        ssize_t n = send(l->context->fd, out->at + done, out->n - done, MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            snprintf(message, ASSAY_DRIVER_MESSAGE, "cannot send: %s", strerror(errno));
            break;
        }
        done += (size_t)n;
    }
    bool all = !out->failed && done == out->n;
    bytes_clear(out);
    return all ? REDIS_SENT : done ? REDIS_CUT : REDIS_NOT_SENT;
}

redisReply *redis_answer(struct redis_link *l, char *message)
{
    void *answer = NULL;
    double since = 0;
    while (redisGetReplyFromReader(l->context, &answer) == REDIS_OK && !answer) {
        /* Each read has a time limit of its own, so many of them need another one. */
        if (since == 0)
            since = clock_seconds(CLOCK_MONOTONIC);
        else if (clock_seconds(CLOCK_MONOTONIC) - since > l->timeout)
            errno = EAGAIN, l->context->err = REDIS_ERR_IO;
        if (l->context->err || redisBufferRead(l->context) != REDIS_OK)
            break;
    }
    if (!answer)
        snprintf(message, ASSAY_DRIVER_MESSAGE, "%s",
                 l->context->err == REDIS_ERR_IO && errno == EAGAIN ? "no answer in time" : l->context->errstr);
    return answer;
}

redisReply *redis_ask(struct redis_link *l, char *message)
{
    redisReply *r = redis_send(l, message) == REDIS_SENT ? redis_answer(l, message) : NULL;
    if (r && r->type == REDIS_REPLY_ERROR) {
        snprintf(message, ASSAY_DRIVER_MESSAGE, "%s", r->str);
        freeReplyObject(r);
        return NULL;
    }
    return r;
}
#else
typedef int nothing_here;
#endif
