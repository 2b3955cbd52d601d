#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Adapters as people write them: over several source files, with words in a buffer that is used again, with mistakes.
# assay stress does what was meant, or says what is wrong; and a campaign that could hardly find anything says so.
set -u
root=$(realpath "$(dirname "$0")/../..")
. "$root/tests/support/scratch.sh"
. "$root/tests/support/expect.sh"
shared() { # OUT FILE...
    case ${*: -1} in
    *.cc) command -v c++ >/dev/null && c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -I"$root/include" -pthread -shared -fPIC -o "$@" ;;
    *) cc -std=gnu11 -Wall -Wextra -Wpedantic -Werror -I"$root/include" -pthread -shared -fPIC -o "$@" ;;
    esac
}
stress() { "$assay" stress "$@"; }
silent() { grep -qF -- "$1" said && fault "'$1' in: $(cat said)"; }

# ---- marked points in a source file other than the adapter's ----
cat >counter.h <<'END'
#include <assay_adapter.h>
#ifdef __cplusplus
extern "C"
#endif
int64_t count_up(int64_t *counter);
END
cat >counter.c <<'END'
#include "counter.h"
int64_t count_up(int64_t *counter)
{
    ASSAY_POINT();
    return __atomic_add_fetch(counter, 1, __ATOMIC_SEQ_CST);
}
END
cat >adapter.c <<'END'
#include "counter.h"
static int64_t counter;
static void *create(const assay_adapter_setting *s) { (void)s; counter = 0; return &counter; }
static void destroy(void *object) { (void)object; }
static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    (void)thread, (void)method, (void)args;
    return assay_answer_int(count_up((int64_t *)object));
}
static const assay_adapter_method methods[] = {{"inc", 1, NULL}, {NULL, 0, NULL}};
#ifndef POINT
#define POINT &assay_adapter_point
#endif
static const assay_adapter mine = {ASSAY_ADAPTER_VERSION, "counter:mine", "counter", "a number", NULL, NULL, NULL, NULL,
    methods, create, destroy, NULL, NULL, call, POINT, NULL, NULL, NULL, NULL, NULL, NULL};
#ifdef __cplusplus
extern "C"
#endif
const assay_adapter *const assay_adapters[] = {&mine, NULL};
END
chance='no ASSAY_POINT was reached: schedules differ only by chance'
for kind in c cc; do
    [ $kind = c ] || { cp adapter.c adapter.cc && cp counter.c counter.cc; }
    shared two-$kind.so adapter.$kind counter.$kind || { [ $kind = cc ] && continue; fault "two files do not build"; }
    expect 0 'no violation' stress --load ./two-$kind.so --runs 50
    silent "$chance"
    shared none-$kind.so -DPOINT=NULL adapter.$kind counter.$kind
    expect 0 "$chance" stress --load ./none-$kind.so --runs 50
    expect 0 '"points":0,' stress --load ./none-$kind.so --runs 50 --json
    expect 0 'no violation' stress --load ./none-$kind.so --runs 50 --threads 1
    silent "$chance" # one thread has one schedule
done

# ---- words: in a buffer that is used again, and none at all ----
cat >words.c <<'END'
#include <assay_adapter.h>
#include <pthread.h>
#include <stdio.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int value;
static void *create(const assay_adapter_setting *s) { (void)s; value = 0; return &value; }
static void destroy(void *object) { (void)object; }
static assay_answer call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    static char words[64][32];
    (void)object, (void)args, (void)method;
    if (MISSING)
        return ANSWER;
    pthread_mutex_lock(&lock);
    int held = value;
    value = 1;
    pthread_mutex_unlock(&lock);
    snprintf(words[thread], sizeof words[thread], "%s", held ? "false" : "true");
    return assay_answer_word(words[thread]);
}
static const assay_adapter_method methods[] = {{"trylock", 1, NULL}, {NULL, 0, NULL}};
static const assay_adapter mine = {ASSAY_ADAPTER_VERSION, "lock:words", "lock", "a lock that is never left", NULL, NULL,
    NULL, NULL, methods, create, destroy, NULL, NULL, call, NULL, NULL, NULL, NULL, NULL, NULL, NULL};
const assay_adapter *const assay_adapters[] = {&mine, NULL};
END
shared words.so -DMISSING=0 -DANSWER='assay_answer_none()' words.c
expect 0 'no violation' stress --load ./words.so --runs 100 --threads 1
expect 0 'no violation' stress --load ./words.so --runs 100
shared no-word.so -DMISSING=1 -DANSWER='assay_answer_word(NULL)' words.c
expect 2 'lock:words: trylock returned assay_answer_word(NULL)' stress --load ./no-word.so --runs 100
shared no-list.so -DMISSING=1 -DANSWER='assay_answer_list(NULL, 2)' words.c
expect 2 'lock:words: trylock returned assay_answer_list(NULL, ...)' stress --load ./no-list.so --runs 100

[ $faults -eq 0 ] && echo "stress_adapters: several files, words in buffers, mistakes and doubts"
