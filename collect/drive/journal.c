/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/drive/journal.h"

#include "base/error.h"
#include "base/json.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static const char file_name[] = "/journal.jsonl", beginning[] = "{\"campaign\":";
static const char *const findings[] = {"consistent", "violation", "undecided", "error"};

const char *drive_finding_name(enum drive_finding f)
{
    return findings[f];
}

bool drive_journal_recognised(const char *path)
{
    char bytes[sizeof beginning - 1];
    size_t n = strlen(path), tail = sizeof file_name - 1;
    FILE *from = n >= tail && strcmp(path + n - tail, file_name) == 0 ? fopen(path, "r") : NULL;
    bool is = from && fread(bytes, sizeof bytes, 1, from) == 1 && memcmp(bytes, beginning, sizeof bytes) == 0;
    if (from)
        fclose(from);
    return is;
}

static bool fail(const struct drive_journal *j, const char *doing, assay_error *e)
{
    error_set(e, ASSAY_ERROR_RESOURCE, "cannot %s: %s", doing, strerror(errno));
    error_place(e, j->path, 0, 0);
    return false;
}

void drive_journal_string(FILE *to, const char *text)
{
    fputc('"', to);
    for (; *text; text++) {
        if ((unsigned char)*text < ' ')
            fprintf(to, "\\u%04x", (unsigned)*text);
        else
            fprintf(to, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
    }
    fputc('"', to);
}

bool drive_journal_has(const struct drive_journal *j, uint64_t number)
{
    return number < j->has_count && j->has[number];
}

static bool note(struct drive_journal *j, uint64_t number)
{
    if (number >= j->has_count) {
        uint64_t count = 2 * number + 64;
        bool *grown = number < 1u << 30 ? realloc(j->has, count * sizeof *grown) : NULL;
        if (!grown)
            return false;
        memset(grown + j->has_count, 0, (count - j->has_count) * sizeof *grown);
        j->has = grown;
        j->has_count = count;
    }
    j->has[number] = true;
    return true;
}

/* ---- writing ---- */

static bool append(struct drive_journal *j, const char *text, size_t n, assay_error *e)
{
    while (n > 0) {
        ssize_t written = write(j->file, text, n);
        if (written < 0 && errno != EINTR)
            return fail(j, "write", e);
        if (written > 0) {
            text += written;
            n -= (size_t)written;
        }
    }
    return true;
}

static void put_durability(FILE *to, const struct drive_durability *d)
{
    fprintf(to,
            ",\"durability\":{\"acknowledged\":%" PRIu64 ",\"lost\":%" PRIu64 ",\"duplicated\":%" PRIu64
            ",\"unexpected\":%" PRIu64 ",\"not_read\":%" PRIu64 ",\"agreed\":%s,\"examples\":[",
            d->acknowledged, d->lost, d->duplicated, d->unexpected, d->missed, d->agreed ? "true" : "false");
    for (uint64_t i = 0; i < d->example_count; i++) {
        fputs(i ? "," : "", to);
        drive_journal_string(to, d->examples[i]);
    }
    fputs("]}", to);
}

static void put_record(FILE *to, const struct drive_record *r)
{
    const struct drive_tally *t = &r->tally;
    const struct latency *l = &t->latency;
    fprintf(to, "{\"history\":%" PRIu64 ",\"seed\":%" PRIu64, r->number, r->seed);
    if (r->kept)
        fprintf(to, ",\"file\":\"%04" PRIu64 ".hist\"", r->number);
    fprintf(to, ",\"committed\":%" PRIu64 ",\"aborted\":%" PRIu64 ",\"unknown\":%" PRIu64, t->counts.committed,
            t->counts.aborted, t->counts.unknown);
    fprintf(to, ",\"complete\":%s,\"seconds\":%.6f", t->counts.complete ? "true" : "false", t->seconds);
    fprintf(to, ",\"latency_us\":{\"p50\":%.1f,\"p90\":%.1f,\"p99\":%.1f,\"max\":%.1f}",
            (double)latency_percentile(l, 0.5) / 1e3, (double)latency_percentile(l, 0.9) / 1e3,
            (double)latency_percentile(l, 0.99) / 1e3, (double)l->most / 1e3);
    if (r->staleness.reads)
        fprintf(to,
                ",\"reads\":%" PRIu64 ",\"stale\":%" PRIu64 ",\"versions_behind\":%" PRIu64 ",\"ns_behind\":%" PRIu64,
                r->staleness.reads, r->staleness.stale, r->staleness.versions, r->staleness.ns);
    if (t->counts.durability.judged)
        put_durability(to, &t->counts.durability);
    fputs(",\"verdicts\":[", to);
    for (size_t i = 0; i < r->verdict_count; i++) {
        const struct drive_verdict *v = &r->verdicts[i];
        fputs(i ? ",{\"model\":" : "{\"model\":", to);
        drive_journal_string(to, v->model);
        fprintf(to, ",\"verdict\":\"%s\"", findings[v->finding]);
        if (v->pattern[0])
            fprintf(to, ",\"pattern\":\"%s\"", v->pattern);
        fprintf(to, ",\"seconds\":%.6f}", v->seconds);
    }
    fputs("]}\n", to);
}

bool drive_journal_add(struct drive_journal *j, const struct drive_record *r, assay_error *e)
{
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    if (to)
        put_record(to, r);
    bool fine = to && fclose(to) == 0 ? append(j, text, size, e) : fail(j, "write", e);
    free(text);
    if (!note(j, r->number))
        error_from_escape(e, ESCAPE_OUT_OF_MEMORY);
    return fine;
}

/* ---- reading ---- */

static bool read_decimal(struct json *j, double *out)
{
    char *end;
    const char *at = json_peek(j);
    *out = strtod(at, &end);
    j->at = end;
    return end > at || json_fail(j, at, "expected a number");
}

static bool read_verdict(struct json *j, struct drive_verdict *v)
{
    char key[JSON_NAME], word[JSON_NAME];
    bool first = true;
    enum json_next next;
    if (!json_expect(j, '{'))
        return false;
    for (; (next = json_next(j, '}', first)) == JSON_ITEM; first = false) {
        bool fine = json_name(j, key, "a key") && json_expect(j, ':');
        if (fine && strcmp(key, "model") == 0) {
            fine = json_text(j, v->model, sizeof v->model, "a model");
        } else if (fine && strcmp(key, "pattern") == 0) {
            fine = json_text(j, v->pattern, sizeof v->pattern, "a pattern");
        } else if (fine && strcmp(key, "seconds") == 0) {
            fine = read_decimal(j, &v->seconds);
        } else if (fine && strcmp(key, "verdict") == 0) {
            fine = json_name(j, word, "a verdict");
            for (size_t i = 0; fine && i < sizeof findings / sizeof *findings; i++)
                if (strcmp(findings[i], word) == 0)
                    v->finding = (enum drive_finding)i;
        } else {
            fine = fine && json_skip(j);
        }
        if (!fine)
            return false;
    }
    return next == JSON_END;
}

static bool read_verdicts(struct json *j, struct drive_record *r)
{
    enum json_next next;
    if (!json_expect(j, '['))
        return false;
    for (bool first = true; (next = json_next(j, ']', first)) == JSON_ITEM; first = false) {
        if (r->verdict_count == DRIVE_MOST_MODELS)
            return json_fail(j, j->at, "too many models");
        if (!read_verdict(j, &r->verdicts[r->verdict_count++]))
            return false;
    }
    return next == JSON_END;
}

static bool read_bool(struct json *j, bool *out)
{
    *out = *json_peek(j) == 't';
    return json_skip(j);
}

static bool read_examples(struct json *j, struct drive_durability *d)
{
    enum json_next next;
    if (!json_expect(j, '['))
        return false;
    for (bool first = true; (next = json_next(j, ']', first)) == JSON_ITEM; first = false) {
        if (d->example_count == DURABILITY_EXAMPLES)
            return json_fail(j, j->at, "too many examples");
        if (!json_text(j, d->examples[d->example_count++], DURABILITY_TEXT, "an example"))
            return false;
    }
    return next == JSON_END;
}

static bool read_count(struct json *j, uint64_t *out)
{
    double value;
    if (!read_decimal(j, &value))
        return false;
    if (!(value >= 0 && value < 1e18))
        return json_fail(j, j->at, "expected a count");
    *out = (uint64_t)value;
    return true;
}

static bool read_durability(struct json *j, struct drive_durability *d)
{
    static const char *const names[] = {"acknowledged", "lost", "duplicated", "unexpected", "not_read"};
    uint64_t *const places[] = {&d->acknowledged, &d->lost, &d->duplicated, &d->unexpected, &d->missed};
    char key[JSON_NAME];
    enum json_next next;
    *d = (struct drive_durability){.judged = true};
    if (!json_expect(j, '{'))
        return false;
    for (bool first = true; (next = json_next(j, '}', first)) == JSON_ITEM; first = false) {
        if (!json_name(j, key, "a key") || !json_expect(j, ':'))
            return false;
        size_t i = 0;
        while (i < sizeof names / sizeof *names && strcmp(names[i], key) != 0)
            i++;
        bool fine = i < sizeof names / sizeof *names ? read_count(j, places[i])
                    : strcmp(key, "agreed") == 0     ? read_bool(j, &d->agreed)
                    : strcmp(key, "examples") == 0   ? read_examples(j, d)
                                                     : json_skip(j);
        if (!fine)
            return false;
    }
    return next == JSON_END;
}

static bool read_record(struct json *j, struct drive_record *r)
{
    static const char *const names[] = {"history", "seed",  "committed",       "aborted",  "unknown",
                                        "reads",   "stale", "versions_behind", "ns_behind"};
    struct drive_staleness *b = &r->staleness;
    uint64_t *const places[] = {&r->number,
                                &r->seed,
                                &r->tally.counts.committed,
                                &r->tally.counts.aborted,
                                &r->tally.counts.unknown,
                                &b->reads,
                                &b->stale,
                                &b->versions,
                                &b->ns};
    char key[JSON_NAME];
    enum json_next next;
    if (!json_expect(j, '{'))
        return false;
    for (bool first = true; (next = json_next(j, '}', first)) == JSON_ITEM; first = false) {
        if (!json_name(j, key, "a key") || !json_expect(j, ':'))
            return false;
        size_t i = 0;
        while (i < sizeof names / sizeof *names && strcmp(names[i], key) != 0)
            i++;
        bool fine = true;
        if (i < sizeof names / sizeof *names) {
            fine = read_count(j, places[i]);
        } else if (strcmp(key, "complete") == 0) {
            fine = read_bool(j, &r->tally.counts.complete);
        } else if (strcmp(key, "durability") == 0) {
            fine = read_durability(j, &r->tally.counts.durability);
        } else if (strcmp(key, "seconds") == 0) {
            fine = read_decimal(j, &r->tally.seconds);
        } else if (strcmp(key, "verdicts") == 0) {
            fine = read_verdicts(j, r);
        } else {
            r->kept = r->kept || strcmp(key, "file") == 0;
            fine = json_skip(j);
        }
        if (!fine)
            return false;
    }
    return next == JSON_END;
}

/* A last line without its end was cut off by a crash; a new one would be joined to it. */
static bool cut_torn_line(struct drive_journal *j, long long size, assay_error *e)
{
    return ftruncate(j->file, size) == 0 || fail(j, "mend", e);
}

static bool read_lines(struct drive_journal *j, FILE *from, const char *campaign,
                       void (*seen)(void *arg, const struct drive_record *r), void *arg, assay_error *e)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t n;
    uint64_t number = 0;
    long long whole = 0;
    bool fine = true;
    while (fine && (n = getline(&line, &room, from)) > 0 && line[n - 1] == '\n') {
        struct json json = {.start = line, .at = line, .error = e};
        struct drive_record *r = calloc(1, sizeof *r);
        whole += n;
        line[n - 1] = 0;
        if (number++ == 0) {
            fine = strcmp(line, campaign) == 0;
            if (!fine) {
                error_set(e, ASSAY_ERROR_INPUT, "this is the journal of a campaign with other settings");
                error_remedy(e, "name another folder, or use the same settings to go on with it");
            }
        } else {
            fine = r && read_record(&json, r) &&
                   ((r->number && !drive_journal_has(j, r->number) && note(j, r->number)) ||
                    json_fail(&json, line, "expected the number of another history"));
            if (fine)
                seen(arg, r);
        }
        free(r);
    }
    if (!fine)
        error_place(e, j->path, number, 0);
    free(line);
    j->begun = number == 0;
    return fine && cut_torn_line(j, whole, e) &&
           (number > 0 || (append(j, campaign, strlen(campaign), e) && append(j, "\n", 1, e)));
}

