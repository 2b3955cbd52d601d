/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/generate/flaw.h"

#include <string.h>

const char *const flaw_names[] = {[FLAW_NONE] = "none",
                                  [FLAW_SWAP] = "swap",
                                  [FLAW_LOSE] = "lose",
                                  [FLAW_DUPLICATE] = "duplicate",
                                  [FLAW_EARLY_EMPTY] = "early-empty",
                                  [FLAW_RING] = "ring",
                                  [FLAW_APART] = "apart",
                                  [FLAWS] = NULL};

static bool grants(const assay_method *m)
{
    static const char *const names[] = {"lock", "rdlock", "wrlock", "acquire", "wait", NULL};
    for (size_t i = 0; names[i]; i++)
        if (strcmp(m->name, names[i]) == 0)
            return true;
    return false;
}

/* A lock or a semaphore: a call that is lost would keep the others waiting. */
static bool synchronizes(const assay_method *m)
{
    static const char *const names[] = {"unlock", "release", "trylock", "tryacquire", NULL};
    for (size_t i = 0; names[i]; i++)
        if (strcmp(m->name, names[i]) == 0)
            return true;
    return grants(m);
}

static bool meets(const assay_method *m)
{
    return strcmp(m->name, "exchange") == 0;
}

bool flaw_spoils(enum flaw flaw, const assay_method *m, bool observes, bool takes)
{
    switch (flaw) {
    case FLAW_SWAP:
    case FLAW_EARLY_EMPTY: return takes;
    case FLAW_DUPLICATE: return takes || grants(m) || meets(m);
    case FLAW_RING:
    case FLAW_APART: return meets(m);
    case FLAW_LOSE: /* of a lock, of a removal: that is a duplicate */
        return !observes && !takes && !synchronizes(m) && (m->arity > 0 || m->result == ASSAY_RESULT_OPTIONAL);
    default: return false;
    }
}
