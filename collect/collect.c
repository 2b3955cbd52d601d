/* SPDX-License-Identifier: Apache-2.0 */
/* The table of collectors, their settings, and the two ways to run one: into text and into memory. */
#include "collect/collect.h"

#include "base/error.h"
#include "base/mem.h"
#include "base/registry.h"
#include "collect/sink.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define X(ident, name) extern const struct collector collector_##ident;
#include "collect/collect.def"
#undef X

const struct collector *const collector_table[] = {
#define X(ident, name) &collector_##ident,
#include "collect/collect.def"
#undef X
    NULL};

size_t collector_count(void)
{
    return registry_size(collector_table);
}

const struct collector *collector_find(const char *name)
{
    return collector_table[registry_find(collector_table, name)];
}

/* ---- settings ---- */

struct collect_settings collect_defaults(const struct collector *c)
{
    struct collect_settings s = {.seed = 1};
    for (size_t i = 0; c->parameters[i].name; i++) {
        s.values[i] = c->parameters[i].fallback;
        s.texts[i] = c->parameters[i].text;
    }
    return s;
}

static bool parse_word(const char *const *words, const char *text, uint64_t *out)
{
    for (size_t i = 0; words[i]; i++) {
        if (strcmp(words[i], text) == 0) {
            *out = i;
            return true;
        }
    }
    return false;
}

static bool parse_number(const struct collect_parameter *p, const char *text, uint64_t *out)
{
    char *end;
    errno = 0;
    unsigned long long n = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end || errno || n < p->least || n > p->most)
        return false;
    *out = n;
    return true;
}

bool collect_set(const struct collector *c, struct collect_settings *s, const char *name, const char *text)
{
    for (size_t i = 0; c->parameters[i].name; i++) {
        const struct collect_parameter *p = &c->parameters[i];
        if (strcmp(p->name, name) != 0)
            continue;
        if (p->flag)
            s->values[i] = 1;
        if (p->text)
            s->texts[i] = text;
        return p->flag || p->text ||
               (p->words ? parse_word(p->words, text, &s->values[i]) : parse_number(p, text, &s->values[i]));
    }
    return false;
}

const struct collect_parameter *collect_needed(const struct collector *c, const struct collect_settings *s, size_t i)
{
    const struct collect_parameter *p = &c->parameters[i], *other = c->parameters;
    if (!p->needs)
        return NULL;
    while (strcmp(other->name, p->needs) != 0)
        other++;
    uint64_t value = s->values[other - c->parameters];
    bool fits = p->needs_word ? strcmp(other->words[value], p->needs_word) == 0 : value != other->fallback;
    return fits ? NULL : other;
}

void collect_command(const struct collector *c, const struct collect_settings *s, char *out, size_t size)
{
    size_t n = (size_t)snprintf(out, size, "assay gen %s", c->name);
    for (size_t i = 0; c->parameters[i].name && n < size; i++) {
        const struct collect_parameter *p = &c->parameters[i];
        if (p->text ? strcmp(s->texts[i], p->text) == 0 : s->values[i] == p->fallback)
            continue;
        if (collect_needed(c, s, i))
            continue;
        if (p->text) /* semaphore(2) means something to a shell */
            n += (size_t)snprintf(out + n, size - n, strchr(s->texts[i], '(') ? " --%s '%s'" : " --%s %s", p->name,
                                  s->texts[i]);
        else if (p->flag)
            n += (size_t)snprintf(out + n, size - n, " --%s", p->name);
        else if (p->words)
            n += (size_t)snprintf(out + n, size - n, " --%s %s", p->name, p->words[s->values[i]]);
        else
            n += (size_t)snprintf(out + n, size - n, " --%s %llu", p->name, (unsigned long long)s->values[i]);
    }
    if (n < size)
        snprintf(out + n, size - n, " --seed %llu", (unsigned long long)s->seed);
}

/* ---- running ---- */

struct running {
    const struct collector *collector;
    const struct collect_settings *settings;
    struct collecting collecting;
};

static const char *object_of(const struct collector *c, const struct collect_settings *s)
{
    size_t i = 0;
    while (!c->object && strcmp(c->parameters[i].name, "object") != 0)
        i++;
    return c->object ? c->object : s->texts[i];
}

static void run(void *arg)
{
    struct running *r = arg;
    struct collect_sink *sink = r->collecting.sink;
    char command[512];
    collect_command(r->collector, r->settings, command, sizeof command);
    sink->begin(sink, command, object_of(r->collector, r->settings));
    r->collector->run(&r->collecting);
    sink->end(sink);
}

static bool run_into(const struct collector *c, const struct collect_settings *s, struct mem *mem,
                     struct collect_sink *sink, assay_error *e)
{
    struct running r = {c, s, {s->values, s->texts, s->seed, mem, sink, e}};
    enum escape way = escape_run(run, &r);
    mem_release(mem);
    if (way != ESCAPE_NONE)
        error_from_escape(e, way);
    return way == ESCAPE_NONE;
}

bool collect_write(const struct collector *c, const struct collect_settings *s, uint32_t index, FILE *out,
                   assay_error *e)
{
    struct mem mem = {0};
    struct text_sink sink = text_sink(&mem, out, index);
    return run_into(c, s, &mem, &sink.sink, e);
}

assay_history *collect_history(const struct collector *c, const struct collect_settings *s, assay_error *e)
{
    struct mem mem = {0};
    struct history_sink sink = history_sink(assay_history_new(), e);
    if (sink.history && run_into(c, s, &mem, &sink.sink, e))
        return sink.history;
    if (!sink.history)
        error_set(e, ASSAY_ERROR_RESOURCE, "out of memory");
    assay_history_free(sink.history);
    return NULL;
}
