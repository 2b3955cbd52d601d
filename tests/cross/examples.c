/* SPDX-License-Identifier: Apache-2.0 */
/* The printed examples: every engine gives the table's verdicts, recheck accepts what clock proves. */
#include "support/printed.h"
#include "support/shorthand.h"

static int check(const struct printed *x, const char *engine)
{
    struct complaint why = {""};
    unsigned satisfied = 0;
    assay_history *h = shorthand(x->text);
    bool fine = causal_verdicts(h, engine, &satisfied, &why);
    assay_history_free(h);
    if (fine && satisfied == x->satisfies)
        return 0;
    printf("%s: %s\n    %s says: %s%s%s\n", x->name, x->text, engine, causal_set_name(satisfied),
           fine ? "" : "; ", why.text);
    return 1;
}

int main(void)
{
    int wrong = 0, engines = 0;
    for (size_t e = 0; e < assay_family_size(ASSAY_ENGINES); e++) {
        assay_member engine = assay_family_member(ASSAY_ENGINES, e);
        if (engine.missing) {
            printf("%s left out: %s\n", engine.name, engine.missing);
            continue;
        }
        engines++;
        for (int i = 0; i < PRINTED; i++)
            wrong += check(&printed[i], engine.name);
    }
    for (int i = 0; i < PRINTED; i++)
        wrong += check(&printed[i], "datalog:cm_1");
    printf("%d printed examples with %d engines: %d wrong\n", PRINTED, engines, wrong);
    return wrong != 0;
}
