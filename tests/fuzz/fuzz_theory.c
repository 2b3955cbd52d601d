/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a theory: an error that says where and gives a remedy, or a theory that is read again as it is printed. */
#include "base/escape.h"
#include "base/mem.h"
#include "fuzz/fuzz.h"
#include "theory/language.h"

#include <string.h>

struct reading {
    const char *text;
    size_t n;
    struct mem mem;
    assay_error e;
    struct own_theory *own;
};

static void read_theory(void *arg)
{
    struct reading *r = arg;
    r->own = theory_read("fuzzed", r->text, r->n, &r->mem, &r->e);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct reading r = {.text = (const char *)data, .n = size};
    escape_run(read_theory, &r);
    FUZZ_ASSERT(r.own || (r.e.message[0] && r.e.remedy[0] && r.e.line), "an error without a place or a remedy");
    if (r.own) {
        struct text printed = text_in(&r.mem), again = text_in(&r.mem);
        theory_write(&r.own->theory, &r.own->spec, &printed);
        struct reading second = {.text = text_get(&printed), .n = printed.n};
        escape_run(read_theory, &second);
        FUZZ_ASSERT(second.own, "its own text is not read: %s\n%s", second.e.message, text_get(&printed));
        theory_write(&second.own->theory, &second.own->spec, &again);
        FUZZ_ASSERT(strcmp(text_get(&printed), text_get(&again)) == 0, "printed again it is another theory");
        mem_release(&second.mem);
    }
    mem_release(&r.mem);
    return 0;
}
