/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/memory/counts.h"

struct counts counts;
