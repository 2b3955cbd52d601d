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

# ---- a list without its end, another name, a load that crashes ----
sed 's/{&mine, NULL};/{\&mine};/' words.c >endless.c
shared endless.so -DMISSING=0 -DANSWER='assay_answer_none()' endless.c
expect 2 'endless.so: its list assay_adapters does not end with NULL' stress --load ./endless.so
sed 's/{NULL, 0, NULL}};/{(const char *)1, 0, NULL}};/' words.c >wild.c
shared wild.so -DMISSING=0 -DANSWER='assay_answer_none()' wild.c
expect 2 'wild.so: reading its list of adapters ended the process (signal 11)' stress --load ./wild.so
expect 2 './words.so has lock:words' stress lock:other --load ./words.so
sed '1i __attribute__((constructor)) static void early(void) { __builtin_trap(); }' words.c >early.c
shared early.so -DMISSING=0 -DANSWER='assay_answer_none()' early.c
expect 2 'early.so: loading it ended the process (signal' stress --load ./early.so
silent LD_PRELOAD

# ---- an answer that no history can have ----
shared blanks.so -DMISSING=1 -DANSWER='assay_answer_word("it was held")' words.c
expect 2 'lock:words: the call `t0: trylock() => it was held` cannot be checked' stress --load ./blanks.so --runs 9 --threads 1
silent 'what was recorded'

# ---- little chance to find anything ----
expect 0 'never called: deq' stress queue:mutex --threads 1 --roles deq=1 --runs 20
expect 0 '"never_called":"deq",' stress queue:mutex --threads 1 --roles deq=1 --runs 20 --json
expect 0 'no violation' stress queue:mutex --threads 1 --runs 200 --mix enq=1
silent 'never called'
expect 0 'calls of different threads ' stress queue:mutex --runs 50
expect 0 'calls of different threads never overlapped' stress queue:mutex --threads 2 --invocations 1 --runs 20
expect 1 'one thread is enough: look at the adapter or the specification first' stress queue:k-fifo --threads 1 --seconds 600
expect 1 '  initial content: [5, 5, 5, 5]' stress bank:unlocked --mix transfer --seconds 600

# ---- threads that are never joined ----
cat >leaves.h <<'END'
#include <pthread.h>
#include <unistd.h>
static void *wait_for_ever(void *arg) { for (;;) pause(); return arg; }
static void leave_one(void) { pthread_t t; if (pthread_create(&t, NULL, wait_for_ever, NULL) == 0) pthread_detach(t); }
END
sed '1i #include "leaves.h"' words.c | sed 's/value = 0; return/value = 0; leave_one(); return/' >leaves.c
shared leaves.so -DMISSING=0 -DANSWER='assay_answer_none()' leaves.c
expect 0 '20 threads were left when all objects had been destroyed' stress --load ./leaves.so --runs 20 --threads 1
expect 0 'no violation' stress --load ./words.so --runs 20 --threads 1
silent 'were left'

# ---- memory that is never freed ----
sanitized=$(sed -nE 's/^ASSAY_SANITIZE:[A-Z]*=(.+)/\1/p' "${ASSAY_BUILD:?the build folder}/CMakeCache.txt")
asan=$(cc -print-file-name=libasan.so)
printf '#include <stdlib.h>\nstatic void *volatile last;\n' | cat - words.c |
    sed 's/value = 0; return/value = 0; last = malloc(100); last = NULL; return/' >leaks.c
if [ -z "$sanitized" ] && [ -f "$asan" ] && shared leaks.so -fsanitize=address -DMISSING=0 -DANSWER='assay_answer_none()' leaks.c; then
    expect 1 'memory was left that nobody can free (LeakSanitizer), after all runs' \
        env LD_PRELOAD="$asan" "$assay" stress --load ./leaks.so --runs 20
    shared tidy.so -fsanitize=address -DMISSING=0 -DANSWER='assay_answer_none()' words.c
    expect 0 'no violation' env LD_PRELOAD="$asan" "$assay" stress --load ./tidy.so --runs 20
fi

[ $faults -eq 0 ] && echo "stress_adapters: several files, words in buffers, mistakes and doubts"
