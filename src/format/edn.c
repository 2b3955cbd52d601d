/* SPDX-License-Identifier: Apache-2.0 */
/* Histories of Jepsen and Knossos, described in docs/formats.md: maps in a vector, in a list, or
 * one after another.
 *
 *     [{:process 0, :type :invoke, :f :write, :value 3}
 *      {:process 0, :type :ok, :f :write, :value 3}]
 *
 * Each vector or list is a history; bare maps are one history, up to the end of the file. */
#include "format/edn_plain.h"
#include "format/format.h"
#include "format/jepsen.h"
#include "format/recognise.h"

/* Maps up to the closing bracket, which is left, or to the end. */
static void read_maps(struct jepsen *s)
{
    struct edn_plain plain = {.wait = {0}};
    for (;;) {
        if (s->c.p == s->c.line.end)
            edn_plain_lines(&plain, s);
        edn_clear(&s->edn);
        uint32_t node = edn_read(&s->edn);
        if (node == ID_NONE)
            return;
        jepsen_map(s, node);
    }
}

static bool read_edn(struct input *in, history **h, struct warnings *warnings, assay_error *e)
{
    struct jepsen s = {.nil_says_nothing = true};
    input_begin_history(in, h);
    jepsen_start(&s, in, *h, warnings, e);
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

/* A map, or a bracket with a map in it, and keys that are those of events. */
static int recognise_edn(const char *bytes, size_t n)
{
    const char *end = bytes + n, *p = recognise_start(bytes, end, ';');
    if (p < end && (*p == '[' || *p == '('))
        p = recognise_start(p + 1, end, ';');
    if (p == end || (*p != '{' && *p != '#'))
        return 0;
    return recognise_find(p, end, ":type") || recognise_find(p, end, ":process") ? 80 : 0;
}

const struct format format_edn = {
    .name = "edn",
    .title = "histories of Jepsen and Knossos",
    .extensions = (const char *const[]){".edn", NULL},
    .recognise = recognise_edn,
    .read = read_edn,
};
