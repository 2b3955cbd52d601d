/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/objects/counts.h"

struct counts counts;
