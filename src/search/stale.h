/* SPDX-License-Identifier: Apache-2.0 */
/* Demands without a source: violations of a register that need no search, though values are written again and again.
 *
 * Idea. An operation x demands the value v (supply.h). Its source is the last operation before x that supplies v, or
 * the initial value. A source y was called before x returned. And no operation z that shows another value lies between
 * them in time: z called after y returned, and returned before x was called. Indeed z stands between y and x in each
 * linearization, and some operation must supply v after z. An operation shows another value than v if it demands or
 * supplies one, or if it is a compare-and-swap from v that failed. If x has no source there is no linearization.
 *
 * A compare-and-swap from v that fails, and a contains-key of a map that finds the key, say that v was not there. Let z
 * return before the call of such an x, and leave v there. A call y that sets another value may come between. It was
 * called before x returned, and did not return before the call of z. If there is no such y, v was there.
 *
 * Of all z that returned before the call of x, the one that was called last excludes most sources. So a sweep keeps
 * the latest one, for each value that it may not show. It takes O(n log n).
 *
 * The evidence names x, and z if there is one. It also names the call that set the value of z, or a call that saw it.
 * recheck goes through all sources again (recheck/cells.c). The argument is this project's own. */
#ifndef ASSAY_SEARCH_STALE_H
#define ASSAY_SEARCH_STALE_H

#include "search/supply.h"

/* Refutes the part if it has such a demand. */
bool stale_refutes(const struct supply *s, struct job *job);
/* The part has been refuted: replaces the evidence by such a demand. The object's state is one value, or one for each
 * key of a map and each value of a set. False: there is none, or it is not better. */
bool stale_explains(struct job *job);

#endif
