/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as the raw log of assay drive: a history or an error, and nothing else. */
#include "collect/drive/recover.h"
#include "fuzz/fuzz.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    assay_error e = {0};
    struct drive_counts counts;
    char *text = NULL;
    size_t length = 0;
    FILE *from = size ? fmemopen((void *)(uintptr_t)data, size, "r") : NULL, *to = open_memstream(&text, &length);
    bool fine = from && to && drive_recover_from(from, "log", to, &counts, &e);
    FUZZ_ASSERT(fine || !from || (e.code && e.message[0]), "an error without a message");
    if (from)
        fclose(from);
    if (to)
        fclose(to);
    free(text);
    return 0;
}
