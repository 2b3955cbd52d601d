/* SPDX-License-Identifier: Apache-2.0 */
/* A parameter of the engine `queue-words` that tests change. */
#ifndef ASSAY_SEARCH_QUEUE_WORDS_H
#define ASSAY_SEARCH_QUEUE_WORDS_H

#include <stdint.h>

/* After so many choices for each operation, two values at a time are looked at; 0: after one choice. */
extern uint64_t queue_words_patience;

#endif
