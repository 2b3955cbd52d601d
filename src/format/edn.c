/* SPDX-License-Identifier: Apache-2.0 */
/* Histories of Jepsen and Knossos, described in docs/guides/formats.md: maps in a vector, in a list, or
 * one after another.
 *
 *     [{:process 0, :type :invoke, :f :write, :value 3}
 *      {:process 0, :type :ok, :f :write, :value 3}]
 *
 * Each vector or list is a history; bare maps are one history, up to the end of the file. */
#include "format/format.h"
#include "format/jepsen.h"
#include "format/recognise.h"

static bool read_edn(struct input *in, history **h, struct warnings *warnings, assay_error *e)
{
    return jepsen_read(in, h, false, warnings, e);
}

/* A map, or a bracket with a map in it, perhaps behind a tag or metadata, and keys that are those of events. */
static int recognise_edn(const char *bytes, size_t n)
{
    const char *end = bytes + n, *p = recognise_start(bytes, end, ';');
    if (p < end && (*p == '[' || *p == '('))
        p = recognise_start(p + 1, end, ';');
    if (p == end || (*p != '{' && *p != '#' && *p != '^'))
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
