/* SPDX-License-Identifier: Apache-2.0 */
/* Objects: the specifications there are (assay_spec in assay.h), and which of them a history speaks of.
 * Members are listed in spec.def. */
#ifndef ASSAY_SPEC_SPEC_H
#define ASSAY_SPEC_SPEC_H

#include "assay_spec.h"
#include "history/history.h"
#include "spec/hooks.h"
#include "spec/value_forms.h"

extern const assay_spec *const spec_table[]; /* up to NULL */
/* The one of this name, or NULL. */
const assay_spec *spec_find(const char *name, size_t length);
bool spec_is_of_library(const assay_spec *s); /* not one of a user, and none that wraps another one */

/* One object of a history. */
struct object_use {
    uint32_t name;    /* ID_NONE: the history's one object */
    const char *kind; /* "semaphore(3)" */
    const assay_spec *spec;
    assay_setting setting;
};

struct objects {
    struct object_use *at;
    uint32_t n;
    uint32_t *of;    /* of each operation; NULL: there is one object */
    uint8_t *method; /* of each operation: index in the methods of its object's specification */
};

static inline const struct object_use *objects_use(const struct objects *o, uint32_t op)
{
    return &o->at[o->of ? o->of[op] : 0];
}

static inline const assay_method *objects_method(const struct objects *o, uint32_t op)
{
    return &objects_use(o, op)->spec->methods[o->method[op]];
}

/* Has a user's specification (may be NULL) a name, a title, methods, and with `create` the hooks that go with it? Else
 * an error. */
bool spec_is_whole(const assay_spec *s, assay_error *e);
/* Tries the hooks of a user's specification (may be NULL) on a few walks, once. False, with an error, if a contract is
 * broken (contracts.h). */
bool contracts_allow(const assay_spec *s, assay_error *e);
/* The specification wraps one that has been tried: it is not tried itself, until another one is trusted. */
void contracts_trust(const assay_spec *s);

/* The method that `typed` is a misspelling of, if it is nearer than `near` (may be NULL), or as near and
 * shorter; else `near`. */
const char *spec_nearer_method(const assay_spec *s, const char *typed, const char *near);

/* How the user chooses the object; both may be NULL. */
struct object_choice {
    const char *kind;       /* a name with its parameter, or an alias such as `atomic-memory` */
    const assay_spec *spec; /* the user's own */
};

/* The objects of a history: as chosen, else as the history declares, else the one whose methods fit. False with the
 * first fault in e: there is none, or an operation is not a call of its object. Memory from m; may escape. */
bool objects_of(const history *h, struct object_choice choice, struct mem *m, struct objects *out, assay_error *e);

/* The name of all kinds: the one kind, or "several objects". */
const char *objects_kind(const struct objects *o);
/* Is every object one of this specification's? */
bool objects_all(const struct objects *o, const assay_spec *spec);
/* May the method have so many arguments? */
static inline bool method_takes(const assay_method *m, uint32_t arguments)
{
    return m->arity == ASSAY_NONE_OR_ONE ? arguments <= 1 : m->arity == ASSAY_ANY_ARITY || m->arity == arguments;
}
/* So many in any case. */
static inline unsigned method_least(const assay_method *m)
{
    return m->arity == ASSAY_NONE_OR_ONE ? 0 : m->arity;
}
/* "2 arguments". */
enum { WORDS_OF_ARITY = 32 };
const char *method_arity(const assay_method *m, char out[WORDS_OF_ARITY]);

/* The fault of a call's arguments or recorded result, of an object that is declared so; or NULL. */
const char *spec_objection(const assay_spec *s, const assay_setting *setting, const assay_call *call);

bool spec_has_method(const assay_spec *spec, const char *name);
/* Does the method return a value or `empty`? */
bool method_may_find_nothing(const assay_method *m);
/* Does an object have a method of this name that returns a value or `empty`? */
bool spec_may_find_nothing(const char *method);
/* Is it the library's own of this name? A user's may bear the same name and do something else. */
bool spec_is(const assay_spec *spec, const char *name);
/* Is it that of an object with any initial content (any_initial.h)? */
bool spec_is_of_any(const assay_spec *spec);
/* Do its steps depend on neither the thread nor the number of the operation? The steps of a user's object may. */
bool spec_is_blind(const assay_spec *spec);
/* May it depend on the state whether a call can take effect? A user's object may be like that. */
bool spec_may_block(const assay_spec *spec);

/* Does the call, with its result, change nothing in the object? */
static inline bool spec_changes_nothing(const assay_spec *spec, const assay_call *call)
{
    assay_value ignored = {0};
    return spec->cut && spec->cut(call, &ignored) == ASSAY_CUT_ALONE;
}

/* Does the call, with its result, change no state? Where the content may be any, it tells something about that. */
static inline bool spec_observes(const assay_spec *spec, const assay_call *call)
{
    return spec_changes_nothing(spec, call) && !spec_is_of_any(spec);
}

/* Does the call change nothing for every result? */
static inline bool spec_is_observer(const assay_spec *spec, const assay_call *call)
{
    assay_call unknown = *call;
    unknown.result = (assay_value){0};
    return spec_observes(spec, &unknown);
}

/* Takes the step of a call if its result is as recorded; ASSAY_BLOCKED: it is not, and nothing has changed. *answer is
 * its result (zeroed when the call cannot take effect at all). */
static inline assay_effect spec_step(const assay_spec *spec, void *state, const assay_call *call, unsigned choice,
                                     assay_value *answer, assay_saved *saved)
{
    *answer = (assay_value){0};
    assay_effect effect = hook_step(spec, state, call, choice, answer, saved);
    if (effect == ASSAY_BLOCKED || call->result.kind == ASSAY_NONE || assay_value_same(*answer, call->result))
        return effect;
    if (effect == ASSAY_CHANGED)
        hook_undo(spec, state, call, saved);
    return ASSAY_BLOCKED;
}

/* May several holders have different tags? Then a release has an outcome for each of them, once a call has a tag. */
extern const assay_spec spec_semaphore;
static inline bool spec_tags_differ(const assay_spec *spec, const assay_setting *setting)
{
    return spec == &spec_semaphore && setting->parameter.integer > 1;
}
#define SPEC_TAGS_DIFFER "with tags, a release has several outcomes"

extern const assay_spec spec_memory;         /* the memory models speak of it */
extern const assay_spec spec_multi_register; /* the models of transactions speak of it */

#endif
