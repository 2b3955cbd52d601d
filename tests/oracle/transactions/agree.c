/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/transactions/agree.h"

#include "oracle/finding.h"
#include "oracle/transactions/counts.h"
#include "oracle/transactions/machine.h"
#include "oracle/transactions/oracle.h"
#include "oracle/transactions/views.h"
#include "oracle/transactions/write.h"

#include <stdlib.h>

enum { MOST = 5 }; /* runs of a machine: two steps of each transaction */

void check_agreement(const struct history *h)
{
    bool axioms[MODELS], views[MODELS];
    if (has_lists(h) || h->n > MOST)
        return;
    struct spelling s = plain_spelling();
    char *text = write_lines(h, &s, NULL);
    judge(h, axioms);
    judge_views(h, views);
    counts.agreements++;
    for (int m = 0; m < MODELS; m++) {
        if (axioms[m] != views[m])
            finding(text, "%s: the axioms say %d, the views %d", model_names[m], axioms[m], views[m]);
        if (has_machine(level_of(m)) && axioms[m] != machine_runs(h, m))
            finding(text, "%s: the axioms say %d, the machine %d", model_names[m], axioms[m], !axioms[m]);
        for (int weak = 0; weak < MODELS; weak++)
            if (implies(m, weak) && axioms[m] && !axioms[weak])
                finding(text, "%s holds, and %s fails", model_names[m], model_names[weak]);
    }
    free(text);
}
