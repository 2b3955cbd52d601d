/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as JSON Lines: an error that says where, or histories that come back the same from JSON
 * Lines and from the native format. */
#include "fuzz/fuzz.h"
#include "support/load.h"
#include "support/rewrite.h"
#include "support/twins.h"

static void rewrite(assay_history *h, void *arg)
{
    (void)arg;
    const char *fault = rewrite_fault(h, "jsonl");
    FUZZ_ASSERT(!fault, "%s", fault);
    fault = rewrite_fault(h, "hist");
    FUZZ_ASSERT(!fault, "%s", fault);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    assay_error e = {0};
    load_each("jsonl", (const char *)data, size, rewrite, NULL, &e);
    FUZZ_ASSERT(!e.code || e.message[0], "an error without a message");
    FUZZ_ASSERT(e.code != ASSAY_ERROR_INPUT || e.file[0], "an error without a place");
    const char *fault = twins_jsonl((const char *)data, size);
    FUZZ_ASSERT(!fault, "plain lines: %s", fault);
    return 0;
}
