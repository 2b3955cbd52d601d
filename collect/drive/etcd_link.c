/* SPDX-License-Identifier: Apache-2.0 */
#ifdef ASSAY_WITH_CURL
#include "collect/drive/etcd_link.h"

#include "base/clock.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

enum { ETCD_PORT = 2379 }; /* where servers listen unless told otherwise */

/* Codes of gRPC, which the gateway hands through. */
enum { INVALID_ARGUMENT = 3, PERMISSION_DENIED = 7, UNAUTHENTICATED = 16 };

static curl_socket_t open_socket(void *link, curlsocktype purpose, struct curl_sockaddr *address)
{
    const struct etcd_link *l = link;
    (void)purpose;
    return l->connecting ? socket(address->family, address->socktype, address->protocol) : CURL_SOCKET_BAD;
}

static size_t take(char *at, size_t size, size_t n, void *link)
{
    struct etcd_link *l = link;
    bytes_add(&l->answer, at, size * n);
    return l->answer.failed ? 0 : size * n;
}

/* An error that the server finds before it executes a request. Others may come after that: "request timed out" and
 * "leader changed" do, and so does "database space exceeded", which is an answer to requests that were executed. */
static bool is_refusal(int64_t code, const char *error)
{
    return code == INVALID_ARGUMENT || code == PERMISSION_DENIED || code == UNAUTHENTICATED ||
           strcmp(error, "etcdserver: too many requests") == 0;
}

static enum etcd_sent read_error(long status, const json_t *answer, char *message)
{
    const json_t *code = json_object_get(answer, "code");
    const char *error = json_string_value(json_object_get(answer, "error"));
    if (error)
        snprintf(message, ASSAY_DRIVER_MESSAGE, "%s", error);
    else
        snprintf(message, ASSAY_DRIVER_MESSAGE, "HTTP status %ld", status);
    return error && is_refusal(json_integer_value(code), error) ? ETCD_REFUSED : ETCD_FAILED;
}

/* A connection that the server has closed meanwhile is readable, and so is one with bytes that were not asked for. */
static bool is_quiet(const struct etcd_link *l)
{
    char byte;
    return recv(l->socket, &byte, 1, MSG_PEEK | MSG_DONTWAIT) < 0 && (errno == EAGAIN || errno == EWOULDBLOCK);
}

/* Why a request was not answered. libcurl's own words have the time that it took, which would make each of them new. */
static void explain(const struct etcd_link *l, CURLcode code, const char *words, char *message)
{
    long error = 0;
    curl_easy_getinfo(l->curl, CURLINFO_OS_ERRNO, &error);
    const char *why = *words ? words : curl_easy_strerror(code);
    if (code == CURLE_OPERATION_TIMEDOUT)
        why = "no answer in time";
    else if (code == CURLE_COULDNT_CONNECT)
        why = !l->connecting ? "the connection was closed" : error ? strerror((int)error) : curl_easy_strerror(code);
    snprintf(message, ASSAY_DRIVER_MESSAGE, "%s", why);
}

static enum etcd_sent transfer(struct etcd_link *l, const char *path, json_t **answer, char *message)
{
    char url[160], why[CURL_ERROR_SIZE] = "";
    json_error_t malformed;
    long status = 0, milliseconds = (long)((l->until - clock_seconds(CLOCK_MONOTONIC)) * 1000);
    *answer = NULL;
    snprintf(url, sizeof url, "http://%s%s", l->where, path);
    curl_easy_setopt(l->curl, CURLOPT_URL, url);
    curl_easy_setopt(l->curl, CURLOPT_ERRORBUFFER, why);
    curl_easy_setopt(l->curl, CURLOPT_TIMEOUT_MS, milliseconds > 0 ? milliseconds : 1);
    bytes_clear(&l->answer);
    CURLcode code = curl_easy_perform(l->curl);
    curl_easy_setopt(l->curl, CURLOPT_ERRORBUFFER, NULL);
    if (code != CURLE_OK) {
        explain(l, code, why, message);
        return ETCD_NOT_ANSWERED;
    }
    curl_easy_getinfo(l->curl, CURLINFO_RESPONSE_CODE, &status);
    *answer = l->answer.n ? json_loadb(l->answer.at, l->answer.n, 0, &malformed) : NULL;
    if (status == 200 && *answer)
        return ETCD_ANSWERED;
    enum etcd_sent result = read_error(status, *answer, message);
    json_decref(*answer);
    *answer = NULL;
    return result;
}

enum etcd_sent etcd_post(struct etcd_link *l, const char *path, json_t **answer, char *message)
{
    enum etcd_sent result = ETCD_NOT_SENT;
    *answer = NULL;
    if (l->body.failed) {
        snprintf(message, ASSAY_DRIVER_MESSAGE, "out of memory");
    } else if (!is_quiet(l)) {
        snprintf(message, ASSAY_DRIVER_MESSAGE, "the server has closed the connection");
    } else {
        curl_easy_setopt(l->curl, CURLOPT_POSTFIELDSIZE, (long)l->body.n);
        curl_easy_setopt(l->curl, CURLOPT_POSTFIELDS, l->body.at);
        result = transfer(l, path, answer, message);
    }
    bytes_clear(&l->body);
    return result;
}

bool etcd_alive(const struct etcd_link *l)
{
    curl_socket_t active = CURL_SOCKET_BAD;
    return curl_easy_getinfo(l->curl, CURLINFO_ACTIVESOCKET, &active) == CURLE_OK && active != CURL_SOCKET_BAD;
}

