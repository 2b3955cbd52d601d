/* SPDX-License-Identifier: Apache-2.0 */
/* Logs of a key-value store whose values can be appended to, described in docs/guides/formats.md: one
 * event a line.
 *
 *     {:process 0, :type :invoke, :f :append, :key "k", :value "x"}
 *     {:process 0, :type :ok, :f :append, :key "k", :value "x"} */
#include "format/format.h"
#include "format/jepsen.h"
#include "format/recognise.h"

static bool read_kv_log(struct input *in, history **h, struct warnings *warnings, assay_error *e)
{
    struct jepsen s = {0};
    bool events = false;
    input_begin_history(in, h);
    jepsen_start(&s, JEPSEN_APPEND_MAP, in, *h, warnings, e);
    s.edn.one_line = true;
    while (cursor_line(&s.c)) {
        edn_clear(&s.edn);
        uint32_t node = edn_read(&s.edn);
        if (node != ID_NONE) {
            jepsen_map(&s, node);
            events = true;
        }
        if (edn_space(&s.edn))
            FAULT(&s.c, s.c.p,
                  node == ID_NONE ? "expected an event in { }" : "expected the end of the line: one event a line");
    }
    jepsen_end(&s);
    return events;
}

static int recognise_kv_log(const char *bytes, size_t n)
{
    const char *end = bytes + n, *p = recognise_start(bytes, end, ';');
    const char *line_end = recognise_line_end(p, end);
    return p < end && *p == '{' && recognise_find(p, line_end, ":process") && recognise_find(p, line_end, ":key ") ? 95
                                                                                                                   : 0;
}

const struct format format_kv_log = {
    .name = "kv-log",
    .title = "logs of a key-value store with get, put and append",
    .recognise = recognise_kv_log,
    .read = read_kv_log,
};
