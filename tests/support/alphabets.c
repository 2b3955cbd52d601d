/* SPDX-License-Identifier: Apache-2.0 */
#include "support/alphabets.h"

#include <string.h>

const struct alphabet alphabets[] = {{"queue",
                                      NULL,
                                      {4, 5},
                                      {{"enq", NEW, NO_VALUE, false},
                                       {"enq", NEW, NO_VALUE, true},
                                       {"deq", NO_VALUE, 1, false},
                                       {"deq", NO_VALUE, 2, false},
                                       {"deq", NO_VALUE, 3, false},
                                       {"deq", NO_VALUE, EMPTY, false},
                                       {"deq", NO_VALUE, NO_VALUE, true},
                                       {"peek", NO_VALUE, 1, false},
                                       {"peek", NO_VALUE, 2, false}}},
                                     {"stack",
                                      NULL,
                                      {4, 5},
                                      {{"push", NEW, NO_VALUE, false},
                                       {"push", NEW, NO_VALUE, true},
                                       {"pop", NO_VALUE, 1, false},
                                       {"pop", NO_VALUE, 2, false},
                                       {"pop", NO_VALUE, 3, false},
                                       {"pop", NO_VALUE, EMPTY, false},
                                       {"pop", NO_VALUE, NO_VALUE, true},
                                       {"peek", NO_VALUE, 1, false},
                                       {"peek", NO_VALUE, 2, false}}},
                                     {"deque",
                                      NULL,
                                      {4, 4},
                                      {{"push-front", NEW, NO_VALUE, false},
                                       {"push-back", NEW, NO_VALUE, false},
                                       {"push-back", NEW, NO_VALUE, true},
                                       {"pop-front", NO_VALUE, 1, false},
                                       {"pop-front", NO_VALUE, 2, false},
                                       {"pop-back", NO_VALUE, 1, false},
                                       {"pop-back", NO_VALUE, 2, false},
                                       {"pop-front", NO_VALUE, EMPTY, false},
                                       {"pop-back", NO_VALUE, NO_VALUE, true},
                                       {"peek-front", NO_VALUE, 1, false},
                                       {"peek-back", NO_VALUE, 2, false}}},
                                     {"pqueue",
                                      NULL,
                                      {4, 5},
                                      {{"add", 1, NO_VALUE, false},
                                       {"add", 2, NO_VALUE, false},
                                       {"add", 2, NO_VALUE, true},
                                       {"rem", NO_VALUE, 1, false},
                                       {"rem", NO_VALUE, 2, false},
                                       {"rem", NO_VALUE, EMPTY, false},
                                       {"rem", NO_VALUE, NO_VALUE, true},
                                       {"peek", NO_VALUE, 1, false}}},
                                     {"register",
                                      NULL,
                                      {4, 5},
                                      {{"write", NEW, NO_VALUE, false},
                                       {"write", NEW, NO_VALUE, true},
                                       {"read", NO_VALUE, 0, false},
                                       {"read", NO_VALUE, 1, false},
                                       {"read", NO_VALUE, 2, false},
                                       {"read", NO_VALUE, NO_VALUE, true}}},
                                     {"set",
                                      NULL,
                                      {4, 5},
                                      {{"add", 1, TRUE, false},
                                       {"add", 1, FALSE, false},
                                       {"add", 1, NO_VALUE, true},
                                       {"remove", 1, TRUE, false},
                                       {"remove", 1, FALSE, false},
                                       {"remove", 1, NO_VALUE, true},
                                       {"contains", 1, TRUE, false},
                                       {"contains", 1, FALSE, false},
                                       {"add", 1, NO_VALUE, false}}},
                                     {"lock",
                                      NULL,
                                      {4, 5},
                                      {{"lock", NO_VALUE, NO_VALUE, false},
                                       {"lock", NO_VALUE, NO_VALUE, true},
                                       {"unlock", NO_VALUE, NO_VALUE, false},
                                       {"unlock", NO_VALUE, NO_VALUE, true},
                                       {"trylock", NO_VALUE, TRUE, false},
                                       {"trylock", NO_VALUE, FALSE, false}}},
                                     {"semaphore(2)",
                                      NULL,
                                      {4, 5},
                                      {{"acquire", NO_VALUE, NO_VALUE, false},
                                       {"acquire", NO_VALUE, NO_VALUE, true},
                                       {"release", NO_VALUE, NO_VALUE, false},
                                       {"release", NO_VALUE, NO_VALUE, true},
                                       {"tryacquire", NO_VALUE, TRUE, false},
                                       {"tryacquire", NO_VALUE, FALSE, false}}},
                                     {"lock",
                                      NULL,
                                      {4, 4},
                                      {{"lock", 1, NO_VALUE, false},
                                       {"lock", 2, NO_VALUE, false},
                                       {"lock", 1, NO_VALUE, true},
                                       {"lock", NO_VALUE, NO_VALUE, false},
                                       {"unlock", NO_VALUE, 1, false},
                                       {"unlock", NO_VALUE, 2, false},
                                       {"unlock", NO_VALUE, NO_VALUE, false},
                                       {"unlock", NO_VALUE, NO_VALUE, true},
                                       {"trylock", 2, TRUE, false},
                                       {"trylock", 2, FALSE, false}}},
                                     {"semaphore(2)",
                                      NULL,
                                      {4, 4},
                                      {{"acquire", 1, NO_VALUE, false},
                                       {"acquire", 2, NO_VALUE, false},
                                       {"acquire", 2, NO_VALUE, true},
                                       {"acquire", NO_VALUE, NO_VALUE, false},
                                       {"release", NO_VALUE, 1, false},
                                       {"release", NO_VALUE, 2, false},
                                       {"release", NO_VALUE, NO_VALUE, false},
                                       {"release", NO_VALUE, NO_VALUE, true},
                                       {"tryacquire", 2, TRUE, false},
                                       {"tryacquire", 2, FALSE, false}}},
                                     {"multiset",
                                      NULL,
                                      {4, 5},
                                      {{"add", 1, NO_VALUE, false},
                                       {"add", 1, NO_VALUE, true},
                                       {"remove", 1, TRUE, false},
                                       {"remove", 1, FALSE, false},
                                       {"remove", 1, NO_VALUE, true},
                                       {"count", 1, 1, false},
                                       {"count", 1, 0, false},
                                       {"count", 1, 2, false}}},
                                     {"counter",
                                      NULL,
                                      {4, 5},
                                      {{"inc", NO_VALUE, NO_VALUE, false},
                                       {"inc", NO_VALUE, 1, false},
                                       {"inc", NO_VALUE, 2, false},
                                       {"add", 1, NO_VALUE, false},
                                       {"fetch-add", 1, 0, false},
                                       {"fetch-add", 1, 1, false},
                                       {"inc", NO_VALUE, NO_VALUE, true},
                                       {"get", NO_VALUE, 0, false},
                                       {"get", NO_VALUE, 1, false},
                                       {"get", NO_VALUE, 2, false}}},
                                     {"exchanger",
                                      NULL,
                                      {4, 5},
                                      {{"exchange", 1, 2, false},
                                       {"exchange", 2, 1, false},
                                       {"exchange", 1, 1, false},
                                       {"exchange", 1, NULL_WORD, false},
                                       {"exchange", 2, NO_VALUE, true},
                                       {"exchange", 1, NO_VALUE, true}}},
                                     {0}};

