/* SPDX-License-Identifier: Apache-2.0 */
/* The drivers: those of driver.def, and those of shared objects. */
#ifndef ASSAY_COLLECT_DRIVE_DRIVER_H
#define ASSAY_COLLECT_DRIVE_DRIVER_H

#include "assay.h"
#include "assay_driver.h"

#define X(ident, name) extern const assay_driver driver_##ident;
#include "collect/drive/driver.def"
#undef X

extern const assay_driver *const driver_table[]; /* up to NULL; the first one is the default */

/* The drivers that a shared object exports, up to NULL; it stays loaded. NULL with an error. */
const assay_driver *const *driver_load(const char *path, assay_error *e);

/* The driver's own name for an isolation level, whatever the case and the marks between its words: "REPEATABLE READ" is
 * repeatable-read. NULL: it has none such, or there is no room. */
const char *driver_isolation(const assay_driver *d, const char *given, char *out, size_t room);

/* What the driver's store promises at this level with these settings; NULL: the driver does not say. `setting` gives
 * the value of a setting, or NULL. */
const assay_promise *driver_promise(const assay_driver *d, const char *isolation,
                                    const char *(*setting)(const void *context, const char *name), const void *context);

/* Is the word in a list of words that are separated by one of these separators? */
bool driver_has_word(const char *list, const char *word, const char *separators);

#endif