bool drive_journal_open(struct drive_journal *j, const char *folder, const char *campaign,
                        void (*seen)(void *arg, const struct drive_record *r), void *arg, assay_error *e)
{
    size_t size = strlen(folder) + sizeof file_name;
    *j = (struct drive_journal){.file = -1, .path = malloc(size)};
    if (!j->path) {
        error_from_escape(e, ESCAPE_OUT_OF_MEMORY);
        return false;
    }
    snprintf(j->path, size, "%s%s", folder, file_name);
    j->file = open(j->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (j->file >= 0 && flock(j->file, LOCK_EX | LOCK_NB) != 0) {
        error_set(e, ASSAY_ERROR_RESOURCE, "another assay drive is at work in this folder");
        error_place(e, j->path, 0, 0);
        error_remedy(e, "wait for it, or name another folder");
        drive_journal_close(j);
        return false;
    }
    FILE *from = j->file < 0 ? NULL : fopen(j->path, "r");
    bool fine = from ? read_lines(j, from, campaign, seen, arg, e) : fail(j, "open", e);
    if (from)
        fclose(from);
    if (!fine)
        drive_journal_close(j);
    return fine;
}

void drive_journal_discard(struct drive_journal *j)
{
    if (j->begun && j->path)
        unlink(j->path);
    drive_journal_close(j);
}

void drive_journal_close(struct drive_journal *j)
{
    if (j->file >= 0)
        close(j->file);
    free(j->path);
    free(j->has);
    *j = (struct drive_journal){.file = -1};
}
