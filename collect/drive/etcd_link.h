/* SPDX-License-Identifier: Apache-2.0 */
/* A connection to an etcd server: requests of its HTTP gateway, which takes and gives JSON.
 *
 * Invariant: a request is sent at most once. libcurl uses a connection for several requests. If it dies before the
 * first byte of an answer, libcurl sends the request again, over a new connection, even a POST. The server may have
 * executed it by then. libcurl has no option against that, but it asks before it opens a socket. So sockets are
 * opened by etcd_connect only, and the connection lives as long as its struct. */
#ifndef ASSAY_COLLECT_DRIVE_ETCD_LINK_H
#define ASSAY_COLLECT_DRIVE_ETCD_LINK_H

#include "assay_driver.h"
#include "collect/drive/bytes.h"

#include <curl/curl.h>
#include <jansson.h>

struct etcd_link {
    CURL *curl; /* NULL: none */
    struct curl_slist *headers;
    curl_socket_t socket;
    struct bytes body;   /* of the next request */
    struct bytes answer; /* its bytes */
    double until;        /* answers are waited for up to this time of CLOCK_MONOTONIC */
    bool connecting;     /* sockets may be opened */
    char where[80];      /* host and port, for messages */
    char version[32];
};

enum etcd_sent {
    ETCD_ANSWERED,
    ETCD_REFUSED,     /* it has no effect; the connection can be used further */
    ETCD_FAILED,      /* an error of the server, perhaps after it has taken effect */
    ETCD_NOT_SENT,    /* the connection is of no use any more; nothing was sent */
    ETCD_NOT_ANSWERED /* the connection is of no use any more; perhaps it has taken effect */
};

/* Connects, and logs in if there is a user, "name:password". False: see the message, of ASSAY_DRIVER_MESSAGE bytes. */
bool etcd_connect(struct etcd_link *l, const assay_node *node, double timeout, const char *user, char *message);
void etcd_disconnect(struct etcd_link *l);

/* Sends the body to the path, which clears it. The answer is json_decref'd by the caller; it is NULL, and there is a
 * message, unless the result is ETCD_ANSWERED. */
enum etcd_sent etcd_post(struct etcd_link *l, const char *path, json_t **answer, char *message);
/* The server keeps the connection: after a request that was answered. */
bool etcd_alive(const struct etcd_link *l);

/* The number of a field: etcd writes those of 64 bits as texts, and leaves out 0. */
int64_t etcd_number(const json_t *object, const char *name);

#endif
