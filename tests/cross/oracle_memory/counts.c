/* SPDX-License-Identifier: Apache-2.0 */
#include "cross/oracle_memory/counts.h"

struct counts counts;
