/* SPDX-License-Identifier: Apache-2.0 */
/* A history built by calls instead of read from text. */
#ifndef ASSAY_TESTS_ORACLE_MEMORY_BUILD_H
#define ASSAY_TESTS_ORACLE_MEMORY_BUILD_H

#include "oracle/memory/history.h"

#include <assay.h>

assay_history *build(const struct history *h, assay_error *e);

#endif
