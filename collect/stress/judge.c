/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/stress/judge.h"

#include "base/budget.h"
#include "base/error.h"
#include "collect/stress/wait.h"

#include <stdlib.h>
#include <string.h>

/* ---- one history ---- */

static void add_text(struct distinct_runs *l, const char *text, struct mem *m)
{
    size_t length = strlen(text), words = length / sizeof *l->row.at + 1;
    vec_push(m, &l->row, length);
    vec_reserve(m, &l->row, words);
    memset(l->row.at + l->row.n, 0, words * sizeof *l->row.at);
    memcpy(l->row.at + l->row.n, text, length);
    l->row.n += (uint32_t)words;
}

static void add_value(struct distinct_runs *l, const assay_tape *t, unsigned char kind, assay_record_value v,
                      struct mem *m)
{
    vec_push(m, &l->row, kind);
    if (kind == ASSAY_RECORD_INT)
        vec_push(m, &l->row, (uint64_t)v.number);
    if (kind == ASSAY_RECORD_LIST) {
        vec_push(m, &l->row, v.list.length);
        for (uint32_t i = 0; i < v.list.length; i++)
            vec_push(m, &l->row, (uint64_t)t->numbers[v.list.at + i]);
    }
    if (kind == ASSAY_RECORD_WORD)
        add_text(l, v.word, m);
}

static void add_call(struct distinct_runs *l, const assay_recorder *r, unsigned t, const assay_record_entry *e,
                     struct mem *m)
{
    const uint32_t *seen = assay_record_seen(e);
    add_text(l, e->method, m);
    add_value(l, r->tapes[t], e->result_kind, e->result, m);
    for (unsigned other = 0; other < r->threads; other++)
        vec_push(m, &l->row, other == t ? 0 : seen[other]);
}

bool judge_is_new(struct distinct_runs *l, const assay_recorder *r, struct mem *m)
{
    vec_clear(&l->row);
    for (unsigned t = 0; t < r->threads; t++) {
        int pending;
        uint32_t n = assay_record_size(r, t, &pending);
        vec_push(m, &l->row, 2 * (uint64_t)n + (pending != 0));
        for (uint32_t i = 0; i < n; i++)
            add_call(l, r, t, assay_record_at(r, t, i), m);
    }
    return rows_add(&l->all, m, l->row.at, l->row.n * sizeof *l->row.at);
}

/* The call of another thread that would be the first not to have returned before, by the counter of that thread. */
static bool overlaps(const assay_recorder *r, unsigned t, uint32_t i, unsigned other)
{
    int pending;
    uint32_t next = assay_record_seen(assay_record_at(r, t, i))[other];
    return next < assay_record_size(r, other, &pending) && assay_record_seen(assay_record_at(r, other, next))[t] <= i;
}

bool judge_overlaps(const assay_recorder *r)
{
    for (unsigned t = 0; t < r->threads; t++) {
        int pending;
        uint32_t n = assay_record_size(r, t, &pending);
        for (uint32_t i = 0; i < n; i++)
            for (unsigned other = 0; other < r->threads; other++)
                if (other != t && overlaps(r, t, i, other))
                    return true;
    }
    return false;
}

void judge_write_headers(const assay_adapter *a, FILE *to)
{
    fprintf(to, "# @object %s\n", a->object);
    if (a->initial)
        fprintf(to, "# @init %s\n", a->initial);
}

char *judge_text(const assay_adapter *a, const assay_recorder *r, size_t *length)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    if (!out)
        return NULL;
    judge_write_headers(a, out);
    assay_record_write(r, NULL, out);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

static const char recorded[] = "what was recorded";

assay_history *judge_read(const char *text, size_t length, assay_error *e)
{
    assay_reader *reader = assay_reader_open_memory(recorded, text, length, "hist", e);
    assay_history *h = reader ? assay_reader_next(reader, e) : NULL;
    assay_reader_close(reader);
    return h;
}

/* The library's own object, whose engines are quick and whose explanations are better, would accept an answer instead
 * of which the call should have waited. */
