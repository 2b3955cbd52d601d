/* SPDX-License-Identifier: Apache-2.0 */
#include "model/aliases.h"

#include <ctype.h>
#include <stddef.h>

/* The classic definitions say nothing about sessions; Jepsen calls the models that respect them strong-session. */
static const char no_sessions[] = "the order of a session does not count";
static const char goes_forward[] = "beyond PL-2, no transaction reads an older value after a newer one it depends on";
static const char reads_directly[] = "only what a transaction has read from itself counts, not what that depends on";
static const char no_predicates[] = "without predicates it is serializability; the order of a session does not count";
static const char by_reads[] =
    "a history does not record the last values, so the reads alone count; nor does the order of a session";
static const char of_memories[] = "of a memory; sc-object says the same of another object";

/* What keeps a name from being the nearest model. */
static const char dirty_reads[] =
    "it forbids only circles of writes; the model here also forbids reading what was not committed";
static const char cursors[] =
    "it also forbids updates lost through a cursor, and a history does not tell which reads are "
    "through cursors; psi forbids all lost updates";
static const char by_starts[] =
    "it also orders transactions by their starts and commits, which the model here does not";
static const char snapshots[] =
    "it also demands that each read is one from a snapshot no older than the start of the transaction";
static const char read_only[] =
    "it lets transactions that only read disagree about the order of the others; the model here has one order for all";
static const char by_conflicts[] = "it depends on the order in which the store made the accesses, which a history does "
                                   "not record; the model here asks for "
                                   "any order that explains the reads";
static const char committed_only[] =
    "it lets a transaction read an older value after a newer one; the model here does not";
static const char indirectly[] = "it also counts what the transactions that were read from depend on";
static const char per_thread[] =
    "it keeps the order of each thread's writes and no other; the model here also keeps causes across threads";
static const char in_real_time[] =
    "where a history has times, the order of the operations in the model here also keeps real time";
static const char lost_updates[] = "it also forbids lost updates; psi does, and keeps causes as well";
static const char follows[] = "the model here also demands that a thread sees what it did and saw, and its order keeps "
                              "real time where there are times";

static const struct model_name names[] = {
    {"read-committed", "rc-plain", goes_forward, false},
    {"PL-2", "rc-plain", goes_forward, false},
    {"PL-2L", "rc-plain", reads_directly, false},
    {"monotonic-view", "rc-plain", reads_directly, false},
    {"monotonic-atomic-view", "rc-plain", NULL, false},
    {"read-atomic", "ra", NULL, false},
    {"causal", "tcc", "of transactions, with one order of all commits", false},
    {"transactional-causal", "tcc", NULL, false},
    {"causal-cerone", "tcc", NULL, false},
    {"prefix", "pc", NULL, false},
    {"consistent-view", "psi-plain", NULL, false},
    {"PL-2+", "psi-plain", NULL, false},
    {"strong-session-consistent-view", "psi", NULL, false},
    {"strong-session-PL-2+", "psi", NULL, false},
    {"parallel-snapshot-isolation", "psi", NULL, false},
    {"snapshot-isolation", "si-plain", no_sessions, false},
    {"generalized-snapshot-isolation", "si-plain", no_sessions, false},
    {"PL-SI", "si-plain", no_sessions, false},
    {"strong-session-snapshot-isolation", "si", NULL, false},
    {"strong-session-PL-SI", "si", NULL, false},
    {"strong-snapshot-isolation", "si-strict", NULL, false},
    {"strong-PL-SI", "si-strict", NULL, false},
    {"repeatable-read", "ser-plain", no_predicates, false},
    {"PL-2.99", "ser-plain", no_predicates, false},
    {"strong-session-repeatable-read", "ser", "without predicates it is serializability", false},
    {"strong-session-PL-2.99", "ser", "without predicates it is serializability", false},
    {"serializable", "ser-plain", no_sessions, false},
    {"PL-3", "ser-plain", no_sessions, false},
    {"1SR", "ser-plain", no_sessions, false},
    {"view-serializable", "ser-plain", by_reads, false},
    {"strong-session-serializable", "ser", NULL, false},
    {"strong-session-PL-3", "ser", NULL, false},
    {"session-serializable", "ser", NULL, false},
    {"strict-serializable", "ser-strict", NULL, false},
    {"strong-serializable", "ser-strict", NULL, false},
    {"strong-PL-3", "ser-strict", NULL, false},
    {"PL-SS", "ser-strict", NULL, false},
    {"linearizable", "lin", NULL, false},
    {"sequential", "sc", of_memories, false},

    {"read-uncommitted", "rc-plain", dirty_reads, true},
    {"PL-1", "rc-plain", dirty_reads, true},
    {"cursor-stability", "rc-plain", cursors, true},
    {"PL-CS", "rc-plain", cursors, true},
    {"monotonic-snapshot-read", "rc-plain", snapshots, true},
    {"PL-MSR", "rc-plain", snapshots, true},
    {"forward-consistent-view", "psi-plain", by_starts, true},
    {"PL-FCV", "psi-plain", by_starts, true},
    {"update-serializable", "ser-plain", read_only, true},
    {"PL-3U", "ser-plain", read_only, true},
    {"conflict-serializable", "ser-plain", by_conflicts, true},
    {"strong-session-read-uncommitted", "rc", dirty_reads, true},
    {"strong-session-PL-1", "rc", dirty_reads, true},
    {"strong-session-read-committed", "rc", committed_only, true},
    {"strong-session-PL-2", "rc", committed_only, true},
    {"strong-session-monotonic-view", "rc", indirectly, true},
    {"strong-session-PL-2L", "rc", indirectly, true},
    {"strong-session-cursor-stability", "rc", cursors, true},
    {"strong-session-PL-CS", "rc", cursors, true},
    {"strong-session-update-serializable", "ser", read_only, true},
    {"strong-session-PL-3U", "ser", read_only, true},
    {"strong-read-uncommitted", "rc-strict", dirty_reads, true},
    {"strong-PL-1", "rc-strict", dirty_reads, true},
    {"strong-read-committed", "rc-strict", committed_only, true},
    {"strong-PL-2", "rc-strict", committed_only, true},
    {"strong-update-serializable", "ser-strict", read_only, true},
    {"strong-PL-3U", "ser-strict", read_only, true},
    {"ROLA", "ra", lost_updates, true},
    {"PRAM", "cm", per_thread, true},
    {"read-your-writes", "read-my-writes", in_real_time, true},
    {"monotonic-writes", "peer", in_real_time, true},
    {"writes-follow-reads", "level:causal", follows, true},
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

static const struct model_name *find(const char *name)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (model_name_same(names[i].name, name))
            return &names[i];
    return NULL;
}

const struct model_name *model_name_find(const char *name)
{
    const struct model_name *found = find(name);
    return found && !found->declined ? found : NULL;
}

const struct model_name *model_name_declined(const char *name)
{
    const struct model_name *found = find(name);
    return found && found->declined ? found : NULL;
}

const struct model_name *model_name_at(size_t i)
{
    return i < sizeof names / sizeof *names ? &names[i] : NULL;
}