/* Letters that `alphabets` does without: other parameters and initial values, tags alone and beside none, calls whose answer
 * is open, numbers that are further apart. */
#define TAGGED(take, release, try)                                                                                     \
    {                                                                                                                  \
        {take, 1, NO_VALUE, false}, {take, 2, NO_VALUE, false}, {take, 2, NO_VALUE, true},                             \
            {release, NO_VALUE, 1, false}, {release, NO_VALUE, 2, false}, {release, NO_VALUE, NO_VALUE, true},         \
            {try, 2, TRUE, false}, {try, 1, NO_VALUE, true}, {take, NO_VALUE, NO_VALUE, false},                        \
            {try, 2, FALSE, false}, {try, NO_VALUE, NO_VALUE, true},                                                   \
        {                                                                                                              \
            release, NO_VALUE, NO_VALUE, false                                                                         \
        }                                                                                                              \
    }
#define SEMAPHORE                                                                                                      \
    {                                                                                                                  \
        {"acquire", NO_VALUE, NO_VALUE, false}, {"release", NO_VALUE, NO_VALUE, false},                                \
            {"tryacquire", NO_VALUE, TRUE, false}, {"tryacquire", NO_VALUE, FALSE, false},                             \
            {"acquire", NO_VALUE, NO_VALUE, true}, {"release", NO_VALUE, NO_VALUE, true},                              \
        {                                                                                                              \
            "tryacquire", NO_VALUE, NO_VALUE, true                                                                     \
        }                                                                                                              \
    }
