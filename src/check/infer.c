/* SPDX-License-Identifier: Apache-2.0 */
/* The ladder has the implications (model.c says between which models they carry a verdict over). Proofs are not
 * translated: the result refers to that of the other model, and so does its evidence. */
#include "check/infer.h"

result *infer_from(const struct checker *c, const struct model *m, const result *known, assay_error *e)
{
    const result *proof = result_proof(known);
    return model_infers(proof->model, proof->verdict, m) ? checker_implied(c, m, proof, e) : NULL;
}

bool infer_wanted(struct checker *c, const struct model *m, const assay_error *e)
{
    assay_error ignored = {0};
    return e->code == ASSAY_ERROR_NOT_APPLICABLE && !c->options->engine && checker_applies(c, m, &ignored);
}

result *infer_run(struct checker *c, const struct model *m, assay_error *e)
{
    assay_error why = {0};
    result *r = checker_run(c, m, &why);
    bool wanted = !r && infer_wanted(c, m, &why);
    for (size_t i = 0; wanted && !r && model_table[i]; i++) {
        const struct model *other = model_table[i];
        assay_error ignored = {0};
        if (!model_infers(other, ASSAY_CONSISTENT, m) && !model_infers(other, ASSAY_VIOLATION, m))
            continue;
        result *known = checker_run(c, other, &ignored);
        if (known && checker_applies(c, m, &ignored)) /* also: the view is that of the model again */
            r = infer_from(c, m, known, e);
        if (!r) {
            assay_result_free(known);
            continue;
        }
        r->own_from = known;
        r->seconds = known->seconds;
        r->bytes = known->bytes;
        r->stats = known->stats;
    }
    if (!r)
        error_copy(e, &why);
    return r;
}
