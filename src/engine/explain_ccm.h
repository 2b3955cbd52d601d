/* SPDX-License-Identifier: Apache-2.0 */
/* The evidence of a ccm violation: a cycle of po, wr, ww, cf and rw.
 *
 * The pairs of the partial store order rest on paths of hb: ww from a write to a later one, cf from a write to a
 * read of the other one; rw on such a pair, or on nothing when the read returned the initial value. The forced
 * edges of those paths rest on hb reasons, each within what one thread observes. */
#ifndef ASSAY_ENGINE_EXPLAIN_CCM_H
#define ASSAY_ENGINE_EXPLAIN_CCM_H

#include "engine/engine.h"
#include "order/ccm.h"

/* After CCM_HB or CCM_STORE: fills in verdict and evidence of job->out. */
void explain_ccm(struct job *job, struct ccm *ccm, enum ccm_verdict verdict);

#endif
