/* SPDX-License-Identifier: Apache-2.0 */
#include "cross/transactions/forge.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PLACES = 1024, ROUNDS = 60, MOST_NUMBER = 8 };

static const char *const rules[] = {"po", "rt", "wr", "ww", "rw", "cf", "vo", "case"};
static const char *const models[] = {"rc",       "ra",        "tcc",       "pc",        "psi",       "si",
                                     "ser",      "rc-plain",  "ra-strict", "tcc-plain", "pc-strict", "psi-plain",
                                     "si-plain", "si-strict", "ser-plain", "ser-strict"};
static const char *const patterns[] = {"NoVersionOrder",    "DirtyWrite", "LostUpdate",  "NonRepeatableRead",
                                       "IncompatibleOrder", "FutureRead", "AbortedRead", "WriteSkew"};

static const char *const cycles[] = {"DirtyWrite",         "CircularRead",       "NonMonotonicRead", "FracturedRead",
                                     "StaleRead",          "CausalityViolation", "LostUpdate",       "LongFork",
                                     "ConcurrentWrites",   "ReadSkew",           "WriteSkew",        "ReadOnlyAnomaly",
                                     "AntiDependencyCycle"};

struct place { /* of a number or a name in the line */
    size_t at, length;
    bool name;
};

static size_t find_places(const char *line, struct place *out)
{
    size_t n = 0;
    for (size_t at = 0; line[at] && n < MOST_PLACES; at++) {
        if (line[at] == '"') {
            size_t length = strcspn(line + at + 1, "\"");
            if (line[at + length + 2] != ':') /* a key is left alone */
                out[n++] = (struct place){at + 1, length, true};
            at += length + 1;
        } else if (isdigit((unsigned char)line[at])) {
            size_t length = strspn(line + at, "0123456789");
            out[n++] = (struct place){at, length, false};
            at += length - 1;
        }
    }
    return n;
}

static bool is_one_of(const char *const *names, size_t n, const char *at, size_t length)
{
    for (size_t i = 0; i < n; i++)
        if (strlen(names[i]) == length && strncmp(names[i], at, length) == 0)
            return true;
    return false;
}

#define COUNT(names) (sizeof(names) / sizeof *(names))

static const char *other_name(const char *at, size_t length, struct rng *rng)
{
    if (is_one_of(rules, COUNT(rules), at, length))
        return rules[rng_below(rng, COUNT(rules))];
    if (is_one_of(models, COUNT(models), at, length))
        return models[rng_below(rng, COUNT(models))];
    if (isupper((unsigned char)*at))
        return patterns[rng_below(rng, COUNT(patterns))];
    return NULL;
}

/* The line with a few places changed, those with change[i] set. */
static char *rewrite(const char *line, const struct place *places, size_t n, const bool *change, struct rng *rng)
{
    char *text = NULL;
    size_t size, from = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        abort();
    for (size_t i = 0; i < n; i++) {
        const struct place *p = &places[i];
        const char *name = change[i] && p->name ? other_name(line + p->at, p->length, rng) : NULL;
        if (!change[i] || (p->name && !name))
            continue;
        fwrite(line + from, 1, p->at - from, out);
        if (name)
            fputs(name, out);
        else
            fprintf(out, "%u", rng_below(rng, MOST_NUMBER));
        from = p->at + p->length;
    }
    fputs(line + from, out);
    if (fclose(out) != 0)
        abort();
    return text;
}

static const char pattern_field[] = "\"pattern\":\"";

char *forge_name(const char *line, size_t i)
{
    const char *at = strstr(line, pattern_field);
    size_t length = at ? strcspn(at + strlen(pattern_field), "\"") : 0;
    char *text = NULL;
    size_t size;
    if (!at || !is_one_of(cycles, COUNT(cycles), at + strlen(pattern_field), length) || i >= COUNT(cycles))
        return NULL;
    at += strlen(pattern_field);
    FILE *out = open_memstream(&text, &size);
    if (!out)
        abort();
    fprintf(out, "%.*s%s%s", (int)(at - line), line, cycles[i], at + length);
    if (fclose(out) != 0)
        abort();
    return text;
}

void forge(const char *line, struct rng *rng, void (*each)(void *arg, const char *forged), void *arg)
{
    struct place places[MOST_PLACES];
    size_t n = find_places(line, places);
    for (uint32_t round = 0; n && round < ROUNDS; round++) {
        bool change[MOST_PLACES] = {0};
        for (uint32_t i = 0; i <= round % 4; i++)
            change[rng_below(rng, (uint32_t)n)] = true;
        char *forged = rewrite(line, places, n, change, rng);
        if (strcmp(forged, line) != 0)
            each(arg, forged);
        free(forged);
    }
}
