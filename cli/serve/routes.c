/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/routes.h"

#include "serve/respond.h"

#include "options.h"
#include "output.h"
#include "serve_assets.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void suspend(void *call)
{
    MHD_suspend_connection(((struct call *)call)->connection);
}

static enum MHD_Result not_found(struct call *c)
{
    return send_line(c->connection, MHD_HTTP_NOT_FOUND, "there is no such page");
}

/* ---- the viewer's own page ---- */

static enum MHD_Result send_asset(struct call *c, const unsigned char *bytes, size_t n, const char *type)
{
    struct MHD_Response *r = MHD_create_response_from_buffer(n, (void *)(uintptr_t)bytes, MHD_RESPMEM_PERSISTENT);
    dress(r, type, POLICY_VIEWER);
    return send_response(c->connection, MHD_HTTP_OK, r);
}

static enum MHD_Result send_page(struct call *c, const char *rest)
{
    (void)rest;
    return send_asset(c, serve_assets_serve_html, sizeof serve_assets_serve_html, "text/html; charset=utf-8");
}

static enum MHD_Result send_style(struct call *c, const char *rest)
{
    (void)rest;
    return send_asset(c, serve_assets_serve_css, sizeof serve_assets_serve_css, "text/css; charset=utf-8");
}

static enum MHD_Result send_script(struct call *c, const char *rest)
{
    (void)rest;
    return send_asset(c, serve_assets_serve_js, sizeof serve_assets_serve_js, "text/javascript; charset=utf-8");
}

/* ---- everything, as JSON ---- */

/* One text for all who ask, until the catalogue changes. Only the server's thread comes here. */
static enum MHD_Result send_listing(struct call *c, const char *rest)
{
    struct viewer *s = c->viewer;
    (void)rest;
    if (!s->listing || s->listing_version != catalogue_version(&s->catalogue)) {
        char *text;
        size_t n;
        FILE *to = memory_stream(&text, &n);
        s->listing_version = catalogue_write(&s->catalogue, to);
        memory_close(to, &text);
        if (s->listing)
            MHD_destroy_response(s->listing);
        s->listing = MHD_create_response_from_buffer(n, text, MHD_RESPMEM_MUST_FREE);
        dress(s->listing, "application/json", POLICY_DATA);
    }
    return s->listing ? MHD_queue_response(c->connection, MHD_HTTP_OK, s->listing) : MHD_NO;
}

/* ---- events ---- */

struct stream {
    struct broadcast *broadcast;
    struct listener *listener;
};

static ssize_t read_stream(void *arg, uint64_t position, char *out, size_t room)
{
    struct stream *s = arg;
    (void)position;
    ssize_t n = broadcast_read(s->broadcast, s->listener, out, room, suspend);
    return n < 0 ? MHD_CONTENT_READER_END_OF_STREAM : n;
}

static void free_stream(void *arg)
{
    struct stream *s = arg;
    broadcast_leave(s->broadcast, s->listener);
    free(s);
}

static enum MHD_Result send_events(struct call *c, const char *rest)
{
    enum { BLOCK = 4096 };
    (void)rest;
    struct listener *l = broadcast_join(&c->viewer->broadcast, c);
    if (!l)
        return send_line(c->connection, MHD_HTTP_SERVICE_UNAVAILABLE, "too many pages are listening");
    struct stream *s = grow(NULL, sizeof *s);
    *s = (struct stream){&c->viewer->broadcast, l};
    struct MHD_Response *r = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK, read_stream, s, free_stream);
    if (!r)
        free_stream(s);
    dress(r, "text/event-stream", POLICY_DATA);
    return send_response(c->connection, MHD_HTTP_OK, r);
}

/* ---- files ---- */

/* The file that the rest of the path names, open, and its kind. -1: there is no such result. */
static int open_result(struct call *c, const char *rest, char path[TREE_PATH], struct stat *about, enum kind *kind)
{
    int file = request_decode(rest, path, TREE_PATH) ? tree_file(&c->viewer->tree, path, about) : -1;
    if (file < 0)
        return -1;
    *kind = kind_of(c->viewer->tree.name, path, file, about);
    if (*kind != KIND_NONE)
        return file;
    close(file);
    return -1;
}

