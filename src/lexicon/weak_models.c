/* SPDX-License-Identifier: Apache-2.0 */
/* Models of visibility. */
#include "lexicon/examples.h"
#include "lexicon/lexicon.h"

#define WEAK "docs/reference/weak.md"
#define WITH_METHODS " `--visibility METHOD=LEVEL` asks for a level of single methods."
#define BROKEN_RESULT                                                                                                  \
    "# @object register\n"                                                                                             \
    "a: read() => 7\n"
#define READS_ITS_PAST                                                                                                 \
    "# @object map\n"                                                                                                  \
    "a: put(k, 1) => null\n"                                                                                           \
    "b: get(k) => 1\n"                                                                                                 \
    "b: get(k) => null\n"
#define SKIPS_A_VALUE                                                                                                  \
    "# @object queue\n"                                                                                                \
    "a: enq(1)\n"                                                                                                      \
    "a: enq(2)\n"                                                                                                      \
    "b: deq() => 2\n"
#define MISSES_A_CAUSE                                                                                                 \
    "# @object map\n"                                                                                                  \
    "a: put(photo, 1) => null\n"                                                                                       \
    "b: get(photo) => 1\n"                                                                                             \
    "b: put(comment, 2) => null\n"                                                                                     \
    "c: get(comment) => 2\n"                                                                                           \
    "c: get(photo) => null\n"

const struct entry lexicon_weak_models[] = {
    {.name = "return-value",
     .text = "The weakest condition: each result must be one that some of the earlier operations explain. level:weak "
             "says the same.",
     .context = "Iterators and size methods of concurrent collections that promise nothing about what they see.",
     .example = BROKEN_RESULT,
     .model = "return-value",
     .pattern = "NoVisibility",
     .read = WEAK},
    {.name = "level:weak",
     .also = {"weak"},
     .text = "The lowest level of the ladder. An operation may miss anything, even what its own thread did.",
     .context = "Iterators and size methods of concurrent collections." WITH_METHODS,
     .example = BROKEN_RESULT,
     .model = "level:weak",
     .pattern = "NoVisibility",
     .read = WEAK},
    {.name = "monotonic-reads",
     .text = "What a thread has seen once it sees from then on. Its own operations may be missed. It is one axiom and "
             "not a level; level:monotonic has it.",
     .context = "A session guarantee of replicated stores, where a client may be sent to another replica.",
     .example = READS_ITS_PAST,
     .model = "monotonic-reads",
     .pattern = "NoVisibility",
     .read = WEAK},
    {.name = "peer",
     .text = "It is one axiom and not a level; level:peer has it.",
     .context = "The updates of one client arrive in their order, as over one connection.",
     .example = SKIPS_A_VALUE,
     .model = "peer",
     .pattern = "NoVisibility",
     .read = WEAK},
    {.name = "read-my-writes",
     .text = "A thread never misses its own operations. level:self says the same.",
     .context = "A session guarantee of replicated stores; it breaks when a session moves to a replica that lags.",
     .example = OWN_WRITE_MISSED,
     .model = "read-my-writes",
     .pattern = "NoVisibility",
     .read = WEAK ", docs/gallery/own-write-missed.md"},
    {.name = "level:self",
     .also = {"self"},
     .text = "The second level of the ladder: level:weak, and a thread never misses its own operations.",
     .context = "Sessions that stay with one replica, or carry their writes along." WITH_METHODS,
     .example = OWN_WRITE_MISSED,
     .model = "level:self",
     .pattern = "NoVisibility",
     .read = WEAK ", docs/gallery/own-write-missed.md"},
    {.name = "weak-hb",
     .text = "What had returned before a call began is seen by the call. Calls that overlap may or may not see each "
             "other, and need not agree.",
     .context = "Concurrent collections whose single calls are exact and whose iterators are not.",
     .example = STALE_REGISTER,
     .model = "weak-hb",
     .pattern = "NoVisibility",
     .read = WEAK},
    {.name = "level:monotonic",
     .also = {"monotonic"},
     .text = "The third level of the ladder: level:self, and a thread never unsees anything.",
     .context = "Sessions of replicated stores." WITH_METHODS,
     .example = READS_ITS_PAST,
     .model = "level:monotonic",
     .pattern = "NoVisibility",
     .read = WEAK},
    {.name = "level:peer",
     .also = {"peer"},
     .text = "The fourth level of the ladder: whoever sees an operation also sees what its thread had done before it.",
     .context = "Replication that keeps the order of each client's updates." WITH_METHODS,
     .example = SKIPS_A_VALUE,
     .model = "level:peer",
     .pattern = "NoVisibility",
     .read = WEAK},
    {.name = "causal-convergence",
     .text = "No operation sees an effect without its causes. level:causal says the same.",
     .context = "Replicated data types (CRDTs) over causal broadcast.",
     .example = MISSES_A_CAUSE,
     .model = "causal-convergence",
     .pattern = "NoVisibility",
     .read = WEAK ", docs/gallery/comment-before-photo.md"},
    {.name = "level:causal",
     .also = {"causal"},
     .text = "The fifth level of the ladder: seeing an operation includes seeing all that it saw.",
     .context = "Replicated data types (CRDTs) over causal broadcast." WITH_METHODS,
     .example = MISSES_A_CAUSE,
     .model = "level:causal",
     .pattern = "NoVisibility",
     .read = WEAK ", docs/gallery/comment-before-photo.md"},
    {.name = "level:complete",
     .also = {"complete"},
     .text = "The highest level of the ladder: lin in a history with times, sc-object in one without.",
     .context = "The exact methods of an object, beside weak ones." WITH_METHODS,
     .example = STALE_REGISTER,
     .model = "level:complete",
     .pattern = "NoVisibility",
     .read = WEAK},
    {0}};
