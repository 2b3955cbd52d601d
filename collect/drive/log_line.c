/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/drive/log_line.h"

#include "collect/drive/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SESSIONS = 1 << 16, MOST_NODES = 1 << 16 };

static bool mark(char **at, char expected)
{
    if (**at != expected)
        return false;
    ++*at;
    return true;
}

static bool number(char **at, int64_t *out)
{
    char *end;
    if (**at != '-' && (**at < '0' || **at > '9'))
        return false;
    errno = 0;
    *out = strtoll(*at, &end, 10);
    bool fine = errno == 0 && end > *at;
    *at = end;
    return fine;
}

/* A number from 0 to below `most`, behind a mark. */
static bool natural(char **at, char before, int64_t most, unsigned *out)
{
    int64_t n;
    if (!mark(at, before) || !number(at, &n) || n < 0 || n >= most)
        return false;
    *out = (unsigned)n;
    return true;
}

static bool parse_time(char **at, struct log_line *l)
{
    return mark(at, ' ') && number(at, &l->time) && l->time >= 0;
}

/* ---- calls and answers ---- */

static bool parse_key(char **at, unsigned keys, uint64_t *key)
{
    int64_t n;
    if (!number(at, &n) || n < 0 || n >= keys)
        return false;
    *key = (uint64_t)n;
    return true;
}

static bool parse_access(char **at, const struct workload *w, unsigned keys, assay_access *a)
{
    static const char letters[] = DRIVE_LOG_LETTERS;
    const char *letter = **at ? strchr(letters, **at) : NULL;
    if (!letter)
        return false;
    ++*at;
    a->action = (assay_action)(letter - letters);
    a->found = false;
    a->count = 0;
    if (a->action != w->reads && a->action != w->changes)
        return false;
    if (!parse_key(at, keys, &a->key))
        return false;
    if (a->action == ASSAY_ACTION_TRANSFER && (!mark(at, '>') || !parse_key(at, keys, &a->to)))
        return false;
    bool reads = a->action == w->reads;
    return reads || (mark(at, '=') && number(at, &a->value));
}

static const char *parse_call(char *at, const struct workload *w, unsigned keys, assay_access *accesses, size_t *n)
{
    *n = 0;
    while (*at)
        if (*n == WORKLOAD_MOST_ACCESSES || !mark(&at, ' ') || !parse_access(&at, w, keys, &accesses[(*n)++]))
            return "an access of the workload";
    return *n ? NULL : "an access";
}

static bool parse_list(char **at, assay_access *a)
{
    int64_t element;
    while (!mark(at, ']'))
        if ((a->count && !mark(at, ',')) || !number(at, &element) || !assay_access_push(a, element))
            return false;
    return true;
}

static bool parse_answer(char **at, assay_access *a)
{
    if (mark(at, '['))
        return parse_list(at, a);
    if (**at == '-' && ((*at)[1] == ' ' || !(*at)[1])) /* none; else a negative number */
        return mark(at, '-');
    a->found = number(at, &a->answer);
    bool fine = a->found;
    if (a->action == ASSAY_ACTION_TRANSFER)
        a->found = a->answer != 0;
    return fine;
}

const char *log_line_answers(const struct log_line *l, assay_access *accesses, size_t n)
{
    char *at = l->answers;
    for (size_t i = 0; i < n; i++)
        if (!mark(&at, ' ') || !parse_answer(&at, &accesses[i]))
            return "an answer for each access";
    return *at ? "the end of the line" : NULL;
}

/* ---- lines ---- */

static const char *parse_fault(char *at, struct log_line *l)
{
    char *state = strrchr(at, ' ');
    if (!mark(&at, ' ') || !state || state < at)
        return "`f TIME NAME on|off`";
    *state++ = 0;
    l->text = at;
    l->on = strcmp(state, "on") == 0;
    return l->on || strcmp(state, "off") == 0 ? NULL : "on or off";
}

static const char *parse_settled(char *at, struct log_line *l)
{
    l->on = strcmp(at, " agreed") == 0;
    return l->on || strcmp(at, " differ") == 0 ? NULL : "agreed or differ";
}

const char *log_line_parse(char *line, const struct workload *w, unsigned keys, struct log_line *out,
                           assay_access *accesses, size_t *n)
{
    char *at = line;
    *out = (struct log_line){.kind = *at};
    if (mark(&at, '@')) {
        out->text = at;
        return NULL;
    }
    if (!*at || !strchr("ncoaufrmse", *at++))
        return "a record";
    if (strchr("frse", out->kind)) {
        if (!parse_time(&at, out))
            return "a time";
        return out->kind == 'f'   ? parse_fault(at, out)
               : out->kind == 's' ? parse_settled(at, out)
               : *at              ? "the end of the line"
                                  : NULL;
    }
    if (out->kind == 'm') {
        if (!natural(&at, ' ', MOST_NODES, &out->node) || !parse_time(&at, out))
            return "`m NODE TIME MESSAGE`";
        out->text = *at ? at + 1 : at;
        return NULL;
    }
    if (!natural(&at, ' ', MOST_SESSIONS, &out->session) || !parse_time(&at, out))
        return "a session and a time";
    switch (out->kind) {
    case 'n': return natural(&at, ' ', MOST_NODES, &out->node) && !*at ? NULL : "`n SESSION TIME NODE`";
    case 'c': return parse_call(at, w, keys, accesses, n);
    case 'o': out->answers = at; return NULL;
    default: out->text = *at ? at + 1 : at; return NULL;
    }
}
