/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a trace of Axe: an error that says where, or histories that can be written as traces
 * again. */
#include "fuzz/fuzz.h"
#include "support/load.h"

static void compare(assay_history *h, void *arg)
{
    FUZZ_ASSERT(assay_history_size(h) == *(uint32_t *)arg, "another number of operations");
}

static void write_and_read(assay_history *h, void *arg)
{
    (void)arg;
    assay_error e = {0};
    char *text;
    size_t n;
    uint32_t size = assay_history_size(h);
    FILE *out = open_memstream(&text, &n);
    FUZZ_ASSERT(out, "no memory stream");
    FUZZ_ASSERT(assay_history_write(h, "axe", 0, out, &e), "cannot be written: %s", e.message);
    fclose(out);
    FUZZ_ASSERT(load_each("axe", text, n, compare, &size, &e) == 1, "not one history:\n%s", text);
    FUZZ_ASSERT(!e.code, "%s in what was written:\n%s", e.message, text);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    assay_error e = {0};
    load_each("axe", (const char *)data, size, write_and_read, NULL, &e);
    FUZZ_ASSERT(!e.code || e.message[0], "an error without a message");
    return 0;
}