static enum MHD_Result send_file(struct call *c, const char *rest)
{
    char path[TREE_PATH];
    struct stat about;
    enum kind kind;
    int file = open_result(c, rest, path, &about, &kind);
    if (file >= 0 && S_ISDIR(about.st_mode)) {
        close(file);
        file = -1;
    }
    if (file < 0)
        return not_found(c);
    struct MHD_Response *r = MHD_create_response_from_fd64((uint64_t)about.st_size, file);
    if (!r)
        close(file);
    dress(r,
          kind == KIND_PAGE      ? "text/html; charset=utf-8"
          : kind == KIND_PICTURE ? "image/svg+xml"
                                 : "text/plain; charset=utf-8",
          kind == KIND_PAGE || kind == KIND_PICTURE ? POLICY_REPORT : POLICY_DATA);
    return send_response(c->connection, MHD_HTTP_OK, r);
}

/* ---- examinations ---- */

static enum MHD_Result send_finding(struct call *c)
{
    const struct job *j = c->job;
    if (j->state != JOB_DONE)
        return send_line(c->connection, MHD_HTTP_SERVICE_UNAVAILABLE, "the viewer ends");
    /* The call holds the job, and with it the text, until the answer has been sent. */
    struct MHD_Response *r = MHD_create_response_from_buffer(j->found.n, j->found.text, MHD_RESPMEM_PERSISTENT);
    dress(r, j->what.grade ? "application/json" : "text/html; charset=utf-8",
          j->what.grade ? POLICY_DATA : POLICY_REPORT);
    return send_response(c->connection, j->found.status, r);
}

/* A query that is absent is NULL. False: it cannot be decoded. */
static bool query(struct call *c, const char *name, char *out, size_t size, const char **value)
{
    const char *raw = MHD_lookup_connection_value(c->connection, MHD_GET_ARGUMENT_KIND, name);
    *value = raw ? out : NULL;
    return !raw || request_decode(raw, out, size);
}

static enum MHD_Result examine_history(struct call *c, const char *rest, bool grade)
{
    char path[TREE_PATH], model[1024], number[16];
    struct examination x = {.path = path, .grade = grade};
    struct stat about;
    enum kind kind;
    const char *index;
    unsigned long long wanted = 0;
    int file = open_result(c, rest, path, &about, &kind);
    if (file >= 0)
        close(file);
    if (file < 0 || kind != KIND_HISTORY)
        return not_found(c);
    if (!query(c, "model", model, sizeof model, &x.model) || !query(c, "index", number, sizeof number, &index) ||
        (index && !whole_number(index, 0, UINT32_MAX - 1, &wanted)))
        return send_line(c->connection, MHD_HTTP_BAD_REQUEST, "expected model=NAME and index=NUMBER");
    x.index = (uint32_t)wanted;
    c->job = work_ask(&c->viewer->work, &x, &about, c, suspend);
    if (!c->job)
        return send_line(c->connection, MHD_HTTP_SERVICE_UNAVAILABLE, "too many histories are being checked");
    return MHD_YES;
}

static enum MHD_Result send_report(struct call *c, const char *rest)
{
    return examine_history(c, rest, false);
}

static enum MHD_Result send_grade(struct call *c, const char *rest)
{
    return examine_history(c, rest, true);
}

/* ---- the table ---- */

static const struct {
    const char *path;
    bool more; /* a file's path follows */
    enum MHD_Result (*answer)(struct call *c, const char *rest);
} routes[] = {
    {"/", false, send_page},           {"/serve.css", false, send_style},
    {"/serve.js", false, send_script}, {"/api/results", false, send_listing},
    {"/api/grade/", true, send_grade}, {"/events", false, send_events},
    {"/file/", true, send_file},       {"/h/", true, send_report},
};

enum MHD_Result route(struct call *c, const char *url)
{
    if (c->job)
        return send_finding(c);
    for (size_t i = 0; i < sizeof routes / sizeof *routes; i++) {
        size_t n = strlen(routes[i].path);
        if (routes[i].more ? strncmp(url, routes[i].path, n) == 0 : strcmp(url, routes[i].path) == 0)
            return routes[i].answer(c, url + n);
    }
    return not_found(c);
}
