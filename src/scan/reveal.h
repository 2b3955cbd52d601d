/* SPDX-License-Identifier: Apache-2.0 */
/* Operations that reveal the state of an object whose content is unknown.
 *
 * An operation that overlapped no other one, with its result, may determine the state of the object, or of the part
 * that its key names. A read of a register does, and so does a put into a map. A remove that found a collection empty
 * determines the state even if it overlapped others: at some moment during the operation the collection was empty. */
#ifndef ASSAY_SCAN_REVEAL_H
#define ASSAY_SCAN_REVEAL_H

#include "scan/online.h"

enum reveal_state {
    REVEAL_NOTHING,
    REVEAL_INITIAL, /* the state is the initial one, without initial values */
    REVEAL_VALUE    /* the same with one initial value, of the part's key if there is one */
};

struct revealed {
    enum reveal_state state;
    struct value value;
};

/* Do some operations of the object reveal its state, or that of a part? */
bool reveal_knows(const assay_spec *spec);
/* `args` are all arguments. */
struct revealed reveal(const assay_spec *spec, unsigned method, const struct value *args, uint32_t arity,
                       struct value result);
bool reveal_is_stateless(const assay_spec *spec); /* an object without content: operations only meet */
/* Was the object certainly without its earlier content at some moment between the call and the return? */
bool reveals_end_of_content(const assay_spec *spec, unsigned method, struct value result);

#endif
