/* SPDX-License-Identifier: Apache-2.0 */
#include "lexicon/lexicon.h"

const struct chapter lexicon[] = {{"pattern", lexicon_memory_patterns},
                                  {"pattern", lexicon_object_patterns},
                                  {"pattern", lexicon_transaction_patterns},
                                  {"anomaly", lexicon_anomalies},
                                  {"model", lexicon_memory_models},
                                  {"model", lexicon_weak_models},
                                  {"model", lexicon_isolation},
                                  {"object", lexicon_objects},
                                  {"engine", lexicon_engines},
                                  {"engine", lexicon_object_engines},
                                  {"format", lexicon_formats},
                                  {NULL, NULL}};
