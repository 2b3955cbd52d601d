/* SPDX-License-Identifier: Apache-2.0 */
/* The printed examples: every engine gives the table's verdicts, recheck accepts what clock
 * proves. */
#include "solver/datalog.h"
#include "support/printed.h"
#include "support/shorthand.h"

#include <string.h>

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
    static const char *const engines[] = {"clock", "brute", "datalog", "datalog:cm_1"};
    int wrong = 0, used = 0;
    for (size_t e = 0; e < sizeof engines / sizeof *engines; e++) {
        if (strncmp(engines[e], "datalog", 7) == 0 && datalog_missing()) {
            printf("%s left out: %s\n", engines[e], datalog_missing());
            continue;
        }
        used++;
        for (int i = 0; i < PRINTED; i++)
            wrong += check(&printed[i], engines[e]);
    }
    printf("%d printed examples with %d engines: %d wrong\n", PRINTED, used, wrong);
    return wrong != 0;
}
