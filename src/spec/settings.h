/* SPDX-License-Identifier: Apache-2.0 */
/* The objections of objects to the parameter and the initial values of a history: hooks `refuse`, or parts of them. */
#ifndef ASSAY_SPEC_SETTINGS_H
#define ASSAY_SPEC_SETTINGS_H

#include "assay_spec.h"

const char *settings_list(const assay_setting *s);         /* `@init [1, 2]`, no parameter */
const char *settings_single(const assay_setting *s);       /* `@init 5`, no parameter */
const char *settings_keyed(const assay_setting *s);        /* `@init k=v`, no parameter */
const char *settings_keyed_or_all(const assay_setting *s); /* `@init x=1`, `@init 5` for all others, no parameter */

const char *settings_no_value(const assay_setting *s); /* nothing, or `@init ?` */
const char *settings_any(const assay_setting *s);      /* the same, no parameter */

/* The lone value that is said last, of `@init 5`; else `otherwise`. */
assay_value settings_value(const assay_setting *s, assay_value otherwise);
/* How often the value is in `@init [1, 2]`. */
int64_t settings_count(const assay_setting *s, assay_value v);

#endif