#define BOUNDED                                                                                                        \
    {                                                                                                                  \
        {"enq", 1, TRUE, false}, {"enq", 2, TRUE, false}, {"enq", 1, FALSE, false}, {"enq", 2, FALSE, false},          \
            {"deq", NO_VALUE, 1, false}, {"deq", NO_VALUE, 2, false}, {"deq", NO_VALUE, EMPTY, false},                 \
            {"enq", 2, NO_VALUE, true}, {"deq", NO_VALUE, NO_VALUE, true},                                             \
        {                                                                                                              \
            "peek", NO_VALUE, 1, false                                                                                 \
        }                                                                                                              \
    }
#define UNEVEN                                                                                                         \
    {                                                                                                                  \
        {"inc", NO_VALUE, NO_VALUE, false}, {"fetch-add", 2, 0, false}, {"fetch-add", 2, 1, false},                    \
            {"fetch-add", 1, 2, false}, {"fetch-add", 0, 2, false}, {"get", NO_VALUE, 3, false},                       \
            {"fetch-add", 2, NO_VALUE, true},                                                                          \
        {                                                                                                              \
            "fetch-add", 2, NO_VALUE, false                                                                            \
        }                                                                                                              \
    }
#define REGISTER                                                                                                       \
    {                                                                                                                  \
        {"write", NEW, NO_VALUE, false}, {"write", 9, NO_VALUE, false}, {"read", NO_VALUE, 0, false},                  \
            {"read", NO_VALUE, 1, false}, {"read", NO_VALUE, 2, false}, {"read", NO_VALUE, 3, false},                  \
            {"read", NO_VALUE, 4, false}, {"write", NEW, NO_VALUE, true},                                              \
        {                                                                                                              \
            "read", NO_VALUE, NO_VALUE, true                                                                           \
        }                                                                                                              \
    }
#define COLLECTION(add, remove)                                                                                        \
    {                                                                                                                  \
        {add, NEW, NO_VALUE, false}, {add, NEW, NO_VALUE, true}, {remove, NO_VALUE, 1, false},                         \
            {remove, NO_VALUE, 2, false}, {remove, NO_VALUE, 3, false}, {remove, NO_VALUE, EMPTY, false},              \
            {remove, NO_VALUE, NO_VALUE, true}, {"peek", NO_VALUE, 1, false}, {"peek", NO_VALUE, 2, false},            \
            {"peek", NO_VALUE, 3, false}, {"peek", NO_VALUE, EMPTY, false},                                            \
        {                                                                                                              \
            "peek", NO_VALUE, NO_VALUE, true                                                                           \
        }                                                                                                              \
    }
#define PQUEUE                                                                                                         \
    {                                                                                                                  \
        {"add", 1, NO_VALUE, false}, {"add", 2, NO_VALUE, false}, {"add", 3, NO_VALUE, false},                         \
            {"add", 2, NO_VALUE, true}, {"rem", NO_VALUE, 1, false}, {"rem", NO_VALUE, 2, false},                      \
            {"rem", NO_VALUE, 3, false}, {"rem", NO_VALUE, EMPTY, false}, {"rem", NO_VALUE, NO_VALUE, true},           \
            {"peek", NO_VALUE, 1, false}, {"peek", NO_VALUE, 2, false}, {"peek", NO_VALUE, 3, false},                  \
            {"peek", NO_VALUE, EMPTY, false},                                                                          \
        {                                                                                                              \
            "peek", NO_VALUE, NO_VALUE, true                                                                           \
        }                                                                                                              \
    }

