/* SPDX-License-Identifier: Apache-2.0 */
#include "support/alphabets.h"

#include <string.h>

const struct alphabet alphabets[] = {
    {"queue", NULL, {4, 5},
     {{"enq", NEW, NO_VALUE, false}, {"enq", NEW, NO_VALUE, true}, {"deq", NO_VALUE, 1, false}, {"deq", NO_VALUE, 2, false},
      {"deq", NO_VALUE, 3, false}, {"deq", NO_VALUE, EMPTY, false}, {"deq", NO_VALUE, NO_VALUE, true},
      {"peek", NO_VALUE, 1, false}, {"peek", NO_VALUE, 2, false}}},
    {"stack", NULL, {4, 5},
     {{"push", NEW, NO_VALUE, false}, {"push", NEW, NO_VALUE, true}, {"pop", NO_VALUE, 1, false}, {"pop", NO_VALUE, 2, false},
      {"pop", NO_VALUE, 3, false}, {"pop", NO_VALUE, EMPTY, false}, {"pop", NO_VALUE, NO_VALUE, true},
      {"peek", NO_VALUE, 1, false}, {"peek", NO_VALUE, 2, false}}},
    {"pqueue", NULL, {4, 5},
     {{"add", 1, NO_VALUE, false}, {"add", 2, NO_VALUE, false}, {"add", 2, NO_VALUE, true}, {"rem", NO_VALUE, 1, false},
      {"rem", NO_VALUE, 2, false}, {"rem", NO_VALUE, EMPTY, false}, {"rem", NO_VALUE, NO_VALUE, true},
      {"peek", NO_VALUE, 1, false}}},
    {"register", NULL, {4, 5},
     {{"write", NEW, NO_VALUE, false}, {"write", NEW, NO_VALUE, true}, {"read", NO_VALUE, 0, false}, {"read", NO_VALUE, 1, false},
      {"read", NO_VALUE, 2, false}, {"read", NO_VALUE, NO_VALUE, true}}},
    {"set", NULL, {4, 5},
     {{"add", 1, TRUE, false}, {"add", 1, FALSE, false}, {"add", 1, NO_VALUE, true}, {"remove", 1, TRUE, false},
      {"remove", 1, FALSE, false}, {"remove", 1, NO_VALUE, true}, {"contains", 1, TRUE, false}, {"contains", 1, FALSE, false},
      {"add", 1, NO_VALUE, false}}},
    {"lock", NULL, {4, 5},
     {{"lock", NO_VALUE, NO_VALUE, false}, {"lock", NO_VALUE, NO_VALUE, true}, {"unlock", NO_VALUE, NO_VALUE, false},
      {"unlock", NO_VALUE, NO_VALUE, true}, {"trylock", NO_VALUE, TRUE, false}, {"trylock", NO_VALUE, FALSE, false}}},
    {"semaphore(2)", NULL, {4, 5},
     {{"acquire", NO_VALUE, NO_VALUE, false}, {"acquire", NO_VALUE, NO_VALUE, true}, {"release", NO_VALUE, NO_VALUE, false},
      {"release", NO_VALUE, NO_VALUE, true}, {"tryacquire", NO_VALUE, TRUE, false},
      {"tryacquire", NO_VALUE, FALSE, false}}},
    {"multiset", NULL, {4, 5},
     {{"add", 1, NO_VALUE, false}, {"add", 1, NO_VALUE, true}, {"remove", 1, TRUE, false}, {"remove", 1, FALSE, false},
      {"remove", 1, NO_VALUE, true}, {"count", 1, 1, false}, {"count", 1, 0, false}, {"count", 1, 2, false}}},
    {"exchanger", NULL, {4, 5},
     {{"exchange", 1, 2, false}, {"exchange", 2, 1, false}, {"exchange", 1, 1, false}, {"exchange", 1, NULL_WORD, false},
      {"exchange", 2, NO_VALUE, true}, {"exchange", 1, NO_VALUE, true}}},
    {0}};

const struct alphabet tied_alphabets[] = {
    {"memory", NULL, {4, 4},
     {{"write", PAIR(1, 1), NO_VALUE, false, 0}, {"write", PAIR(2, 1), NO_VALUE, false, 0}, {"read", 1, 0, false, 0},
      {"read", 1, 1, false, 0}, {"read", 2, 0, false, 0}, {"read", 2, 1, false, 0}, {"write", PAIR(1, 1), NO_VALUE, true, 0}},
     NULL},
    {"set", NULL, {4, 4},
     {{"add", 1, TRUE, false, 0}, {"add", 2, TRUE, false, 0}, {"contains", 1, TRUE, false, 0},
      {"contains", 1, FALSE, false, 0}, {"contains", 2, TRUE, false, 0}, {"contains", 2, FALSE, false, 0}},
     NULL},
    {"map", NULL, {4, 4},
     {{"put", PAIR(1, 1), NULL_WORD, false, 0}, {"put", PAIR(2, 1), NULL_WORD, false, 0}, {"get", 1, NULL_WORD, false, 0},
      {"get", 1, 1, false, 0}, {"get", 2, NULL_WORD, false, 0}, {"get", 2, 1, false, 0}},
     NULL},
    {"queue", NULL, {4, 4},
     {{"enq", NEW, NO_VALUE, false, 0}, {"enq", NEW, NO_VALUE, false, 1}, {"deq", NO_VALUE, 1, false, 0},
      {"deq", NO_VALUE, EMPTY, false, 0}, {"deq", NO_VALUE, 1, false, 1}, {"deq", NO_VALUE, EMPTY, false, 1}},
     "queue"},
    {"register", NULL, {4, 4},
     {{"write", 1, NO_VALUE, false, 0}, {"read", NO_VALUE, 0, false, 0}, {"read", NO_VALUE, 1, false, 0},
      {"trylock", NO_VALUE, TRUE, false, 1}, {"trylock", NO_VALUE, FALSE, false, 1}, {"unlock", NO_VALUE, NO_VALUE, false, 1}},
     "lock"},
    {"register", NULL, {4, 4},
     {{"write", 1, NO_VALUE, false, 0}, {"read", NO_VALUE, 0, false, 0}, {"read", NO_VALUE, 1, false, 0},
      {"exchange", 1, 2, false, 1}, {"exchange", 2, 1, false, 1}, {"exchange", 2, NULL_WORD, false, 1}},
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
    return strcmp(s->name, "register") == 0 && rng_below(rng, 4) == 0 ? (rng_below(rng, 2) ? "a" : "50") : NULL;
}
