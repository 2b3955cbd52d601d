/* SPDX-License-Identifier: Apache-2.0 */
/* What is read, written and read again is the same history, and a second writing the same text; also
 * through JSON Lines. */
#include "fuzz/fuzz.h"
#include "support/load.h"
#include "support/rewrite.h"

#include <string.h>

struct written {
    char *text;
    size_t n;
};

static struct written write_out(const assay_history *h)
{
    struct written w = {0};
    assay_error e = {0};
    FILE *out = open_memstream(&w.text, &w.n);
    FUZZ_ASSERT(out, "no memory stream");
    FUZZ_ASSERT(assay_history_write(h, "hist", 0, out, &e), "cannot be written: %s", e.message);
    fclose(out);
    return w;
}

struct again {
    const struct written *first;
    char digest[17];
};

static void compare(assay_history *h, void *arg)
{
    struct again *a = arg;
    char digest[17];
    assay_history_digest(h, digest);
    FUZZ_ASSERT(strcmp(digest, a->digest) == 0, "digest %s became %s:\n%s", a->digest, digest, a->first->text);
    struct written second = write_out(h);
    FUZZ_ASSERT(second.n == a->first->n && memcmp(second.text, a->first->text, second.n) == 0,
                "written differently:\n%s\n%s", a->first->text, second.text);
    free(second.text);
}

static void round_trip(assay_history *h, void *arg)
{
    (void)arg;
    struct again a = {0};
    struct written first = write_out(h);
    assay_error e = {0};
    a.first = &first;
    assay_history_digest(h, a.digest);
    size_t count = load_each("hist", first.text, first.n, compare, &a, &e);
    FUZZ_ASSERT(!e.code, "%llu:%llu: %s in what was written:\n%s", (unsigned long long)e.line,
                (unsigned long long)e.column, e.message, first.text);
    FUZZ_ASSERT(count == (first.n > 0), "%zu histories in what was written:\n%s", count, first.text);
    free(first.text);
    const char *fault = rewrite_fault(h, "jsonl");
    FUZZ_ASSERT(!fault, "%s", fault);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    assay_error e = {0};
    load_each("hist", (const char *)data, size, round_trip, NULL, &e);
    return 0;
}
