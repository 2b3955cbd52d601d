/* SPDX-License-Identifier: Apache-2.0 */
#include "assay.h"

const char *assay_rule_name(assay_rule rule)
{
    switch (rule) {
    case ASSAY_PO: return "po";
    case ASSAY_WR: return "wr";
    case ASSAY_RW: return "rw";
    case ASSAY_CF: return "cf";
    case ASSAY_HB: return "hb";
    case ASSAY_PPO: return "ppo";
    case ASSAY_LOC: return "loc";
    case ASSAY_WW: return "ww";
    case ASSAY_CASE: return "case";
    case ASSAY_RT: return "rt";
    case ASSAY_VO: return "vo";
    }
    return "unknown";
}
