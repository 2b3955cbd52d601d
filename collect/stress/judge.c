/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/stress/judge.h"

#include "base/budget.h"
#include "base/error.h"

#include <stdlib.h>
#include <string.h>

/* ---- one history ---- */

static void add_value(struct distinct_runs *l, unsigned char kind, assay_record_value v, struct mem *m)
{
    vec_push(m, &l->row, kind);
    if (kind == ASSAY_RECORD_INT)
        vec_push(m, &l->row, (uint64_t)v.number);
    if (kind != ASSAY_RECORD_WORD)
        return;
    size_t length = strlen(v.word), words = length / sizeof *l->row.at + 1;
    vec_push(m, &l->row, length);
    vec_reserve(m, &l->row, words);
    memset(l->row.at + l->row.n, 0, words * sizeof *l->row.at);
    memcpy(l->row.at + l->row.n, v.word, length);
    l->row.n += (uint32_t)words;
}

static void add_call(struct distinct_runs *l, const assay_recorder *r, unsigned t, const assay_record_entry *e,
                     struct mem *m)
{
    const uint32_t *seen = assay_record_seen(e);
    /* A method is known by its address: the name is the specification's. */
    vec_push(m, &l->row, (uintptr_t)e->method);
    add_value(l, e->result_kind, e->result, m);
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

char *judge_text(const assay_adapter *a, const assay_recorder *r, size_t *length)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, length);
    if (!out)
        return NULL;
    assay_record_write(r, a->object, out);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}

assay_history *judge_read(const char *text, size_t length, assay_error *e)
{
    assay_reader *reader = assay_reader_open_memory("what was recorded", text, length, "hist", e);
    assay_history *h = reader ? assay_reader_next(reader, e) : NULL;
    assay_reader_close(reader);
    return h;
}

assay_result *judge_check(const struct stress_settings *s, const char *text, size_t length, assay_history **h,
                          assay_error *e)
{
    *h = judge_read(text, length, e);
    assay_result *r = *h ? assay_check(*h, s->model, &s->check, e) : NULL;
    if (!r) {
        assay_history_free(*h);
        *h = NULL;
    }
    return r;
}

/* ---- all histories ---- */

static void find(struct judge *j, uint64_t program, const char *text, size_t length)
{
    j->violations++;
    if (j->found.text)
        return;
    char *copy = malloc(length + 1);
    if (!copy) {
        error_set(&j->error, ASSAY_ERROR_RESOURCE, "out of memory");
        return;
    }
    memcpy(copy, text, length);
    copy[length] = 0;
    j->found = (struct finding){copy, length, program, budget_now()};
}

void judge_see(struct judge *j, uint64_t program, const char *text, size_t length)
{
    const struct stress_settings *s = j->settings;
    assay_history *h;
    j->distinct++;
    if (s->keep && !j->lost)
        j->lost = !s->keep(s->context, program, text, length);
    assay_result *r = judge_check(s, text, length, &h, &j->error);
    if (r && assay_result_verdict(r) == ASSAY_UNDECIDED)
        j->undecided++;
    else if (r && assay_result_verdict(r) == ASSAY_VIOLATION)
        find(j, program, text, length);
    assay_result_free(r);
    assay_history_free(h);
}

bool judge_wants_more(const struct judge *j)
{
    return (j->settings->keep_going || !j->found.text) && j->error.code == ASSAY_OK && !j->lost;
}
