/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/catalogue.h"

#include "output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void catalogue_init(struct catalogue *c, const struct tree *tree, struct broadcast *broadcast)
{
    *c = (struct catalogue){.tree = tree, .broadcast = broadcast};
    pthread_mutex_init(&c->lock, NULL);
}

void catalogue_free(struct catalogue *c)
{
    for (size_t i = 0; i < c->n; i++)
        entry_free(c->at[i]);
    free(c->at);
    pthread_mutex_destroy(&c->lock);
}

/* ---- by path ---- */

/* The place of the first entry that is not before the path. */
static size_t place_of(const struct catalogue *c, const char *path)
{
    size_t low = 0, high = c->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(c->at[middle]->path, path) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static struct entry *find(const struct catalogue *c, const char *path)
{
    size_t i = place_of(c, path);
    return i < c->n && strcmp(c->at[i]->path, path) == 0 ? c->at[i] : NULL;
}

static struct entry *insert(struct catalogue *c, const char *path)
{
    size_t i = place_of(c, path);
    if (c->n == c->cap) {
        c->cap = c->cap * 2 + 64;
        c->at = grow(c->at, c->cap * sizeof *c->at);
    }
    memmove(c->at + i + 1, c->at + i, (c->n++ - i) * sizeof *c->at);
    return c->at[i] = entry_new(path);
}

/* ---- events ---- */

static void post(struct catalogue *c, const char *event, const struct entry *e, const struct record *r)
{
    char *text;
    size_t size;
    FILE *to = memory_stream(&text, &size);
    if (strcmp(event, "file") == 0)
        entry_put(e, to);
    else
        print_json_text(to, '{', "path", e->path);
    if (r)
        entry_put_record(r, ',', to);
    else
        fputc('}', to);
    memory_close(to, &text);
    broadcast_post(c->broadcast, event, text);
    free(text);
}

/* ---- scanning ---- */

static bool same_time(struct timespec a, struct timespec b)
{
    return a.tv_sec == b.tv_sec && a.tv_nsec == b.tv_nsec;
}

bool same_state(const struct stat *a, const struct stat *b)
{
    return a->st_ino == b->st_ino && a->st_dev == b->st_dev && a->st_size == b->st_size &&
           same_time(a->st_mtim, b->st_mtim);
}

static void clear(struct catalogue *c, struct entry *e)
{
    if (e->kind != KIND_NONE) {
        post(c, "gone", e, NULL);
        c->version++;
    }
    c->bytes -= e->bytes;
    entry_clear(e);
}

static void update(struct catalogue *c, struct entry *e, const struct stat *about, int file)
{
    enum kind kind = kind_of(c->tree->name, e->path, file, about);
    if (kind != e->kind || !kind_has_records(kind) || !entry_continues(e, about, file))
        clear(c, e);
    e->kind = kind;
    e->about = *about;
    if (kind == KIND_NONE)
        return;
    size_t before = e->n, others = c->bytes - e->bytes;
    if (kind_has_records(kind))
        entry_take_lines(e, file, CATALOGUE_BYTES - others);
    c->bytes = others + e->bytes;
    c->version++;
    post(c, "file", e, NULL);
    for (size_t i = before; i < e->n; i++)
        post(c, "record", e, &e->records[i]);
}

struct scan {
    struct catalogue *catalogue;
    void (*folder)(void *arg, const char *path, int descriptor);
    void *arg;
};

/* Returns its kind, as far as that is known. */
static enum kind see(void *arg, const char *path, const struct stat *about)
{
    struct catalogue *c = ((struct scan *)arg)->catalogue;
    struct stat now;
    int file = -1;
    pthread_mutex_lock(&c->lock);
    struct entry *e = find(c, path);
    if (!e && c->n == CATALOGUE_FILES)
        c->left_out++;
    else if ((!e || !same_state(&e->about, about)) && (file = tree_file(c->tree, path, &now)) >= 0)
        update(c, e = e ? e : insert(c, path), &now, file);
    if (e)
        e->scan = c->scan;
    if (file >= 0)
        close(file);
    enum kind kind = e ? e->kind : KIND_NONE;
    pthread_mutex_unlock(&c->lock);
    return kind;
}

static void see_file(void *arg, const char *path, const struct stat *about)
{
    see(arg, path, about);
}

static bool see_logs(void *arg, const char *path, const struct stat *about)
{
    return see(arg, path, about) == KIND_HISTORY;
}

static void see_folder(void *arg, const char *path, int descriptor)
{
    struct scan *s = arg;
    s->folder(s->arg, path, descriptor);
}

static void drop_unseen(struct catalogue *c)
{
    size_t kept = 0;
    for (size_t i = 0; i < c->n; i++) {
        struct entry *e = c->at[i];
        if (e->scan == c->scan) {
            c->at[kept++] = e;
        } else {
            clear(c, e);
            entry_free(e);
        }
    }
    c->n = kept;
}

void catalogue_scan(struct catalogue *c, void (*folder)(void *arg, const char *path, int descriptor), void *arg)
{
    struct scan s = {c, folder, arg};
    pthread_mutex_lock(&c->lock);
    c->scan++;
    c->left_out = 0;
    pthread_mutex_unlock(&c->lock);
    tree_walk(c->tree, &(struct tree_visitor){see_file, see_logs, see_folder, &s});
    pthread_mutex_lock(&c->lock);
    drop_unseen(c);
    pthread_mutex_unlock(&c->lock);
}

void catalogue_grade(struct catalogue *c, const char *path, const struct stat *about, uint32_t index, const char *json)
{
    pthread_mutex_lock(&c->lock);
    struct entry *e = find(c, path);
    if (e && same_state(&e->about, about)) {
        entry_grade(e, index, json);
        c->version++;
        broadcast_post(c->broadcast, "grade", json);
    }
    pthread_mutex_unlock(&c->lock);
}

/* ---- everything ---- */

uint64_t catalogue_version(struct catalogue *c)
{
    pthread_mutex_lock(&c->lock);
    uint64_t version = c->version;
    pthread_mutex_unlock(&c->lock);
    return version;
}

static void put_content(const struct entry *e, FILE *to)
{
    fputs(",\"records\":[", to);
    for (size_t i = 0; i < e->n; i++) {
        fputs(i ? "," : "", to);
        entry_put_record(&e->records[i], '{', to);
    }
    fputs("],\"grades\":[", to);
    for (size_t i = 0; i < e->graded; i++)
        fprintf(to, "%s%s", i ? "," : "", e->grades[i].json);
    fputs("]}", to);
}

uint64_t catalogue_write(struct catalogue *c, FILE *to)
{
    bool first = true;
    pthread_mutex_lock(&c->lock);
    uint64_t version = c->version;
    fputs("{\"files\":[", to);
    for (size_t i = 0; i < c->n; i++) {
        if (c->at[i]->kind == KIND_NONE)
            continue;
        fputs(first ? "\n" : ",\n", to);
        entry_put(c->at[i], to);
        put_content(c->at[i], to);
        first = false;
    }
    fprintf(to, "\n],\"left_out\":%" PRIu64 "}\n", c->left_out);
    pthread_mutex_unlock(&c->lock);
    return version;
}
