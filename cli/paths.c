/* SPDX-License-Identifier: Apache-2.0 */
#include "paths.h"

#include "assay.h"
#include "collect/collect.h"
#include "output.h"
#include "selected.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void push(struct paths *p, char *name)
{
    if (p->n == p->cap) {
        p->cap = p->cap * 2 + 16;
        p->at = grow(p->at, p->cap * sizeof *p->at);
        p->only = grow(p->only, p->cap * sizeof *p->only);
        p->below = grow(p->below, p->cap * sizeof *p->below);
    }
    p->only[p->n] = -1;
    p->below[p->n] = 0;
    p->at[p->n++] = name;
}

static char *joined(const char *directory, const char *name)
{
    size_t n = strlen(directory);
    bool slash = n && directory[n - 1] == '/';
    char *out = grow(NULL, n + strlen(name) + 2);
    memcpy(out, directory, n + 1);
    if (!slash)
        out[n++] = '/';
    strcpy(out + n, name);
    return out;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool unreadable(const char *name)
{
    complain("%s: %s", name, strerror(errno));
    return false;
}

static bool entries(const char *directory, struct paths *out)
{
    DIR *d = opendir(directory);
    if (!d)
        return unreadable(directory);
    errno = 0;
    for (struct dirent *entry; (entry = readdir(d)); errno = 0)
        if (entry->d_name[0] != '.')
            push(out, joined(directory, entry->d_name));
    int fault = errno;
    closedir(d);
    errno = fault;
    if (fault)
        return unreadable(directory);
    if (out->n)
        qsort(out->at, out->n, sizeof *out->at, by_name);
    return true;
}

/* A history that `assay drive` has not finished yet, or that it could not finish. */
static bool is_open_log(const char *name, const char *level, const char *so)
{
    size_t n = strlen(name);
    if (n < 4 || strcmp(name + n - 4, ".log") != 0 || !drive_log_recognised(name))
        return false;
    complain("%s%s: the log of a history that `assay drive` has not finished%s (the same command goes on with it; "
             "`assay recover %s %.*s.hist` makes a history of it as it is)",
             level, name, so, name, (int)(n - 4), name);
    return true;
}

/* Beside the logs of a run lie settings and figures of its program. */
static bool is_no_history(const char *name)
{
    size_t n = strlen(name);
    if (n < 5 || strcmp(name + n - 5, ".json") != 0)
        return false;
    assay_reader *r = assay_reader_open(name, NULL, NULL);
    assay_history *h = r ? assay_reader_next(r, NULL) : NULL;
    assay_history_free(h);
    assay_reader_close(r);
    return !h;
}

/* ---- files that are left out because of their names ---- */

enum { MOST_ENDINGS = 4 };

struct left_out {
    size_t files;
    char endings[MOST_ENDINGS][24]; /* of their names, the first ones; "": a name has none */
    size_t n;
    bool more;
};

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* ".txt", ".txt.gz". */
static const char *ending_of(const char *name)
{
    const char *part = last_part(name), *dot = strrchr(part, '.');
    bool packed = dot && (strcmp(dot, ".gz") == 0 || strcmp(dot, ".zst") == 0);
    for (const char *at = dot; packed && at-- > part;)
        if (*at == '.')
            return at;
    return dot ? dot : "";
}

static void leave_out(struct left_out *l, const char *name)
{
    const char *ending = ending_of(name);
    size_t i = 0;
    l->files++;
    while (i < l->n && strcmp(l->endings[i], ending) != 0)
        i++;
    if (i == MOST_ENDINGS || strlen(ending) >= sizeof l->endings[0])
        l->more = true;
    else if (i == l->n)
        strcpy(l->endings[l->n++], ending);
}

/* "3 files left out: their names end in .md, .txt (name them to read them)" */
static char *tell(const struct left_out *l)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = memory_stream(&text, &size);
    bool one = l->files == 1, some = false;
    fprintf(to, "%zu file%s left out: ", l->files, one ? "" : "s");
    for (size_t i = 0; i < l->n; i++)
        if (*l->endings[i]) {
            fprintf(to, "%s%s", some ? ", " : one ? "its name ends in " : "names end in ", l->endings[i]);
            some = true;
        } else if (l->n == 1) {
            fprintf(to, one ? "its name has no ending" : "their names have no endings");
        }
    fprintf(to, "%s (name %s to read %s)", l->more ? " and others" : "", one ? "it" : "them", one ? "it" : "them");
    memory_close(to, &text);
    return text;
}

/* ---- */

/* What is known of a folder while it is walked. */
struct walk {
    bool format_given;
    bool run; /* its logs are one history */
    struct left_out *left_out;
};

static bool is_history(const char *name, const struct walk *w)
{
    struct stat target;
    bool regular = stat(name, &target) == 0 && S_ISREG(target.st_mode);
    if (regular && !assay_format_by_name(name))
        leave_out(w->left_out, name);
    if (!regular || !assay_format_by_name(name) || is_open_log(name, "warning: ", ": left out"))
        return false;
    if (drive_journal_recognised(name)) /* `assay drive` keeps it beside its histories */
        return false;
    if (assay_file_is_part(name)) /* its directory is the history */
        return false;
    bool known = w->format_given || assay_file_is_history(name),
         stray = !w->format_given && known && w->run && is_no_history(name);
    if (known && !stray)
        return true;
    complain("warning: %s: %s: left out (-f names its format)", name,
             stray ? "no history can be read from it, and its directory is one" : "no format recognises it");
    return false;
}

