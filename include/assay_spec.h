/* SPDX-License-Identifier: Apache-2.0 */
/* Sequential objects of your own, for assay_options.spec and `assay check --spec`.
 *
 * A specification defines the effect and the result of each call when calls come one after another. The checker then
 * finds the order of concurrent calls that explains the recorded results. The objects of this library use the same
 * interface; examples/ has one that is built outside of it. A shared object exports
 *
 *     const assay_spec assay_spec_plugin = {.version = ASSAY_SPEC_VERSION, .name = "ticket", ...};
 *
 * step changes a state in place, and undo restores it, in the reverse order of the steps. States that are equal must
 * have equal digests. States with equal digests are compared by `equal`; without that hook they are taken to be equal.
 * In that case all 128 bits should depend on everything that later calls can observe. They should also depend on a
 * secret that the author of a history does not know, because otherwise someone can make a history that gets a wrong
 * verdict. assay_digest takes care of both.
 *
 * Ownership: if a function returns a pointer without const, it is yours, and you release it with the _free or _close of
 * its type, which accept NULL. A pointer to const, whether returned, stored through an argument, or inside a returned
 * struct, belongs to the handle that you asked. It lives until that handle is changed or released; if there is no
 * handle, it lives as long as the program. Texts and arrays that you pass need to live only as long as the call, unless
 * the function says otherwise. A block from assay_memory_get is released by assay_memory_free, or together with the
 * check. The specification itself, and the texts that its hooks return, are yours and must live as long as the handles
 * that use them.
 *
 * Threads: every thread that checks with a specification calls its hooks, with states and memory of its own. A memory
 * and its blocks may be used only within the hooks that they were given to. Hooks must return: neither longjmp nor a
 * C++ exception may leave them. */
#ifndef ASSAY_SPEC_H
#define ASSAY_SPEC_H

#include "assay.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_SPEC_VERSION 5

/* The memory of states. Blocks are zeroed, counted against the memory budget of the check, and freed with it. NULL
 * means that there is no more memory (a block that was to be resized stays as it was). The hook should then return; its
 * result does not matter. The check ends undecided as soon as the hook has returned, without calling `destroy` for the
 * existing states. */
typedef struct assay_memory assay_memory;
ASSAY_API void *assay_memory_get(assay_memory *m, size_t bytes);
ASSAY_API void *assay_memory_resize(assay_memory *m, void *block, size_t bytes); /* new bytes are not zeroed */
ASSAY_API void assay_memory_free(assay_memory *m, void *block);

/* In the values of a call, equal texts have equal numbers in `integer` (never 0). In values that a specification makes
 * up, `integer` may remain 0. */
ASSAY_API bool assay_value_same(assay_value a, assay_value b);
/* A digest of plain bytes under a key that each process draws anew, so that recheck has another one. So compute it in
 * the hook `digest`, or keep it up to date within the state; elsewhere it means nothing. */
ASSAY_API void assay_digest(const void *bytes, size_t n, uint64_t out[2]);

typedef enum assay_result_rule {
    ASSAY_RESULT_REQUIRED, /* a completed call has a result */
    ASSAY_RESULT_OPTIONAL, /* it may be absent, and then any result is accepted */
    ASSAY_RESULT_NONE      /* it has none */
} assay_result_rule;

#define ASSAY_ANY_ARITY 255
#define ASSAY_NONE_OR_ONE 254 /* an arity: the argument may be absent */
#define ASSAY_NO_KEY (-1)     /* the call concerns the whole object */
#define ASSAY_NO_EFFECT (-2)  /* the call is always legal, changes nothing and has no result */

typedef struct assay_method {
    const char *name;
    const char *signature; /* for messages: "write(variable, value)" */
    unsigned char id;      /* the specification's own; methods with one id are other names for the same */
    unsigned char arity;
    signed char key; /* the argument that names the independent part of the object it concerns, or one of the above */
    assay_result_rule result;
} assay_method;

typedef struct assay_call {
    unsigned method; /* id */
    unsigned arg_count;
    const assay_value *args;
    assay_value result; /* as recorded; ASSAY_NONE: not known, or there is none */
    uint32_t operation; /* its number in the history */
    uint32_t thread;
} assay_call;

typedef struct assay_binding {
    assay_value key, value; /* `@init x=1`; `@init 1` and `@init [1, 2]` have keys of kind ASSAY_NONE */
    uint32_t header;        /* which header says so; equal for those of one line */
} assay_binding;

typedef struct assay_setting { /* the declaration of an object in a history */
    assay_value parameter;     /* 3 of semaphore(3), or ASSAY_NONE */
    const assay_binding *init;
    size_t init_count;
} assay_setting;

typedef enum assay_effect {
    ASSAY_BLOCKED, /* the call cannot take effect in this state (a lock that is held) */
    ASSAY_SAME,    /* it takes effect and leaves the state as it was; it is not undone */
    ASSAY_CHANGED
} assay_effect;

typedef struct assay_saved { /* for undo, in any form that the specification likes */
    assay_value value;
    int64_t number;
} assay_saved;

/* May a call be left out of a history, so that the history stays consistent if it was? Values that @init names stay. */
typedef enum assay_cut {
    ASSAY_CUT_NEVER,     /* no; and if *value is set, no call about that value may be left out */
    ASSAY_CUT_ALONE,     /* with this result it changes nothing; it is left out if the other calls about *value are */
    ASSAY_CUT_WITH_VALUE /* together with all calls about the same *value */
} assay_cut;

