/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/forge.h"

#include "oracle/compare.h"
#include "oracle/finding.h"
#include "support/chance.h"
#include "support/say.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void forge_replace(char **line, size_t at, size_t length, const char *by)
{
    struct text t = {0};
    say(&t, "%.*s%s%s", (int)at, *line, by, *line + at + length);
    free(*line);
    *line = t.bytes;
}

size_t forge_body(const char *line)
{
    const char *p = strstr(line, "\"verdict\"");
    return p ? (size_t)(p - line) : 0;
}

/* ---- numbers ---- */

/* The k-th place of the proof where a number begins; its length in *length. 0: there is none. */
static size_t number_at(const char *line, int k, size_t *length)
{
    for (size_t i = forge_body(line) + 1; line[i]; i++)
        if (line[i] >= '0' && line[i] <= '9' && strchr("[,:", line[i - 1]) && k-- == 0) {
            *length = strspn(line + i, "0123456789");
            return i;
        }
    *length = 0;
    return 0;
}

static int count_numbers(const char *line)
{
    size_t length;
    int k = 0;
    while (number_at(line, k, &length))
        k++;
    return k;
}

void forge_number(char **line, int most, const char *word)
{
    size_t length;
    int n = count_numbers(*line);
    char by[16];
    if (!n)
        return;
    size_t at = number_at(*line, below(n), &length);
    snprintf(by, sizeof by, "%d", below(most + 1));
    forge_replace(line, at, length, word && chance(5) ? word : by);
}

void forge_swap(char **line)
{
    size_t length_a, length_b;
    int n = count_numbers(*line);
    if (n < 2)
        return;
    int k = below(n - 1);
    int other = chance(60) ? k + 1 : k + 1 + below(n - 1 - k);
    size_t a = number_at(*line, k, &length_a), b = number_at(*line, other, &length_b);
    char first[32], second[32];
    snprintf(first, sizeof first, "%.*s", (int)length_a, *line + a);
    snprintf(second, sizeof second, "%.*s", (int)length_b, *line + b);
    forge_replace(line, b, length_b, first);
    forge_replace(line, a, length_a, second);
}

/* ---- elements and words ---- */

void forge_element(char **line, bool twice)
{
    size_t size = strlen(*line), at = 0, end;
    int seen = 0, depth = 0;
    for (size_t i = forge_body(*line); i < size; i++)
        if (strchr("[,", (*line)[i]) && below(++seen) == 0)
            at = i + 1;
    if (!seen)
        return;
    for (end = at; end < size; end++) {
        char c = (*line)[end];
        if (depth == 0 && strchr(",]}", c))
            break;
        depth += c == '[' || c == '{';
        depth -= c == ']' || c == '}';
    }
    if (twice) {
        struct text t = {0};
        say(&t, "%.*s,", (int)(end - at), *line + at);
        forge_replace(line, at, 0, t.bytes);
        free(t.bytes);
    } else {
        bool comma = (*line)[end] == ',';
        size_t from = comma ? at : (*line)[at - 1] == ',' ? at - 1 : at;
        forge_replace(line, from, end + comma - from, "");
    }
}

void forge_word(char **line, const char *before, const char *const *words, int count)
{
    size_t at = 0;
    int seen = 0;
    for (const char *p = *line; (p = strstr(p, before)); p++)
        if (below(++seen) == 0)
            at = (size_t)(p - *line) + strlen(before);
    if (seen)
        forge_replace(line, at, strcspn(*line + at, "\""), words[below(count)]);
}

void forge_verdict(char **line)
{
    static const char *const verdicts[] = {"consistent", "violation"};
    forge_word(line, "\"verdict\":\"", verdicts, 2);
}

void forge_history(char **line, const assay_history *a)
{
    char digest[17];
    const char *words[] = {digest};
    if (!strstr(*line, "\"history\":\""))
        abort();
    assay_history_digest(a, digest);
    forge_word(line, "\"history\":\"", words, 1);
}

/* Which of these models the line is about, or -1. */
static int claimed(const char *line, const char *const *models, int count, bool *consistent)
{
    *consistent = strstr(line, "\"verdict\":\"consistent\"") != NULL;
    for (int m = 0; m < count; m++) {
        char field[32];
        snprintf(field, sizeof field, "\"model\":\"%s\"", models[m]);
        if (strstr(line, field))
            return m;
    }
    return -1;
}

/* ---- proofs of what is false ---- */

void must_refuse(const assay_history *h, const char *line, const char *text)
{
    assay_error e;
    compared.forged++;
    if (recheck(h, line, &e))
        finding(text, "recheck accepts a forged line:\n%s", line);
    else if (e.code != ASSAY_ERROR_REFUSED && e.code != ASSAY_ERROR_LIMIT)
        finding(text, "recheck cannot read a line (%s):\n%s", e.message, line);
}

void try_forged(const struct truth *t, const char *line)
{
    assay_error e;
    bool consistent;
    compared.forged++;
    if (!recheck(t->history, line, &e)) {
        if (e.code != ASSAY_ERROR_REFUSED && e.code != ASSAY_ERROR_INPUT && e.code != ASSAY_ERROR_USAGE &&
            e.code != ASSAY_ERROR_NOT_APPLICABLE && e.code != ASSAY_ERROR_LIMIT)
            finding(t->text, "recheck: error %d: %s\n%s", e.code, e.message, line);
        return;
    }
    compared.forged_accepted++;
    int m = claimed(line, t->models, t->count, &consistent);
    if (m < 0 || consistent != t->ok[m])
        finding(t->text, "recheck accepts a proof of what is false:\n%s", line);
}

void forge_model(char **line, const struct truth *t, int m)
{
    forge_word(line, "\"model\":\"", &t->models[m], 1);
}

void transplant_proofs(const struct truth *t, char *const *lines)
{
    char digest[17], own[32];
    assay_history_digest(t->history, digest);
    snprintf(own, sizeof own, "\"history\":\"%s\"", digest);
    for (int m = 0; m < t->count; m++) {
        assay_error e;
        if (!lines[m])
            continue;
        compared.forged++;
        if (!strstr(lines[m], own) && recheck(t->history, lines[m], &e))
            finding(t->text, "recheck accepts a proof about another history:\n%s", lines[m]);
        char *line = need(strdup(lines[m]));
        forge_history(&line, t->history);
        try_forged(t, line);
        free(line);
    }
}

void forge_proofs(const struct truth *t, char *const *lines, int rounds, forge_once *once)
{
    int ops = (int)assay_history_size(t->history);
    for (int m = 0; m < t->count; m++)
        for (int k = 0; lines[m] && k < rounds; k++) {
            char *line = need(strdup(lines[m]));
            int other = below(t->count);
            forge_history(&line, t->history);
            if (chance(40) || t->ok[other] != t->ok[m])
                forge_model(&line, t, other);
            for (int i = below(4); i > 0; i--)
                once(&line, ops);
            try_forged(t, line);
            free(line);
        }
}
