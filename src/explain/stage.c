/* SPDX-License-Identifier: Apache-2.0 */
#include "explain/stage.h"

#include "explain/argue.h"
#include "explain/assumed_initial.h"
#include "explain/at_fault.h"
#include "explain/blame.h"
#include "explain/longest_prefix.h"
#include "explain/refuted.h"
#include "explain/small_core.h"

enum { LARGE_CORE = 12 }; /* operations, more than a reader follows */

void explain_refuted(struct job *job)
{
    blame(job);
    argue(job);
}

/* Is the violation proved by many operations together, or by a prefix that need not be the shortest? Then the return
 * that ends the longest linearizable prefix says more than they do. */
static bool is_unsure(const struct evidence *ev)
{
    bool large = ev->kept.n > LARGE_CORE, tied = !ev->kept.n && ev->prefix && ev->tied;
    return ev->pattern == PATTERN_NoLinearization && (large || tied);
}

void explain_prefix(const result *r, const assay_options *options, struct explanation *x)
{
    if (!x->prefix)
        longest_prefix(r, options, x);
}

void explain(const result *r, const assay_options *options, struct explanation *x)
{
    if (r->verdict != ASSAY_VIOLATION)
        return;
    assumed_initial(r, options, x);
    if (r->from)
        return;
    if (is_unsure(&r->evidence)) {
        longest_prefix(r, options, x);
        x->unexplained = x->prefix_end;
    }
    at_fault(r, options, x);
    small_core(r, options, x);
}
