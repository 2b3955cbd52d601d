/* SPDX-License-Identifier: Apache-2.0 */
/* The processors that this process may use, and how a thread stays on one of them. */
#ifndef ASSAY_COLLECT_HARDWARE_PROCESSORS_H
#define ASSAY_COLLECT_HARDWARE_PROCESSORS_H

#include <stdbool.h>
#include <stdint.h>

/* Their numbers, at most `most` of them; returns how many there are, at least 1. Where the system does not say which
 * they are, they are counted from 0. */
uint32_t processors_list(uint32_t *out, uint32_t most);

/* Keeps the calling thread on this processor; false: the system cannot, or does not let us. */
bool processors_pin(uint32_t number);

#endif
