/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes, plain or compressed: reading ends with histories or with an error that says where. */
#include "fuzz/fuzz.h"
#include "support/load.h"
#include "support/twins.h"

#include <string.h>

static void look(assay_history *h, void *arg)
{
    (void)arg;
    char digest[17], text[64];
    assay_history_digest(h, digest);
    for (uint32_t op = 0; op < assay_history_size(h); op++) {
        assay_operation o = assay_history_operation(h, op);
        FUZZ_ASSERT(o.thread && o.method, "operation %u without a thread or method", op);
        assay_history_print(h, op, text, sizeof text);
        FUZZ_ASSERT(memchr(text, '\0', sizeof text), "text without an end");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    assay_error e = {0};
    load_each("hist", (const char *)data, size, look, NULL, &e);
    FUZZ_ASSERT(!e.code || e.message[0], "an error without a message");
    const char *fault = twins_hist((const char *)data, size);
    FUZZ_ASSERT(!fault, "plain lines: %s", fault);
    return 0;
}
