/* SPDX-License-Identifier: Apache-2.0 */
#include "cross/oracle_transactions/forge.h"

#include "cross/oracle_transactions/compare.h"
#include "cross/oracle_transactions/finding.h"
#include "cross/oracle_transactions/random.h"
#include "cross/oracle_transactions/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void replace(char **line, size_t at, size_t length, const char *by)
{
    struct text t = {0};
    say(&t, "%.*s%s%s", (int)at, *line, by, *line + at + length);
    free(*line);
    *line = t.bytes;
}

static size_t body(const char *line)
{
    const char *p = strstr(line, "\"verdict\"");
    return p ? (size_t)(p - line) : 0;
}

/* A number of the body; false: there is none */
static bool any_number(const char *line, size_t *at, size_t *length)
{
    int seen = 0;
    for (size_t i = body(line) + 1; line[i]; i++)
        if (line[i] >= '0' && line[i] <= '9' && strchr("[,:", line[i - 1]) && below(++seen) == 0)
            *at = i;
    if (seen)
        *length = strspn(line + *at, "0123456789");
    return seen > 0;
}

static void forge_number(char **line, int ops)
{
    size_t at, length;
    char by[16] = "\"initial\"";
    if (!any_number(*line, &at, &length))
        return;
    if (chance(95))
        snprintf(by, sizeof by, "%d", below(ops));
    replace(line, at, length, by);
}

static void forge_swap(char **line)
{
    size_t a, b, length_a, length_b;
    char first[16], second[16];
    if (!any_number(*line, &a, &length_a) || !any_number(*line, &b, &length_b) || a == b)
        return;
    if (a > b) {
        size_t t = a;
        a = b;
        b = t;
        t = length_a;
        length_a = length_b;
        length_b = t;
    }
    snprintf(first, sizeof first, "%.*s", (int)length_a, *line + a);
    snprintf(second, sizeof second, "%.*s", (int)length_b, *line + b);
    replace(line, b, length_b, first);
    replace(line, a, length_a, second);
}

/* An element of a list, or a field of an object, goes or is there twice. */
static void forge_element(char **line, bool twice)
{
    size_t size = strlen(*line), at = 0, end;
    int seen = 0, depth = 0;
    for (size_t i = body(*line); i < size; i++)
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
        char *copy = strndup(*line + at, end - at);
        struct text t = {0};
        say(&t, "%s,", copy);
        replace(line, at, 0, t.bytes);
        free(copy);
        free(t.bytes);
    } else {
        bool comma = (*line)[end] == ',';
        size_t from = comma ? at : (*line)[at - 1] == ',' ? at - 1 : at;
        replace(line, from, end + comma - from, "");
    }
}

/* The word behind one of the places where `before` stands */
static void forge_word(char **line, const char *before, const char *const *words, int count)
{
    size_t at = 0;
    int seen = 0;
    for (const char *p = *line; (p = strstr(p, before)); p++)
        if (below(++seen) == 0)
            at = (size_t)(p - *line) + strlen(before);
    if (seen)
        replace(line, at, strcspn(*line + at, "\""), words[below(count)]);
}

static void forge_once(char **line, int ops)
{
    static const char *const rules[] = {"po", "rt", "wr", "rw", "cf", "ww", "vo", "case"};
    static const char *const patterns[] = {"ThinAirRead",      "AbortedRead",       "IntermediateRead",  "FutureRead",
                                           "InternalRead",     "IncompatibleOrder", "NonRepeatableRead", "DirtyWrite",
                                           "CircularRead",     "FracturedRead",     "StaleRead-session", "LostUpdate",
                                           "NonMonotonicRead", "WriteSkew",         "NoVersionOrder",    "LongFork"};
    static const char *const verdicts[] = {"consistent", "violation"};
    switch (below(9)) {
    case 0:
    case 1: forge_number(line, ops); break;
    case 2: forge_swap(line); break;
    case 3: forge_element(line, false); break;
    case 4: forge_element(line, true); break;
    case 5: forge_word(line, "[\"", rules, 8); break;
    case 6: forge_word(line, "\"pattern\":\"", patterns, 16); break;
    case 7: forge_word(line, "\"rule\":\"", rules, 8); break;
    default: forge_word(line, "\"verdict\":\"", verdicts, 2); break;
    }
}

static int claimed(const char *line)
{
    for (int m = 0; m < MODELS; m++) {
        char field[32];
        snprintf(field, sizeof field, "\"model\":\"%s\"", model_names[m]);
        if (strstr(line, field))
            return m;
    }
    return -1;
}

static void try_forged(const assay_history *a, const char *text, const char *line, const bool ok[MODELS])
{
    assay_error e;
    counts.forged++;
    if (!recheck(a, line, &e)) {
        if (e.code != ASSAY_ERROR_REFUSED && e.code != ASSAY_ERROR_INPUT && e.code != ASSAY_ERROR_USAGE &&
            e.code != ASSAY_ERROR_NOT_APPLICABLE)
            finding(text, "recheck: error %d: %s\n%s", e.code, e.message, line);
        return;
    }
    counts.forged_accepted++;
    int m = claimed(line);
    bool consistent = strstr(line, "\"verdict\":\"consistent\"") != NULL;
    if (m < 0 || consistent != ok[m])
        finding(text, "recheck accepts a proof of what is false:\n%s", line);
}

static void change_model(char **line, int m)
{
    forge_word(line, "\"model\":\"", &model_names[m], 1);
}

void forge_proofs(const assay_history *a, const char *text, char *const lines[MODELS], const bool ok[MODELS],
                  int rounds)
{
    int ops = (int)assay_history_size(a);
    for (int m = 0; m < MODELS; m++)
        for (int k = 0; lines[m] && k < rounds; k++) {
            char *line = strdup(lines[m]);
            int other = below(MODELS);
            if (chance(50) || ok[other] != ok[m])
                change_model(&line, other);
            for (int i = below(4); i > 0; i--)
                forge_once(&line, ops);
            try_forged(a, text, line, ok);
            free(line);
        }
}

void transplant_proofs(const assay_history *a, const char *text, char *const lines[MODELS], const bool ok[MODELS])
{
    char digest[17];
    assay_history_digest(a, digest);
    for (int m = 0; m < MODELS; m++) {
        assay_error e;
        if (!lines[m])
            continue;
        char *line = strdup(lines[m]), *at = strstr(line, "\"history\":\"");
        if (!at)
            abort();
        counts.forged++;
        if (strncmp(at + 11, digest, 16) != 0 && recheck(a, line, &e))
            finding(text, "recheck accepts a proof about another history:\n%s", line);
        replace(&line, (size_t)(at + 11 - line), 16, digest);
        try_forged(a, text, line, ok);
        free(line);
    }
}
