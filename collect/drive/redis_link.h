/* SPDX-License-Identifier: Apache-2.0 */
/* A connection to a Redis server. Commands are collected as the bytes of the protocol, sent in one write, and their
 * answers are fetched one by one. hiredis connects and reads answers. Commands are written here, into one buffer
 * without an allocation for each. Bytes are sent without SIGPIPE, which hiredis would raise. */
#ifndef ASSAY_COLLECT_DRIVE_REDIS_LINK_H
#define ASSAY_COLLECT_DRIVE_REDIS_LINK_H

#include "assay_driver.h"
#include "collect/drive/bytes.h"

#include <hiredis/hiredis.h>

struct redis_link {
    redisContext *context; /* NULL: none */
    struct bytes out;      /* the commands that have not been sent */
    double timeout;        /* seconds for an answer */
    char where[80];        /* host and port, for messages */
};

enum redis_sent {
    REDIS_SENT,
    REDIS_NOT_SENT, /* not one byte has left: the commands have no effect */
    REDIS_CUT       /* perhaps a part of them has arrived */
};

/* Connects, and gives the password unless it is NULL. False: see the message, of ASSAY_DRIVER_MESSAGE bytes. */
bool redis_connect(struct redis_link *l, const assay_node *node, double timeout, const char *password, char *message);
void redis_disconnect(struct redis_link *l);

/* Adds a command, or a part of it. */
void redis_protocol(struct redis_link *l, const char *bytes); /* "*2\r\n$3\r\nGET\r\n": words and their lengths */
void redis_array(struct redis_link *l, size_t words);         /* begins a command of so many words */
void redis_word(struct redis_link *l, const char *word);
void redis_number(struct redis_link *l, int64_t number);
void redis_key(struct redis_link *l, char space, uint64_t key); /* assay:r:7 */

/* Sends the commands that were added. */
enum redis_sent redis_send(struct redis_link *l, char *message);
/* The answer of the next command that was sent, for freeReplyObject. NULL: it was lost, and so is the connection. */
redisReply *redis_answer(struct redis_link *l, char *message);
/* Sends one command and waits for its answer: for all that is no transaction. An error of the server is also NULL. */
redisReply *redis_ask(struct redis_link *l, char *message);

#endif