const struct alphabet further_alphabets[] = {{"queue", NULL, {3, 4}, COLLECTION("enq", "deq")},
                                             {"stack", NULL, {3, 4}, COLLECTION("push", "pop")},
                                             {"pqueue", NULL, {3, 4}, PQUEUE},
                                             {"pqueue(min)", NULL, {3, 4}, PQUEUE},
                                             {"set",
                                              "[1]",
                                              {3, 4},
                                              {{"add", 1, TRUE, false},
                                               {"add", 1, FALSE, false},
                                               {"remove", 1, TRUE, false},
                                               {"remove", 1, FALSE, false},
                                               {"contains", 1, TRUE, false},
                                               {"contains", 1, FALSE, false},
                                               {"add", 1, NO_VALUE, true},
                                               {"remove", 1, NO_VALUE, true},
                                               {"contains", 1, NO_VALUE, true}}},
                                             {"lock",
                                              NULL,
                                              {3, 4},
                                              {{"lock", NO_VALUE, NO_VALUE, false},
                                               {"unlock", NO_VALUE, NO_VALUE, false},
                                               {"trylock", NO_VALUE, TRUE, false},
                                               {"trylock", NO_VALUE, FALSE, false},
                                               {"lock", NO_VALUE, NO_VALUE, true},
                                               {"unlock", NO_VALUE, NO_VALUE, true},
                                               {"trylock", NO_VALUE, NO_VALUE, true}}},
                                             {"lock", NULL, {3, 4}, TAGGED("lock", "unlock", "trylock")},
                                             {"semaphore(2)", NULL, {3, 4}, TAGGED("acquire", "release", "tryacquire")},
                                             {"semaphore(3)", NULL, {3, 4}, TAGGED("acquire", "release", "tryacquire")},
                                             {"semaphore(1)", NULL, {3, 4}, SEMAPHORE},
                                             {"semaphore(2)", NULL, {3, 4}, SEMAPHORE},
                                             {"semaphore(3)", NULL, {3, 4}, SEMAPHORE},
                                             {"counting-semaphore(1)",
                                              NULL,
                                              {3, 4},
                                              {{"wait", NO_VALUE, NO_VALUE, false},
                                               {"post", NO_VALUE, NO_VALUE, false},
                                               {"trywait", NO_VALUE, TRUE, false},
                                               {"wait", NO_VALUE, NO_VALUE, true},
                                               {"post", NO_VALUE, NO_VALUE, true}}},
                                             {"counting-semaphore(0)",
                                              NULL,
                                              {3, 4},
                                              {{"wait", NO_VALUE, NO_VALUE, false},
                                               {"post", NO_VALUE, NO_VALUE, false},
                                               {"trywait", NO_VALUE, FALSE, false},
                                               {"trywait", NO_VALUE, TRUE, false},
                                               {"post", NO_VALUE, NO_VALUE, true}}},
                                             {"multiset",
                                              "[1, 1]",
                                              {3, 4},
                                              {{"add", 1, NO_VALUE, false},
                                               {"remove", 1, TRUE, false},
                                               {"remove", 1, FALSE, false},
                                               {"contains", 1, TRUE, false},
                                               {"contains", 1, FALSE, false},
                                               {"count", 1, 0, false},
                                               {"add", 1, NO_VALUE, true},
                                               {"remove", 1, NO_VALUE, true},
                                               {"count", 1, NO_VALUE, true},
                                               {"contains", 1, NO_VALUE, true}}},
                                             {"counter",
                                              NULL,
                                              {3, 4},
                                              {{"inc", NO_VALUE, NO_VALUE, false},
                                               {"inc", NO_VALUE, 2, false},
                                               {"fetch-add", 1, 0, false},
                                               {"fetch-add", 1, 1, false},
                                               {"fetch-add", 1, 2, false},
                                               {"get", NO_VALUE, 0, false},
                                               {"get", NO_VALUE, 1, false},
                                               {"fetch-add", 1, NO_VALUE, true},
                                               {"fetch-add", 1, NO_VALUE, false}}},
                                             {"counter", NULL, {3, 4}, UNEVEN},
                                             {"counter", "1", {3, 4}, UNEVEN},
                                             {"bounded-queue(1)", NULL, {3, 4}, BOUNDED},
                                             {"bounded-queue(1)", "[2]", {3, 4}, BOUNDED},
                                             {"bounded-queue(2)", NULL, {3, 4}, BOUNDED},
                                             {"register", NULL, {3, 4}, REGISTER},
                                             {"cas-register", "3", {3, 4}, REGISTER},
                                             {"exchanger",
                                              NULL,
                                              {3, 4},
                                              {{"exchange", 1, 1, false},
                                               {"exchange", 1, 2, false},
                                               {"exchange", 2, 1, false},
                                               {"exchange", 1, 3, false},
                                               {"exchange", 3, 1, false},
                                               {"exchange", 2, 3, false},
                                               {"exchange", 3, 2, false},
                                               {"exchange", 2, NULL_WORD, false},
                                               {"exchange", 1, NO_VALUE, true},
                                               {"exchange", 2, NO_VALUE, true},
                                               {"exchange", 3, NO_VALUE, true}}},
                                             {0}};

