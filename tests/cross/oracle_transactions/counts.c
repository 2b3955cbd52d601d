/* SPDX-License-Identifier: Apache-2.0 */
#include "cross/oracle_transactions/counts.h"

struct counts counts;
