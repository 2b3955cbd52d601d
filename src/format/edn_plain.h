/* SPDX-License-Identifier: Apache-2.0 */
/* Plain lines of EDN are events as Jepsen prints them, one a line, their keys in any order:
 *
 *     {:process 0, :type :invoke, :f :read, :value nil, :time 17, :index 3}
 *     #jepsen.history.Op{:index 4, :time 19, :type :ok, :process 0, :f :cas, :value [1 2]}
 *
 * Values are nil, an integer or two of them. A plain line becomes nodes as the form reader makes them, as far as its
 * meaning looks at them. So one place (jepsen.h) gives all lines their meaning, and reports faults. */
#ifndef ASSAY_FORMAT_EDN_PLAIN_H
#define ASSAY_FORMAT_EDN_PLAIN_H

#include "format/jepsen.h"
#include "format/plain.h"

enum { EDN_PLAIN_BITS = 3 };

struct edn_plain {
    struct plain_wait wait;
    struct seen_entry seen[2 << EDN_PLAIN_BITS];
    struct plain_words functions;
};

/* Takes the plain lines that come next; the cursor must be at the end of a line. Returns how many there were. May
 * escape. */
uint64_t edn_plain_lines(struct edn_plain *s, struct jepsen *j);

#endif
