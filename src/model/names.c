/* SPDX-License-Identifier: Apache-2.0 */
#include "model/names.h"

#include <ctype.h>
#include <stddef.h>

/* The classic definitions say nothing about sessions; Jepsen calls the models that respect them strong-session. */
static const char no_sessions[] = "the order of a session does not count";
static const char goes_forward[] = "beyond PL-2, no transaction reads an older value after a newer one it depends on";
static const char no_predicates[] = "without predicates it is serializability; the order of a session does not count";

static const struct model_name names[] = {
    {"read-committed", "rc-plain", goes_forward},
    {"PL-2", "rc-plain", goes_forward},
    {"PL-2L", "rc-plain", NULL},
    {"monotonic-view", "rc-plain", NULL},
    {"read-atomic", "ra", NULL},
    {"causal", "tcc", "of transactions, with one order of all commits"},
    {"transactional-causal", "tcc", NULL},
    {"prefix", "pc", NULL},
    {"parallel-snapshot-isolation", "psi", NULL},
    {"snapshot-isolation", "si-plain", no_sessions},
    {"generalized-snapshot-isolation", "si-plain", no_sessions},
    {"PL-SI", "si-plain", no_sessions},
    {"strong-session-snapshot-isolation", "si", NULL},
    {"strong-snapshot-isolation", "si-strict", NULL},
    {"repeatable-read", "ser-plain", no_predicates},
    {"PL-2.99", "ser-plain", no_predicates},
    {"serializable", "ser-plain", no_sessions},
    {"PL-3", "ser-plain", no_sessions},
    {"strong-session-serializable", "ser", NULL},
    {"strict-serializable", "ser-strict", NULL},
    {"strong-serializable", "ser-strict", NULL},
    {"PL-SS", "ser-strict", NULL},
};

static int plain(char c)
{
    return c == '-' ? ' ' : tolower((unsigned char)c);
}

bool model_name_same(const char *a, const char *b)
{
    while (*a && plain(*a) == plain(*b))
        a++, b++;
    return !*a && !*b;
}

const struct model_name *model_name_find(const char *name)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (model_name_same(names[i].name, name))
            return &names[i];
    return NULL;
}
