/* SPDX-License-Identifier: Apache-2.0 */
/* The kernels of a history, of sc and of tso, against all store orders. */
#ifndef ASSAY_TESTS_ORACLE_MEMORY_KERNEL_H
#define ASSAY_TESTS_ORACLE_MEMORY_KERNEL_H

#include "oracle/memory/history.h"

#include <assay.h>

#include <stdbool.h>

void check_kernel(const struct history *h, const assay_history *a, const char *text, bool tso, bool fits_model);

#endif
