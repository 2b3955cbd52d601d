/* SPDX-License-Identifier: Apache-2.0 */
#include "format/interval.h"

#include <inttypes.h>

void interval_set(struct cursor *c, history *h, uint32_t op, uint32_t previous, const struct interval *i)
{
    if (i->returned < i->called)
        FAULT(c, i->returned_at, "the return is before the call");
    if (previous != ID_NONE && i->called < history_known_until(h, previous))
        FAULT_REMEDY(c, i->called_at, "a thread does one operation at a time; use two threads",
                     "the call is earlier than the thread's previous return (%" PRId64 ", line %u)",
                     history_known_until(h, previous), history_line(h, previous));
    history_set_times(h, op, i->called, i->returned);
}
