/* SPDX-License-Identifier: Apache-2.0 */
#ifdef ASSAY_WITH_HIREDIS
#include "collect/drive/redis_keys.h"

#include <stdio.h>

enum { BATCH = 1000 }; /* keys that are made or removed by one write */

static void add_key(struct redis_link *l, char space, uint64_t key, const assay_keys *keys, bool make)
{
    redis_array(l, make ? 3 : 2);
    redis_word(l, make ? "SET" : "UNLINK");
    redis_key(l, space, key);
    if (make)
        redis_number(l, keys->initial);
}

/* Sends the commands that were added, and takes so many answers. */
static bool finish_batch(struct redis_link *l, size_t answers, char *message)
{
    bool ok = redis_send(l, message) == REDIS_SENT;
    bool refused = false;
    for (size_t i = 0; ok && i < answers; i++) {
        redisReply *r = redis_answer(l, message);
        ok = r != NULL;
        if (r && r->type == REDIS_REPLY_ERROR) {
            snprintf(message, ASSAY_DRIVER_MESSAGE, "%s", r->str);
            refused = true;
        }
        freeReplyObject(r);
    }
    return ok && !refused;
}

/* Registers get their initial values or are removed; everything else is removed. */
static bool each_key(struct redis_link *l, const assay_keys *keys, bool make, char *message)
{
    static const struct {
        char space;
        uint32_t actions;
    } spaces[] = {
        {'r', ASSAY_CAN(READ) | ASSAY_CAN(WRITE) | ASSAY_CAN(ADD) | ASSAY_CAN(TRANSFER)},
        {'l', ASSAY_CAN(LIST) | ASSAY_CAN(APPEND)},
        {'s', ASSAY_CAN(ELEMENTS) | ASSAY_CAN(INSERT)},
        {'q', ASSAY_CAN(ENQUEUE) | ASSAY_CAN(DEQUEUE)},
    };
    size_t batch = 0;
    for (size_t i = 0; i < sizeof spaces / sizeof *spaces; i++) {
        for (uint64_t k = 0; k < keys->count && keys->actions & spaces[i].actions; k++) {
            add_key(l, spaces[i].space, keys->first + k, keys, make && spaces[i].space == 'r');
            if (++batch < BATCH)
                continue;
            if (!finish_batch(l, batch, message))
                return false;
            batch = 0;
        }
    }
    return finish_batch(l, batch, message);
}

bool redis_set_mark(struct redis_link *l, uint64_t first, int64_t mark, char *message)
{
    redis_array(l, 3);
    redis_word(l, "SET");
    redis_key(l, 'p', first);
    redis_number(l, mark);
    redisReply *r = redis_ask(l, message);
    freeReplyObject(r);
    return r != NULL;
}

bool redis_has_mark(struct redis_link *l, uint64_t first, int64_t mark, char *message)
{
    redis_array(l, 2);
    redis_word(l, "GET");
    redis_key(l, 'p', first);
    redisReply *r = redis_ask(l, message);
    int64_t seen;
    bool has = r && r->type == REDIS_REPLY_STRING && bytes_read_number(r->str, r->str + r->len, &seen) && seen == mark;
    if (r && !has)
        snprintf(message, ASSAY_DRIVER_MESSAGE, "the keys did not get here in time; is this replica cut off?");
    freeReplyObject(r);
    return has;
}

bool redis_make_keys(struct redis_link *l, const assay_keys *keys, char *message)
{
    return each_key(l, keys, true, message);
}

bool redis_remove_keys(struct redis_link *l, const assay_keys *keys, char *message)
{
    add_key(l, 'p', keys->first, keys, false);
    return finish_batch(l, 1, message) && each_key(l, keys, false, message);
}
#else
typedef int nothing_here;
#endif
