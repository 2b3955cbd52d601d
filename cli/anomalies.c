/* SPDX-License-Identifier: Apache-2.0 */
#include "anomalies.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

/* docs/reference/transactions.md says what Assay calls them. The models are the weakest that forbid them. */
static const struct anomaly {
    const char *name, *models;
} anomalies[] = {
    {"G0", "rc"},
    {"G1", "rc"},
    {"G1a", "rc"},
    {"G1b", "rc"},
    {"G1c", "rc"},
    {"G-single", "rc,ra,tcc,psi"},
    {"G-nonadjacent", "pc,si"},
    {"G-SI", "psi,si"},
    {"G-SIa", "psi,si"},
    {"G-SIb", "psi,si"},
    {"G2", "si,ser"},
    {"G2-item", "si,ser"},
    {"dirty-write", "rc"},
    {"dirty-update", "rc"},
    {"dirty-read", "rc"},
    {"aborted-read", "rc"},
    {"garbage-read", "rc"},
    {"future-read", "rc"},
    {"internal", "rc,ra"},
    {"incompatible-order", "rc"},
    {"duplicate-elements", "rc"},
    {"cyclic-versions", "rc"},
    {"non-repeatable-read", "ra"},
    {"fractured-read", "ra"},
    {"long-fork", "pc"},
    {"lost-update", "psi"},
    {"read-skew", "psi"},
    {"write-skew", "ser"},
    {"phantom", "si,ser"},
};

/* Behind a name Elle says by which order the cycle closes. */
static const char *const orders[] = {"", "-process", "-session", "-realtime"};

static bool named(const char *name, const char *anomaly, const char *suffix)
{
    size_t n = strlen(anomaly);
    return strncasecmp(name, anomaly, n) == 0 && strcasecmp(name + n, suffix) == 0;
}

const char *anomaly_models(const char *name)
{
    name += *name == ':';
    for (size_t i = 0; i < sizeof anomalies / sizeof *anomalies; i++)
        for (size_t j = 0; j < sizeof orders / sizeof *orders; j++)
            if (named(name, anomalies[i].name, orders[j]))
                return strcmp(orders[j], "-realtime") == 0 ? "ser-strict" : anomalies[i].models;
    return NULL;
}
