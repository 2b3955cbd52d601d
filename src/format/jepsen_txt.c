/* SPDX-License-Identifier: Apache-2.0 */
/* The file history.txt of a Jepsen test, described in docs/guides/formats.md: process, type, function and value, an
 * event a line. It says the same as history.edn, without times; an error may stand behind the value.
 *
 *     4	:invoke	:cas	[2 4]
 *     4	:info	:cas	[2 4]	:timeout */
#include "format/format.h"
#include "format/jepsen.h"
#include "format/recognise.h"

static bool read_jepsen_txt(struct input *in, history **h, struct warnings *warnings, assay_error *e)
{
    struct jepsen s = {.nil_says_nothing = true};
    bool events = false;
    input_begin_history(in, h);
    jepsen_start(&s, JEPSEN_ALL, in, *h, warnings, e);
    s.edn.one_line = true;
    while (cursor_whole_line(&s.c))
        if (edn_space(&s.edn)) {
            uint64_t before = s.calls.events;
            jepsen_fields(&s, "as in `4 :invoke :cas [2 4]`");
            if (s.calls.events > before) /* else the line is that of a nemesis */
                calls_line(&s.calls);
            events = true;
        }
    jepsen_end(&s);
    return events;
}

/* A number or a name such as :nemesis, and a type. */
static int recognise_jepsen_txt(const char *bytes, size_t n)
{
    static const char *const types[] = {":invoke", ":ok", ":fail", ":info"};
    const char *end = bytes + n, *p = recognise_start(bytes, end, ';');
    bool process = p < end && (*p == ':' || (*p >= '0' && *p <= '9'));
    while (p < end && *p != ' ' && *p != '\t' && *p != '\n')
        p++;
    p = recognise_blank(p, end);
    for (size_t i = 0; process && i < sizeof types / sizeof *types; i++)
        if (recognise_here(p, end, types[i]))
            return 90;
    return 0;
}

const struct format format_jepsen_txt = {
    .name = "jepsen-txt",
    .title = "history.txt of a Jepsen test",
    .extensions = (const char *const[]){"history.txt", NULL},
    .recognise = recognise_jepsen_txt,
    .read = read_jepsen_txt,
};
