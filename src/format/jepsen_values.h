/* SPDX-License-Identifier: Apache-2.0 */
/* The values of Jepsen's events as the arguments and results of calls. */
#ifndef ASSAY_FORMAT_JEPSEN_VALUES_H
#define ASSAY_FORMAT_JEPSEN_VALUES_H

#include "format/jepsen.h"

/* The keys of independent objects: is the value of this call a pair of a key and a value? */
bool jepsen_has_key(const struct jepsen *s, const struct jepsen_function *f, uint32_t value);
/* The event's value without its key; ID_NONE: it has none. */
uint32_t jepsen_bare_value(const struct jepsen *s, const struct jepsen_event *event);
bool jepsen_is_nil(const struct jepsen *s, uint32_t value);
bool jepsen_is_pair(const struct jepsen *s, uint32_t value);

/* The call's own arguments; a key comes first. Valid until the next event. */
const struct arguments *jepsen_arguments(struct jepsen *s, const struct jepsen_function *f,
                                         const struct jepsen_event *event);
/* Is this the value of an insert of Jepsen's test of G2, [key [id nil]] or [key [nil id]]? */
bool jepsen_is_insert(const struct jepsen *s, uint32_t value);
/* The arguments of such an insert as a transaction; `known`: with the values that it read. */
const struct arguments *jepsen_insert(struct jepsen *s, const struct jepsen_event *event, bool known);
/* The value that was generated, behind the key, as the argument of its call. */
const struct arguments *jepsen_generated(struct jepsen *s, const struct jepsen_function *f,
                                         const struct jepsen_event *event);
/* The arguments of a transaction; `known`: with the values that it read. */
const struct arguments *jepsen_transaction(struct jepsen *s, const struct jepsen_event *event, bool known);

/* A value that is put into a queue or stack, or taken out. Nil is none: it means that there was nothing. */
struct value jepsen_element(struct jepsen *s, uint32_t value);

/* The value that was read. It narrows the families of the log: a set and a bank are read as a whole. */
struct value jepsen_read_value(struct jepsen *s, const struct jepsen_event *event, uint32_t value);

struct value jepsen_word(const struct jepsen *s, const char *word);

#endif
