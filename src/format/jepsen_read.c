/* SPDX-License-Identifier: Apache-2.0 */
/* Files of Jepsen's events, in EDN or JSON. Each vector or list is a history. Bare maps are one history, up to the end
 * of the file. */
#include "format/edn_plain.h"
#include "format/jepsen.h"

/* Maps up to the closing bracket, which is left, or to the end. */
static void read_maps(struct jepsen *s)
{
    struct edn_plain plain = {.wait = {0}};
    for (;;) {
        if (!s->edn.json && s->c.p == s->c.line.end)
            edn_plain_lines(&plain, s);
        edn_clear(&s->edn);
        uint32_t node = edn_read(&s->edn);
        if (node == ID_NONE)
            return;
        jepsen_map(s, node);
    }
}

/* A form that is left out, up to the next one. */
static void skip_form(struct jepsen *s, size_t prefix)
{
    s->c.p += prefix;
    edn_read(&s->edn);
    edn_clear(&s->edn);
}

/* Tags, metadata and forms that are left out may come before the bracket. They say nothing about events. */
static void skip_prefixes(struct jepsen *s)
{
    while (edn_space(&s->edn)) {
        if (*s->c.p == '^')
            skip_form(s, 1);
        else if (s->c.p[0] == '#' && s->c.p[1] == '_')
            skip_form(s, 2);
        else if (*s->c.p == '#')
            edn_skip_tag(&s->edn);
        else
            return;
    }
}

bool jepsen_read(struct input *in, history **h, bool json, struct warnings *warnings, assay_error *e)
{
    struct jepsen s = {.nil_says_nothing = true};
    input_begin_history(in, h);
    jepsen_start(&s, JEPSEN_ALL, in, *h, warnings, e);
    s.edn.json = json;
    if (!json)
        skip_prefixes(&s);
    if (!edn_space(&s.edn))
        return false;
    struct place start = place_of(&s.c, s.c.p);
    char close = '\0';
    if (*s.c.p == '[')
        close = ']';
    else if (*s.c.p == '(')
        close = ')';
    s.c.p += close != '\0';
    read_maps(&s);
    if (close && s.edn.over)
        FAULT(&s.c, s.c.p, "expected `%c`, which closes the history of line %llu: it is cut off", close,
              (unsigned long long)start.line);
    if (!s.edn.over && *s.c.p != close)
        FAULT(&s.c, s.c.p, "expected an event%s, found `%c`",
              !close         ? ""
              : close == ']' ? " or `]`"
                             : " or `)`",
              *s.c.p);
    if (close) {
        s.c.p++;
        s.edn.one_line = true;
        if (edn_space(&s.edn))
            FAULT(&s.c, s.c.p, "expected the end of the line behind a history");
    }
    jepsen_end(&s);
    return true;
}