/* The history of a Jepsen test in its directory, or NULL: there is none. */
static const char *jepsen_history(const struct paths *in)
{
    static const char *const names[] = {"history.edn", "history.txt"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        for (size_t i = 0; i < in->n; i++)
            if (strcmp(last_part(in->at[i]), names[k]) == 0)
                return in->at[i];
    return NULL;
}

/* The other files of a Jepsen test say the same again, or are no histories. `independent` has it once more, by keys. */
static bool repeats_jepsen(const char *name, bool directory, const char *history)
{
    return history && name != history && (!directory || strcmp(last_part(name), "independent") == 0);
}

static bool holds(const struct paths *in, const char *name)
{
    bool found = false;
    for (size_t i = 0; i < in->n; i++)
        found |= strcmp(last_part(in->at[i]), name) == 0;
    return found;
}

/* `assay stress` writes the first violation again, with a smaller program, beside the histories of all programs. */
static bool repeats_stress(const char *name, const struct paths *in)
{
    const char *own = last_part(name);
    bool again = strcmp(own, "violation.hist") == 0 || strcmp(own, "violation-part.hist") == 0 ||
                 strcmp(own, "violation-found.hist") == 0;
    if (!again || !holds(in, "violation.client") || !holds(in, "program-1.hist"))
        return false;
    complain("%s: left out: it shows a violation of the programs beside it once more (name the file to check it)",
             name);
    return true;
}

/* Is this a file that Jepsen writes beside its history? */
static bool is_of_jepsen(const char *name)
{
    static const char *const endings[] = {".edn", ".log", ".html", ".png", ".svg", ".jepsen", ".fressian", ".gnuplot"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (strcmp(ending_of(name), endings[i]) == 0)
            return true;
    return strcmp(last_part(name), "history.txt") == 0;
}

/* Links to directories are not followed: they could lead back. Hidden entries are not histories. */
static bool walk(struct paths *p, const char *directory, struct walk w)
{
    struct paths in = {0};
    bool fine = entries(directory, &in);
    const char *jepsen = jepsen_history(&in);
    struct left_out below = {0}; /* of a test of Jepsen: other files are its own */
    for (size_t i = 0; i < in.n; i++) {
        struct stat about;
        bool known = lstat(in.at[i], &about) == 0;
        if (known && repeats_stress(in.at[i], &in))
            continue;
        if (known && repeats_jepsen(in.at[i], S_ISDIR(about.st_mode), jepsen)) {
            if (S_ISREG(about.st_mode) && !is_of_jepsen(in.at[i]))
                leave_out(w.left_out, in.at[i]);
            continue;
        }
        if (!known)
            fine = unreadable(in.at[i]);
        else if (S_ISDIR(about.st_mode)) {
            bool one = assay_file_is_history(in.at[i]);
            if (one)
                push(p, copy_text(in.at[i]));
            fine &= walk(p, in.at[i], (struct walk){w.format_given, one, jepsen ? &below : w.left_out});
        } else if (is_history(in.at[i], &w))
            push(p, copy_text(in.at[i]));
    }
    paths_free(&in);
    return fine;
}

bool paths_add(struct paths *p, const char *name, bool format_given)
{
    struct stat about = {0};
    size_t before = p->n;
    if (strcmp(name, "-") == 0 || stat(name, &about) != 0 || !S_ISDIR(about.st_mode)) {
        if (S_ISREG(about.st_mode) && is_open_log(name, "", ""))
            return false;
        struct selected s = selected_of(name); /* a missing file is reported when it is opened, in its turn */
        push(p, s.file);
        p->only[p->n - 1] = s.index;
        return true;
    }
    bool one = assay_file_is_history(name);
    if (one)
        push(p, copy_text(name));
    struct left_out left_out = {0};
    bool fine = walk(p, name, (struct walk){format_given, one, &left_out});
    if (left_out.files && p->n > before) {
        p->notes = grow(p->notes, (p->note_count + 1) * sizeof *p->notes);
        p->notes[p->note_count++] = (struct paths_note){copy_text(name), tell(&left_out)};
    }
    for (size_t i = before + one, n = strlen(name); i < p->n; i++)
        p->below[i] = name[n - 1] == '/' ? n : n + 1;
    if (!fine)
        return false;
    if (p->n == before)
        complain("%s: no history files in this directory (`assay list formats` shows their extensions; or name a file)",
                 name);
    return p->n > before;
}

static bool regular(const char *name, struct stat *about)
{
    int status = strcmp(name, "-") == 0 ? fstat(STDIN_FILENO, about) : stat(name, about);
    return status == 0 && S_ISREG(about->st_mode);
}

bool paths_hold(const struct paths *p, const char *name)
{
    struct stat it, other;
    bool exists = stat(name, &it) == 0;
    for (size_t i = 0; i < p->n; i++)
        if (!exists ? strcmp(p->at[i], name) == 0
                    : S_ISREG(it.st_mode) && regular(p->at[i], &other) && it.st_dev == other.st_dev &&
                          it.st_ino == other.st_ino)
            return true;
    return false;
}

const char *paths_named(const struct paths *p, size_t i)
{
    return p->n > 1 || p->below[i] ? p->at[i] + p->below[i] : NULL;
}

void paths_free(struct paths *p)
{
    for (size_t i = 0; i < p->n; i++)
        free(p->at[i]);
    for (size_t i = 0; i < p->note_count; i++) {
        free(p->notes[i].folder);
        free(p->notes[i].text);
    }
    free(p->at);
    free(p->only);
    free(p->below);
    free(p->notes);
    *p = (struct paths){0};
}