/* The values that an operation names, if all operations that name a value may be left out of a history together. If the
 * whole was consistent, so is the rest. `empty`, `true`, `false` and `null` do not count as values. */
typedef enum assay_naming {
    ASSAY_NAMES_NONE,               /* they may not */
    ASSAY_NAMES_ARGUMENT,           /* its first argument */
    ASSAY_NAMES_ARGUMENT_OR_RESULT, /* its first argument; without one, its result */
    ASSAY_NAMES_BOTH
} assay_naming;

struct assay_spec {
    unsigned version; /* ASSAY_SPEC_VERSION */
    const char *name, *title;
    const char *extends;         /* an object with the same behaviour for the methods it has, or NULL */
    const assay_method *methods; /* up to a NULL name */
    /* What is wrong with the parameter or the initial values, or NULL. The hook may be NULL; then neither is allowed.
     * */
    const char *(*refuse)(const assay_setting *s);
    /* What is wrong with a call's arguments or recorded result (a word instead of a number), or NULL. The hook may be
     * NULL if method and arity say enough. */
    const char *(*refuse_call)(const assay_call *call);
    /* The same if it depends on the parameter or the initial values (an account that a bank does not have). It is
     * called for calls that the hook above does not refuse, and may be NULL. */
    const char *(*refuse_use)(const assay_setting *s, const assay_call *call);
    /* Makes the initial state; NULL: there is no memory for it, as with `copy`. `key` is the part's key, or ASSAY_NONE
     * for the whole object. The hook is NULL if the object has no sequential states (and an engine of its own). */
    void *(*create)(const assay_setting *s, assay_value key, assay_memory *m);
    void *(*copy)(const void *state, assay_memory *m); /* earlier steps are not undone in the copy */
    void (*destroy)(void *state, assay_memory *m);
    /* Takes the call's step and puts its result into *result (zeroed before; kind ASSAY_NONE: nothing; a text need not
     * outlive the next step). The caller compares it with the recorded result. If there are several outcomes, `choice`
     * selects one. */
    assay_effect (*step)(void *state, const assay_call *call, unsigned choice, assay_value *result, assay_saved *saved);
    void (*undo)(void *state, const assay_call *call, const assay_saved *saved);
    unsigned (*choices)(const void *state, const assay_call *call); /* NULL: always 1 */
    void (*digest)(const void *state, uint64_t out[2]);
    bool (*equal)(const void *a, const void *b); /* can no later call tell them apart? NULL: equal digests say so */
    assay_cut (*cut)(const assay_call *call, assay_value *value); /* NULL: never */
    /* The state in words, as snprintf: "[1, 2]". */
    size_t (*describe)(const void *state, char *out, size_t size);
    /* Makes the part of this key equal to `part`, a state made for that key alone. This is for objects that have
     * methods with a key and others without: monitors follow them part by part until the first call of the others.
     * NULL: monitors follow the whole. */
    void (*join)(void *state, assay_value key, const void *part);
    /* Is the object in its initial state once a call of this method (an unlock) has returned that overlapped no other?
     * After a violation, monitors continue after such a call. NULL: after none. */
    bool (*renews)(unsigned method);
    /* After a violation, monitors continue without the operations that name a value from before. */
    assay_naming names;
    /* The state as initial values: visit(arg, b) for each of them. From these and the same parameter and key, `create`
     * must make an equal state. `refuse` need not accept them (the holders of a lock). Monitors use this to save
     * states. NULL: the states cannot be saved. */
    void (*content)(const void *state, void (*visit)(void *arg, assay_binding b), void *arg);
    /* The step of a call that another operation sees, under a weak model: it has its effect, and the values that it
     * found are not compared. Only objects need this hook whose calls show such values among their arguments, or whose
     * effect depends on the recorded result. NULL: `step`, with an unknown result. */
    assay_effect (*invoke)(void *state, const assay_call *call, assay_saved *saved);
};

extern ASSAY_API const assay_spec assay_spec_plugin; /* the shared object's; the library has none of this name */

/* Loads a theory of your own (docs/guides/theories.md) as an object, for assay_options.spec and
 * assay_monitor_options.spec, with the engines and monitors symbolic, enumerate and saturate. It stays loaded. NULL
 * with an error that says where. */
ASSAY_API const assay_spec *assay_theory_load(const char *path, assay_error *e);
ASSAY_API const assay_spec *assay_theory_parse(const char *name, const char *text, size_t length, assay_error *e);

/* The i-th built-in theory: the name of its object, or NULL. assay_theory_write writes its text. */
ASSAY_API const char *assay_theory_name(size_t i);
ASSAY_API bool assay_theory_write(size_t i, FILE *out);

/* Does the specification keep the contracts of its hooks (step, undo, copy, digest, equal, choices, content, cut)?
 * Tries them on `walks` random sequences of calls for each declaration that it accepts. True: no hook was found to
 * break a contract. Otherwise the error names the hook, and the calls that show it are written to `out` (may be NULL).
 * Checks also try a few themselves. */
ASSAY_API bool assay_spec_try(const assay_spec *s, unsigned walks, uint64_t seed, FILE *out, assay_error *e);

/* Loads a shared object's assay_spec_plugin; it stays loaded. NULL with an error. */
ASSAY_API const assay_spec *assay_spec_load(const char *path, assay_error *e);

#ifdef __cplusplus
}
#endif
#endif
