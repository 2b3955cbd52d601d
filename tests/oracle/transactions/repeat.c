/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/transactions/repeat.h"

#include "oracle/finding.h"
#include "oracle/transactions/agree.h"
#include "oracle/transactions/counts.h"
#include "oracle/transactions/draw.h"
#include "oracle/transactions/enumerate.h"
#include "oracle/transactions/laws.h"
#include "support/chance.h"

void agree_on_repeated(void)
{
    struct history *h = draw_repeated();
    check_agreement(h);
    for (int i = below(3); i > 0; i--) {
        disturb(h);
        check_agreement(h);
    }
    free_history(h);
}

static void check(const struct history *h, const struct small_options *o)
{
    check_small(h, o);
    check_laws_of(h);
}

void check_repeated(const struct small_options *o)
{
    struct history *h = draw_repeated();
    for (int i = below(4); i >= 0; i--) {
        counts.repeated += !differentiated(h);
        check(h, o);
        disturb(h);
    }
    free_history(h);
}

static void check_numbered(const struct small_options *o, uint64_t number)
{
    struct history *h = enumerated(number);
    if (!h)
        return;
    counts.enumerated++;
    check_agreement(h);
    check(h, o);
    free_history(h);
}

void check_enumerated(const struct small_options *o)
{
    check_numbered(o, (uint64_t)below((int)(chance(50) ? enumerated_committed() : enumerated_count())));
}

void check_all_enumerated(const struct small_options *o)
{
    for (uint64_t i = 0; i < enumerated_committed() && findings < MAX_FINDINGS; i++) {
        chance_state = i;
        check_numbered(o, i);
    }
}