int64_t etcd_number(const json_t *object, const char *name)
{
    const json_t *field = json_object_get(object, name);
    const char *text = json_string_value(field);
    int64_t number = 0;
    if (json_is_integer(field))
        return json_integer_value(field);
    return text && bytes_read_number(text, text + strlen(text), &number) ? number : 0;
}

/* ---- connecting ---- */

static bool add_header(struct etcd_link *l, const char *header)
{
    struct curl_slist *longer = curl_slist_append(l->headers, header);
    if (longer)
        l->headers = longer;
    return longer && curl_easy_setopt(l->curl, CURLOPT_HTTPHEADER, l->headers) == CURLE_OK;
}

static bool set_up(struct etcd_link *l)
{
    l->curl = curl_easy_init();
    if (!l->curl)
        return false;
    curl_easy_setopt(l->curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(l->curl, CURLOPT_TCP_NODELAY, 1L);
    curl_easy_setopt(l->curl, CURLOPT_HTTP_VERSION, (long)CURL_HTTP_VERSION_1_1);
    curl_easy_setopt(l->curl, CURLOPT_NOPROXY, "*"); /* a proxy might send a request twice */
    curl_easy_setopt(l->curl, CURLOPT_MAXAGE_CONN, 24 * 3600L);
    curl_easy_setopt(l->curl, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(l->curl, CURLOPT_OPENSOCKETDATA, l);
    curl_easy_setopt(l->curl, CURLOPT_WRITEFUNCTION, take);
    curl_easy_setopt(l->curl, CURLOPT_WRITEDATA, l);
    /* Without the second one, long requests would wait for permission. */
    return add_header(l, "Content-Type: application/json") && add_header(l, "Expect:");
}

/* The first request, which opens the socket. */
static bool ask_version(struct etcd_link *l, char *message)
{
    char why[ASSAY_DRIVER_MESSAGE];
    json_t *answer;
    l->connecting = true;
    enum etcd_sent sent = transfer(l, "/version", &answer, why);
    l->connecting = false;
    const char *version = json_string_value(json_object_get(answer, "etcdserver"));
    if (sent == ETCD_NOT_ANSWERED)
        snprintf(message, ASSAY_DRIVER_MESSAGE,
                 "%s: %.90s (start servers with `assay cluster up etcd`, or name them with --nodes)", l->where, why);
    else if (!version)
        snprintf(message, ASSAY_DRIVER_MESSAGE, "%s: this is no etcd server (name others with --nodes)", l->where);
    else
        snprintf(l->version, sizeof l->version, "%s", version);
    bool found = version != NULL;
    json_decref(answer);
    return found && curl_easy_getinfo(l->curl, CURLINFO_ACTIVESOCKET, &l->socket) == CURLE_OK;
}

static void add_text(struct bytes *b, const char *text, size_t n)
{
    json_t *string = json_stringn(text, n);
    char *quoted = string ? json_dumps(string, JSON_ENCODE_ANY) : NULL;
    if (quoted)
        bytes_puts(b, quoted);
    b->failed |= !quoted;
    free(quoted);
    json_decref(string);
}

static bool log_in(struct etcd_link *l, const char *user, char *message)
{
    char why[ASSAY_DRIVER_MESSAGE] = "no token was given";
    const char *colon = strchr(user, ':');
    json_t *answer;
    bytes_puts(&l->body, "{\"name\":");
    add_text(&l->body, user, colon ? (size_t)(colon - user) : strlen(user));
    bytes_puts(&l->body, ",\"password\":");
    add_text(&l->body, colon ? colon + 1 : "", colon ? strlen(colon + 1) : 0);
    bytes_puts(&l->body, "}");
    etcd_post(l, "/v3/auth/authenticate", &answer, why);
    const char *token = json_string_value(json_object_get(answer, "token"));
    bool needless = strcmp(why, "etcdserver: authentication is not enabled") == 0;
    if (token) {
        struct bytes header = {0};
        bytes_puts(&header, "Authorization: ");
        bytes_add(&header, token, strlen(token) + 1);
        if (header.failed || !add_header(l, header.at))
            token = NULL;
        bytes_free(&header);
    }
    bool in = token || needless;
    if (!in)
        snprintf(message, ASSAY_DRIVER_MESSAGE, "%s: %.100s (name and password are taken from ETCDCTL_USER)", l->where,
                 why);
    json_decref(answer);
    return in;
}

bool etcd_connect(struct etcd_link *l, const assay_node *node, double timeout, const char *user, char *message)
{
    l->until = clock_seconds(CLOCK_MONOTONIC) + timeout;
    snprintf(l->where, sizeof l->where, "%.64s:%u", node->host, node->port ? node->port : ETCD_PORT);
    bool ready = set_up(l);
    if (!ready)
        snprintf(message, ASSAY_DRIVER_MESSAGE, "out of memory");
    if (ready && ask_version(l, message) && (!user || log_in(l, user, message)))
        return true;
    etcd_disconnect(l);
    return false;
}

void etcd_disconnect(struct etcd_link *l)
{
    if (l->curl)
        curl_easy_cleanup(l->curl);
    curl_slist_free_all(l->headers);
    l->curl = NULL;
    l->headers = NULL;
    bytes_free(&l->body);
    bytes_free(&l->answer);
}
#else
typedef int nothing_here;
#endif
