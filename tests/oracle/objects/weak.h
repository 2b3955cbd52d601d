/* SPDX-License-Identifier: Apache-2.0 */
/* Random streams under random weak models: the monitor on every prefix, and the engines on some. */
#ifndef ASSAY_TESTS_ORACLE_OBJECTS_WEAK_H
#define ASSAY_TESTS_ORACLE_OBJECTS_WEAK_H

void random_weak(void);

#endif
