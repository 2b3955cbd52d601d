/* SPDX-License-Identifier: Apache-2.0 */
/* Jepsen's console log, described in docs/guides/formats.md: lines of jepsen.util with process, type,
 * function and value. Other lines, and those of :nemesis, are skipped.
 *
 *     INFO  jepsen.util - 4	:invoke	:cas	[2 4]
 *     INFO  jepsen.util - 4	:fail	:cas	[2 4] */
#include "format/format.h"
#include "format/jepsen.h"
#include "format/recognise.h"

static const char logger[] = "jepsen.util";

/* Behind `jepsen.util -`, or NULL; newer logs have a colon instead of the dash. */
static const char *message(const char *p, const char *end)
{
    p = recognise_find(p, end, logger);
    if (!p)
        return NULL;
    p = recognise_blank(p, end);
    return p < end && (*p == '-' || *p == ':') ? recognise_blank(p + 1, end) : NULL;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool read_jepsen_log(struct input *in, history **h, struct warnings *warnings, assay_error *e)
{
    struct jepsen s = {.failed_cas_observed = true};
    bool events = false;
    input_begin_history(in, h);
    jepsen_start(&s, JEPSEN_REGISTER, in, *h, warnings, e);
    s.edn.one_line = true;
    while (cursor_whole_line(&s.c)) {
        const char *text = message(s.c.p, s.c.line.end);
        if (text && is_digit(*text)) {
            s.c.p = text;
            jepsen_fields(&s, "as in `INFO  jepsen.util - 4 :invoke :cas [2 4]`");
            calls_line(&s.calls);
            events = true;
        } else if (!text || text == s.c.line.end) { /* it may become an event */
            cursor_may_go_on(&s.c, s.h, DOUBT_CALL, true, ID_NONE);
        }
    }
    if (!events && s.c.line.number)
        FAULT_AT_REMEDY(&s.c, ((struct place){1, 1}), "-f names another format",
                        "this is no log of Jepsen: no line has an operation, as in "
                        "`INFO  jepsen.util - 4 :invoke :read nil`");
    jepsen_end(&s);
    return events;
}

static int recognise_jepsen_log(const char *bytes, size_t n)
{
    const char *end = bytes + n, *text = bytes;
    while ((text = recognise_find(text, end, logger))) {
        const char *field = message(text - (sizeof logger - 1), end);
        if (field && field < end && (is_digit(*field) || *field == ':'))
            return 90;
    }
    return 0;
}

const struct format format_jepsen_log = {
    .name = "jepsen-log",
    .title = "console logs of Jepsen",
    .extensions = (const char *const[]){".log", NULL},
    .recognise = recognise_jepsen_log,
    .read = read_jepsen_log,
};