const struct alphabet tied_alphabets[] = {{"memory",
                                           NULL,
                                           {4, 4},
                                           {{"write", PAIR(1, 1), NO_VALUE, false, 0},
                                            {"write", PAIR(2, 1), NO_VALUE, false, 0},
                                            {"read", 1, 0, false, 0},
                                            {"read", 1, 1, false, 0},
                                            {"read", 2, 0, false, 0},
                                            {"read", 2, 1, false, 0},
                                            {"write", PAIR(1, 1), NO_VALUE, true, 0}},
                                           NULL},
                                          {"set",
                                           NULL,
                                           {4, 4},
                                           {{"add", 1, TRUE, false, 0},
                                            {"add", 2, TRUE, false, 0},
                                            {"contains", 1, TRUE, false, 0},
                                            {"contains", 1, FALSE, false, 0},
                                            {"contains", 2, TRUE, false, 0},
                                            {"contains", 2, FALSE, false, 0}},
                                           NULL},
                                          {"map",
                                           NULL,
                                           {4, 4},
                                           {{"put", PAIR(1, 1), NULL_WORD, false, 0},
                                            {"put", PAIR(2, 1), NULL_WORD, false, 0},
                                            {"get", 1, NULL_WORD, false, 0},
                                            {"get", 1, 1, false, 0},
                                            {"get", 2, NULL_WORD, false, 0},
                                            {"get", 2, 1, false, 0}},
                                           NULL},
                                          {"queue",
                                           NULL,
                                           {4, 4},
                                           {{"enq", NEW, NO_VALUE, false, 0},
                                            {"enq", NEW, NO_VALUE, false, 1},
                                            {"deq", NO_VALUE, 1, false, 0},
                                            {"deq", NO_VALUE, EMPTY, false, 0},
                                            {"deq", NO_VALUE, 1, false, 1},
                                            {"deq", NO_VALUE, EMPTY, false, 1}},
                                           "queue"},
                                          {"register",
                                           NULL,
                                           {4, 4},
                                           {{"write", 1, NO_VALUE, false, 0},
                                            {"read", NO_VALUE, 0, false, 0},
                                            {"read", NO_VALUE, 1, false, 0},
                                            {"trylock", NO_VALUE, TRUE, false, 1},
                                            {"trylock", NO_VALUE, FALSE, false, 1},
                                            {"unlock", NO_VALUE, NO_VALUE, false, 1}},
                                           "lock"},
                                          {"register",
                                           NULL,
                                           {4, 4},
                                           {{"write", 1, NO_VALUE, false, 0},
                                            {"read", NO_VALUE, 0, false, 0},
                                            {"read", NO_VALUE, 1, false, 0},
                                            {"exchange", 1, 2, false, 1},
                                            {"exchange", 2, 1, false, 1},
                                            {"exchange", 2, NULL_WORD, false, 1}},
                                           "exchanger"},
                                          {0}};

const char *some_object(const assay_spec *s, struct rng *rng)
{
    static const char *const semaphores[] = {"semaphore(1)", "semaphore(2)"};
    static const char *const counting[] = {"counting-semaphore(1)", "counting-semaphore(2)"};
    if (strcmp(s->name, "semaphore") == 0)
        return semaphores[rng_below(rng, 2)];
    if (strcmp(s->name, "counting-semaphore") == 0)
        return counting[rng_below(rng, 2)];
    static const char *const bounded[] = {"bounded-queue(1)", "bounded-queue(2)"};
    if (strcmp(s->name, "bounded-queue") == 0)
        return bounded[rng_below(rng, 2)];
    static const char *const banks[] = {"bank(2,1)", "bank(3,2)"};
    if (strcmp(s->name, "bank") == 0)
        return banks[rng_below(rng, 2)];
    return strcmp(s->name, "pqueue") == 0 && rng_below(rng, 2) ? "pqueue(min)" : s->name;
}

const char *some_init(const assay_spec *s, struct rng *rng)
{
    static const char *const collections[] = {"queue", "stack", "pqueue", "deque"};
    for (size_t i = 0; i < sizeof collections / sizeof *collections; i++)
        if (strcmp(s->name, collections[i]) == 0 && rng_below(rng, 8) == 0)
            return strcmp(s->name, "pqueue") != 0 && rng_below(rng, 2) ? "[a, b]" : "[50, 60]";
    if (strcmp(s->name, "set") == 0 && rng_below(rng, 8) == 0)
        return "[1, a]";
    if ((strcmp(s->name, "map") == 0 || strcmp(s->name, "memory") == 0) && rng_below(rng, 4) == 0)
        return rng_below(rng, 2) ? "1=2" : "1=a 2=3";
    static const char *const strings[] = {"1=\"a\"", "1=\"c\" 2=\"ab\"", "1=\"\" b=\"d\"", "1=\"zz\""};
    if (strcmp(s->name, "append-map") == 0 && rng_below(rng, 4) == 0)
        return strings[rng_below(rng, 4)];
    return strcmp(s->name, "register") == 0 && rng_below(rng, 4) == 0 ? (rng_below(rng, 2) ? "a" : "50") : NULL;
}
