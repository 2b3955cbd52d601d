/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as each of the logs of other tools: an error that says where, or histories that the
 * native format can hold. */
#include "fuzz/fuzz.h"
#include "support/load.h"
#include "support/rewrite.h"
#include "support/twins.h"

static void rewrite(assay_history *h, void *arg)
{
    (void)arg;
    const char *fault = rewrite_fault(h, "hist");
    FUZZ_ASSERT(!fault, "%s", fault);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const formats[] = {"edn",
                                          "csv",
                                          "litmus",
                                          "jepsen-log",
                                          "jepsen-txt",
                                          "kv-log",
                                          "set-log",
                                          "gem5-rubytest",
                                          "gem5-rubytest:completed",
                                          "gem5-rubytest:certain"};
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        assay_error e = {0};
        load_each(formats[i], (const char *)data, size, rewrite, NULL, &e);
        FUZZ_ASSERT(!e.code || e.message[0], "an error without a message");
        FUZZ_ASSERT(e.code != ASSAY_ERROR_INPUT || e.file[0], "an error without a place");
    }
    const char *fault = twins_edn((const char *)data, size);
    FUZZ_ASSERT(!fault, "plain lines: %s", fault);
    return 0;
}