const assay_options *judge_options(const struct stress_settings *s, const assay_history *h, assay_options *room)
{
    if (!s->blocking || !wait_is_refused(s->words, h))
        return &s->check;
    *room = s->check;
    room->spec = s->blocking;
    return room;
}

assay_result *judge_check(const struct stress_settings *s, const char *text, size_t length, assay_history **h,
                          assay_error *e)
{
    *h = judge_read(text, length, e);
    assay_options room;
    assay_result *r = *h ? assay_check(*h, s->model, judge_options(s, *h, &room), e) : NULL;
    if (!r) {
        assay_history_free(*h);
        *h = NULL;
    }
    return r;
}

/* A line of the record is nothing that the user has seen: the call in it is. */
static void name_call(assay_error *e, const struct stress_settings *s, const char *text, size_t length)
{
    const char *from = text, *last = text + length;
    for (uint64_t line = 1; line < e->line && from < last; line++) {
        const char *end = memchr(from, '\n', (size_t)(last - from));
        from = end ? end + 1 : last;
    }
    if (strcmp(e->file, recorded) != 0 || !e->line || from == last)
        return;
    assay_error why = *e;
    const char *clock = strstr(from, " @ after"), *end = memchr(from, '\n', (size_t)(last - from));
    end = clock && (!end || clock < end) ? clock : end ? end : last;
    *e = (assay_error){0};
    error_set(e, why.code, "%s: the call `%.*s` cannot be checked: %.200s", s->adapter->name,
              (int)(end - from < 160 ? end - from : 160), from, why.message);
    error_remedy(e, "%s", why.remedy);
}

/* ---- all histories ---- */

static void find(struct judge *j, const char *pattern, uint64_t program, const char *text, size_t length)
{
    j->violations++;
    j->last_violation = program;
    if (j->found.text)
        return;
    char *copy = malloc(length + 1);
    if (!copy) {
        error_set(&j->error, ASSAY_ERROR_RESOURCE, "out of memory");
        return;
    }
    memcpy(copy, text, length);
    copy[length] = 0;
    j->found = (struct finding){copy, length, pattern, program, budget_now()};
}

/* A violation is reported only if recheck confirms it. False, with an error: it does not, which is a fault of the
 * specification or of assay. */
static bool is_confirmed(const struct stress_settings *s, const assay_history *h, const assay_result *r, assay_error *e)
{
    char *line = NULL;
    size_t length = 0;
    bool searched;
    assay_error why = {0};
    assay_options room;
    FILE *out = open_memstream(&line, &length);
    bool proved = out && assay_result_write_evidence(r, 0, out);
    bool written = out && fclose(out) == 0;
    bool refused = proved && written &&
                   !assay_recheck_with(h, line, judge_options(s, h, &room), NULL, &searched, &why) &&
                   why.code == ASSAY_ERROR_REFUSED;
    free(line);
    if (refused) {
        error_set(e, ASSAY_ERROR_INTERNAL, "a violation of %s that recheck refuses: %.300s", assay_result_model(r),
                  why.message);
        error_remedy(e, s->check.spec
                            ? "`assay list --test-spec` tries the specification; else this is a fault of assay"
                            : "this is a fault of assay");
    }
    return !refused;
}

void judge_see(struct judge *j, uint64_t program, const char *text, size_t length)
{
    const struct stress_settings *s = j->settings;
    assay_history *h;
    j->distinct++;
    if (s->keep && !j->lost)
        j->lost = !s->keep(s->context, program, text, length);
    assay_result *r = judge_check(s, text, length, &h, &j->error);
    if (!r)
        name_call(&j->error, s, text, length);
    if (r && assay_result_verdict(r) == ASSAY_UNDECIDED)
        j->undecided++;
    else if (r && assay_result_verdict(r) == ASSAY_VIOLATION && is_confirmed(s, h, r, &j->error))
        find(j, assay_result_pattern(r), program, text, length);
    assay_result_free(r);
    assay_history_free(h);
}

bool judge_wants_more(const struct judge *j)
{
    return (j->settings->keep_going || !j->found.text) && j->error.code == ASSAY_OK && !j->lost;
}
