/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/transactions/forge.h"

#include "support/chance.h"

void forge_once_of_transactions(char **line, int ops)
{
    static const char *const rules[] = {"po", "rt", "wr", "rw", "cf", "ww", "vo", "case"};
    static const char *const patterns[] = {"ThinAirRead",      "AbortedRead",       "IntermediateRead",  "FutureRead",
                                           "InternalRead",     "IncompatibleOrder", "NonRepeatableRead", "DirtyWrite",
                                           "CircularRead",     "FracturedRead",     "StaleRead-session", "LostUpdate",
                                           "NonMonotonicRead", "WriteSkew",         "NoVersionOrder",    "LongFork",
                                           "NoSources"};
    switch (below(9)) {
    case 0:
    case 1: forge_number(line, ops, "\"initial\""); break;
    case 2: forge_swap(line); break;
    case 3: forge_element(line, false); break;
    case 4: forge_element(line, true); break;
    case 5: forge_word(line, "[\"", rules, 8); break;
    case 6: forge_word(line, "\"pattern\":\"", patterns, 17); break;
    case 7: forge_word(line, "\"rule\":\"", rules, 8); break;
    default: forge_verdict(line); break;
    }
}
