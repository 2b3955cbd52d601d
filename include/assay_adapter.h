/* SPDX-License-Identifier: Apache-2.0 */
/* Describes an implementation under test for `assay stress`: C11 and C++17.
 *
 * An adapter is a struct of data and functions. The adapters of this project use the same interface
 * (collect/implement). examples/adapter.c is built outside of it, as a shared object that exports
 *
 *     const assay_adapter *const assay_adapters[] = {&mine, NULL};
 *
 * Try it with
 *
 *     cc -shared -fPIC -o adapter.so adapter.c
 *     assay stress --load ./adapter.so
 *
 * In a run, `create` makes one object. Each of `threads` threads calls `enter`, waits for the others, makes its share
 * of the calls through `call`, and calls `leave`. When all have left, `invariant` looks at the object, and `destroy`
 * ends it. Threads are numbered from 0 and live longer than a run. Every run is recorded and checked. Everything
 * between the beginning and the end of `call` is tested, so it should contain the call under test and nothing else. */
#ifndef ASSAY_ADAPTER_H
#define ASSAY_ADAPTER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_ADAPTER_VERSION 2 /* adapters of version 1 are also loaded */
#define ASSAY_ADAPTER_ARGS 8    /* most arguments of a call */

/* The result of a call: nothing, a number, a word ("empty", "null") of at most 55 bytes, or a list of numbers. A word
 * is copied right after the call. Or the call failed, and it is certain that it had no effect. */
typedef enum assay_answer_kind {
    ASSAY_ANSWER_NONE = 0,
    ASSAY_ANSWER_INT,
    ASSAY_ANSWER_WORD,
    ASSAY_ANSWER_FAILED,
    ASSAY_ANSWER_LIST /* since version 2 */
} assay_answer_kind;

typedef struct assay_answer {
    assay_answer_kind kind;
    int64_t number; /* of a list: its length */
    union {
        const char *word;
        const int64_t *list;
    };
} assay_answer;

static inline assay_answer assay_answer_none(void)
{
    assay_answer a = {ASSAY_ANSWER_NONE, 0, {NULL}};
    return a;
}

static inline assay_answer assay_answer_int(int64_t number)
{
    assay_answer a = {ASSAY_ANSWER_INT, 0, {NULL}};
    a.number = number;
    return a;
}

static inline assay_answer assay_answer_word(const char *word)
{
    assay_answer a = {ASSAY_ANSWER_WORD, 0, {NULL}};
    a.word = word;
    return a;
}

/* The numbers are copied right after the call and must not change until then; keep them in memory of this thread, for
 * instance. */
static inline assay_answer assay_answer_list(const int64_t *numbers, size_t n)
{
    assay_answer a = {ASSAY_ANSWER_LIST, 0, {NULL}};
    a.number = (int64_t)n;
    a.list = numbers;
    return a;
}

static inline assay_answer assay_answer_bool(int yes)
{
    return assay_answer_word(yes ? "true" : "false");
}

/* The call had no effect, and the object has no result for that: a push that found no memory, a try that gave up. The
 * history leaves the call out. */
static inline assay_answer assay_answer_failed(void)
{
    assay_answer a = {ASSAY_ANSWER_FAILED, 0, {NULL}};
    return a;
}

/* A method, by its name in the object (`assay list objects`); its number is its place in the adapter's list.
 *
 * If calls acquire something (a lock), `opened_by` of the releasing method names the acquiring methods: {"unlock", 1,
 * "lock trylock"}. A thread then calls unlock only after an acquiring call that returned true or nothing. It makes no
 * other acquiring call in between, and releases at the end. So no thread waits for itself, and none holds two locks. */
typedef struct assay_adapter_method {
    const char *name;
    unsigned weight;       /* how often clients call it, in proportion to the others; 0: only where --mix says so */
    const char *opened_by; /* NULL: it may be called at any time */
} assay_adapter_method;

/* A part of the initial content: a value, or what a key has (`@init 10` and `@init 3=10`). */
typedef struct assay_adapter_binding {
    int has_key;
    int64_t key, value;
} assay_adapter_binding;

typedef struct assay_adapter_setting {
    unsigned threads;
    unsigned calls; /* the most calls in this run, of all threads together */
    uint64_t seed;  /* of this run, for implementations that make random choices */
    /* since version 2: the initial content, that of the adapter or of --init */
    const assay_adapter_binding *initial;
    size_t initial_count;
} assay_adapter_setting;

typedef struct assay_adapter {
    unsigned version;   /* ASSAY_ADAPTER_VERSION */
    const char *name;   /* OBJECT:IMPLEMENTATION, as in "queue:michael-scott" */
    const char *object; /* with its parameter: "queue", "semaphore(2)" */
    const char *title;  /* a few words */
    /* What it promises about its histories: a model, and perhaps the visibility of some methods, as after --visibility.
     * NULL: lin. Runs are checked against lin regardless, unless -m or --visibility says otherwise. */
    const char *satisfies, *visibility;
    const char *flaw;                                      /* the flaw that it has on purpose, or NULL */
    const char *missing;                                   /* why it cannot be used in this build, or NULL */
    const assay_adapter_method *methods;                   /* up to a NULL name */
    void *(*create)(const assay_adapter_setting *setting); /* NULL: it could not be made */
    void (*destroy)(void *object);
    void (*enter)(void *object, unsigned thread); /* both may be NULL */
    void (*leave)(void *object, unsigned thread);
    assay_answer (*call)(void *object, unsigned thread, unsigned method, const int64_t *args);
    void (**point)(void); /* &assay_adapter_point if it has marked points, else NULL */

    /* since version 2 */

    /* Methods that wait, each with the answer that it never gives: "deq=empty,enq=full". Where the object would give
     * this answer, the call does not return until it can return something else. If all calls that are left may wait,
     * the run is not a hang. You need not list methods that the object itself blocks (lock, acquire). NULL: there are
     * none. */
    const char *waits;
    /* The initial content, as after `@init`: "[1, 2]", "3=10". If you set this field, `create` must make the object
     * from the content in the setting, which --init may change. NULL: the object is empty at first, or has its default.
     * */
    const char *initial;
    /* The threads that call a method: "enq=0,deq=1" (one producer, one consumer), "deq=0" (any thread enqueues, one
     * dequeues), "enq=1-,size=0+2". NULL, or a method that is not named: all of them. */
    const char *roles;
    /* Calls that come one after the other, before the threads begin and after they have finished: how many ("4": random
     * ones), or which ("enq=3", "push=1,pop=2"). Each is made by the first thread that may make it, and those of thread
     * 0 come first. NULL: none. */
    const char *before, *after;
    /* Called when all threads have left, before `destroy`. Returns in a few words what is wrong with the object (a list
     * has a cycle, a sum has changed), or NULL. The field itself may also be NULL. */
    const char *(*invariant)(void *object);
} assay_adapter;

/* A marked point: here, between two steps of a call, the harness may let others go first. Costs a test of a pointer.
 * All source files of a shared object have the same pointer, and another shared object has one of its own. */
#if defined(__GNUC__)
__attribute__((weak, visibility("hidden"))) void (*assay_adapter_point)(void);
#else
static void (*assay_adapter_point)(void); /* of this source file alone */
#endif
#define ASSAY_POINT() (assay_adapter_point ? assay_adapter_point() : (void)0)

#if defined(__GNUC__)
__attribute__((visibility("default")))
#endif
extern const assay_adapter *const assay_adapters[]; /* the shared object's; up to NULL */

#ifdef __cplusplus
}
#endif
#endif
