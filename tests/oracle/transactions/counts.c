/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/transactions/counts.h"

struct counts counts;
