/* SPDX-License-Identifier: Apache-2.0 */
/* Assay: checks recorded histories against consistency models and proves the verdict.
 *
 *   assay_history *h = assay_history_new();
 *   assay_error e = {0};
 *   assay_value write[] = {assay_word("x"), assay_int(1)}, read[] = {assay_word("x")};
 *   assay_history_add(h, &(assay_operation){.thread = "t0", .method = "write",
 *                                           .args = write, .arg_count = 2}, &e);
 *   assay_history_add(h, &(assay_operation){.thread = "t1", .method = "read", .args = read,
 *                                           .arg_count = 1, .result = assay_int(1)}, &e);
 *   assay_result *r = assay_check(h, "cm", NULL, &e);
 *   if (r)
 *       puts(assay_verdict_name(assay_result_verdict(r)));
 *   assay_result_free(r);
 *   assay_history_free(h);
 *
 * assay_spec.h lets you add objects of your own; assay_monitor.h follows a running system.
 *
 * Ownership: if a function returns a pointer without const, it is yours, and you release it with the _free or _close of
 * its type, which accept NULL. A pointer to const, whether returned, stored through an argument, or inside a returned
 * struct, belongs to the handle that you asked. It lives until that handle is changed or released; if there is no
 * handle, it lives as long as the program. Texts and arrays that you pass need to live only as long as the call, unless
 * the function says otherwise. A result refers to its history, so free results first.
 *
 * Errors: a call that can fail takes an assay_error, which you must zero before the first use. The call fills in the
 * first error and leaves later ones alone. Pass NULL if you don't need the message.
 *
 * NULL for a handle or a required argument is an error, ASSAY_ERROR_USAGE. Functions that report no errors then return
 * 0, NULL, false, ASSAY_UNDECIDED, ASSAY_NO_OPERATION, or a struct of zeros.
 *
 * Threads: a function that takes a handle as a pointer to const only reads it, so several threads may call it at once,
 * for example to check one history or walk one result. If a function takes a handle without const, only one thread at a
 * time may use that handle. Different handles are independent. Functions that differ say so.
 *
 * Options: a struct of options begins with its size, so it can grow without breaking programs that were built before:
 *
 *   assay_options options = {ASSAY_OPTIONS_INIT};
 *   options.seconds = 10;
 *
 * In C you can also write `{ASSAY_OPTIONS_INIT, .seconds = 10}`. For C++ the macro lists all fields, so that compilers
 * do not warn about missing ones. Fields that you don't set are 0, which asks for nothing. If you set an option that
 * your header has and the library lacks, that is an error. NULL means options that are all 0. */
#ifndef ASSAY_H
#define ASSAY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define ASSAY_API __attribute__((visibility("default")))
#else
#define ASSAY_API
#endif

/* The version of the header; assay_version() gives that of the library, as "0.2.0". While the first number is 0,
 * versions with different second numbers are incompatible, and the name of the shared library shows it:
 * libassay.so.0.2. */
#define ASSAY_VERSION_MAJOR 0
#define ASSAY_VERSION_MINOR 2
#define ASSAY_VERSION_PATCH 0
/* As one number: 200 */
#define ASSAY_VERSION (ASSAY_VERSION_MAJOR * 10000 + ASSAY_VERSION_MINOR * 100 + ASSAY_VERSION_PATCH)
ASSAY_API const char *assay_version(void);

/* ---- Errors: bad input, missing parts, a model that does not apply. Never a verdict. ---- */

typedef enum assay_error_code {
    ASSAY_OK = 0,
    ASSAY_ERROR_INPUT,          /* unreadable or malformed input */
    ASSAY_ERROR_USAGE,          /* unknown model, engine, format, option value */
    ASSAY_ERROR_NOT_APPLICABLE, /* the history lacks something that the model or engine needs */
    ASSAY_ERROR_MISSING,        /* a part this build or machine does not have */
    ASSAY_ERROR_RESOURCE,       /* out of memory */
    ASSAY_ERROR_INTERRUPTED,
    ASSAY_ERROR_REFUSED,  /* recheck: the evidence does not prove the verdict */
    ASSAY_ERROR_INTERNAL, /* a fault of this library or of a simulator, not of the input */
    ASSAY_ERROR_BUDGET,   /* recheck, reading: the time or memory that the options allow is used up */
    ASSAY_ERROR_LIMIT     /* recheck: beyond its limits (docs/reference/evidence.md); neither accepted nor refused */
} assay_error_code;

typedef struct assay_error {
    assay_error_code code;
    uint64_t line, column; /* from 1; 0: unknown */
    char file[256];        /* empty: unknown */
    char message[512];     /* the fault, without a full stop */
    char remedy[256];      /* the remedy, or empty */
} assay_error;
#ifdef __cplusplus
#define ASSAY_ERROR_INIT                                                                                               \
    {                                                                                                                  \
    }
#else
#define ASSAY_ERROR_INIT                                                                                               \
    {                                                                                                                  \
        0                                                                                                              \
    }
#endif

/* ---- Values ---- */

typedef enum assay_kind {
    ASSAY_NONE = 0, /* no value */
    ASSAY_INT,
    ASSAY_WORD,   /* x, empty, true, nil */
    ASSAY_STRING, /* "any text"; differs from the word of the same letters */
    ASSAY_LIST    /* [1 2 3]: see assay_list */
} assay_kind;

typedef struct assay_value {
    assay_kind kind;
    int64_t integer;  /* ASSAY_INT; of a text: see assay_spec.h */
    const char *text; /* ASSAY_WORD, ASSAY_STRING */
    size_t length;    /* of the text, or of the list; ASSAY_INT: of the text as written, 0: in decimal; the spelling is
                       * no part of the value */
} assay_value;

ASSAY_API assay_value assay_int(int64_t v);
ASSAY_API assay_value assay_word(const char *text);
ASSAY_API assay_value assay_string(const char *text, size_t length);

/* A list of values that are not lists themselves. It refers to the elements; a history makes a copy. Lists of a history
 * share their first elements, so take a list apart from its end. */
ASSAY_API assay_value assay_list(const assay_value *elements, size_t count);
ASSAY_API assay_value assay_list_last(assay_value list);   /* ASSAY_NONE: the list is empty */
ASSAY_API assay_value assay_list_before(assay_value list); /* without its last element, if it has one */

/* ---- Histories ---- */

typedef struct assay_history assay_history;

/* Operations are numbered 0, 1, 2, ... in the order they were added or read. */
#define ASSAY_NO_OPERATION UINT32_MAX

typedef struct assay_operation {
    const char *thread;
    const char *object; /* NULL: the history's one object */
    const char *method;
    const assay_value *args;
    size_t arg_count;
    assay_value result; /* ASSAY_NONE: no result */
    bool pending;       /* called, never returned */
    bool timed;         /* call_time and return_time are meant */
    int64_t call_time, return_time;
    uint64_t line, column; /* where it was read; 0: unknown */
} assay_operation;
#ifdef __cplusplus
#define ASSAY_OPERATION_INIT                                                                                           \
    {                                                                                                                  \
    }
#else
#define ASSAY_OPERATION_INIT                                                                                           \
    {                                                                                                                  \
        0                                                                                                              \
    }
#endif

ASSAY_API assay_history *assay_history_new(void); /* NULL: out of memory */
ASSAY_API void assay_history_free(assay_history *h);

/* Appends to the thread's program order. Returns the operation's number, or ASSAY_NO_OPERATION. */
ASSAY_API uint32_t assay_history_add(assay_history *h, const assay_operation *op, assay_error *e);

/* Has the effect of a header line `# @key text` in a .hist file: "object" "memory", "init" "x=1 y=2", ... */
ASSAY_API bool assay_history_set(assay_history *h, const char *key, const char *text, assay_error *e);
ASSAY_API const char *assay_history_warning(const assay_history *h); /* about the header that was set last, or NULL */
ASSAY_API const char *assay_history_get(const assay_history *h, const char *key); /* or NULL */

ASSAY_API uint32_t assay_history_size(const assay_history *h);
ASSAY_API uint32_t assay_history_threads(const assay_history *h);
ASSAY_API const char *assay_history_thread_name(const assay_history *h, uint32_t thread);

/* The operation itself, without its arguments, which you ask for one by one. */
ASSAY_API assay_operation assay_history_operation(const assay_history *h, uint32_t op);
ASSAY_API assay_value assay_history_arg(const assay_history *h, uint32_t op, size_t i);

/* Writes "t0: write(x, 1)" into out, cut if necessary; returns the length that it wanted, like snprintf. */
ASSAY_API size_t assay_history_print(const assay_history *h, uint32_t op, char *out, size_t size);

/* 16 hexadecimal digits that depend on the operations and headers, not on comments, layout or how integers are
 * written. */
ASSAY_API void assay_history_digest(const assay_history *h, char out[17]);

/* The sub-history of the operations with keep[op] true, headers included. NULL: out of memory. */
ASSAY_API assay_history *assay_history_slice(const assay_history *h, const bool *keep);

/* ---- Files ---- */

typedef struct assay_reader assay_reader;

/* Opens a file, or standard input for "-". If format is NULL, name and content decide. Compressed files (.gz, .zst) are
 * read directly. */
ASSAY_API assay_reader *assay_reader_open(const char *path, const char *format, assay_error *e);
/* The same with a limit: reading may take at most `memory` bytes at a time for buffers, decompression and the history,
 * or it fails with ASSAY_ERROR_BUDGET. 0: no limit. */
ASSAY_API assay_reader *assay_reader_open_within(const char *path, const char *format, size_t memory, assay_error *e);
/* The same for bytes in memory, which must outlive the reader; messages use `name` as the name of the file. */
ASSAY_API assay_reader *assay_reader_open_memory(const char *name, const char *bytes, size_t n, const char *format,
                                                 assay_error *e);
/* The next history of the file. NULL at the end (e is untouched) or on an error (e is filled in, and the file is not
 * read any further). assay_reader_warning gives the warnings about the history just read, from 0 up to NULL. */
ASSAY_API assay_history *assay_reader_next(assay_reader *r, assay_error *e);
ASSAY_API const char *assay_reader_warning(const assay_reader *r, size_t i);
ASSAY_API const char *assay_reader_format(const assay_reader *r);
ASSAY_API void assay_reader_close(assay_reader *r);

/* A warning if the last line of the file that the history was read from has no newline, so that the file may be cut
 * there; otherwise NULL. A violation of a model that rests on that line is an error, ASSAY_ERROR_INPUT, and not a
 * result. */
ASSAY_API const char *assay_history_unended(const assay_history *h);

/* Writes the index-th history (from 0) of an output file; `format` as in `assay convert -t`. */
ASSAY_API bool assay_history_write(const assay_history *h, const char *format, uint32_t index, FILE *out,
                                   assay_error *e);

/* ---- Checking ---- */

typedef enum assay_verdict { ASSAY_CONSISTENT = 0, ASSAY_VIOLATION = 1, ASSAY_UNDECIDED = 2 } assay_verdict;

ASSAY_API const char *assay_verdict_name(assay_verdict v);

typedef struct assay_spec assay_spec; /* assay_spec.h */

typedef struct assay_options {
    size_t size;            /* ASSAY_OPTIONS_INIT */
    const char *object;     /* overrides the history's; NULL: as declared, or inferred */
    const assay_spec *spec; /* overrides both, except for a parameter that they give it; may be NULL */
    /* Weak consistency: levels by method, "contains=weak,put=complete", for models of visibility. If no model is given,
     * the other methods are complete. May be NULL. */
    const char *visibility;
    int64_t skew;        /* how much clocks may be wrong: every interval is widened by it at both ends */
    const char *engine;  /* "clock", "datalog:cm_1", ...; NULL: the best that applies */
    double seconds;      /* CPU time that one check may take, including the processes that it starts; 0: any */
    double wall_seconds; /* the same in wall-clock time; 0: any */
    size_t memory;       /* memory budget of one check in bytes; 0: none */
    bool evidence;       /* keep the witness of a consistent history (a refutation is always kept) */
    /* Called now and then by the thread that checks. If it returns true, the check stops soon, undecided. It must
     * return. May be NULL. */
    bool (*interrupt)(void *arg);
    void *interrupt_arg;
    /* Called by assay_shrink, in its thread, whenever it knows fewer operations that violate the model. May be NULL. */
    void (*shrinking)(void *arg, uint32_t operations);
    void *shrinking_arg;
} assay_options;
#ifdef __cplusplus
#define ASSAY_OPTIONS_INIT sizeof(assay_options), NULL, NULL, NULL, 0, NULL, 0, 0, 0, false, NULL, NULL, NULL, NULL
#else
#define ASSAY_OPTIONS_INIT .size = sizeof(assay_options)
#endif

typedef struct assay_result assay_result;

/* Checks one model. NULL on an error. `options` may be NULL. If `model` is NULL, it is the strongest that applies. If
 * no engine decides the model, the verdict may follow from that on another model: assay_result_inferred. */
ASSAY_API assay_result *assay_check(const assay_history *h, const char *model, const assay_options *options,
                                    assay_error *e);
ASSAY_API void assay_result_free(assay_result *r);

/* Checks several models of one history, which is prepared only once: like assay_check for each model, with the same
 * options. The history, and the data that the options point to, must live as long as the checker. NULL on an error:
 * then no model could be checked. A result may outlive the checker. */
typedef struct assay_checker assay_checker;
ASSAY_API assay_checker *assay_checker_new(const assay_history *h, const assay_options *options, assay_error *e);
ASSAY_API assay_result *assay_checker_run(assay_checker *c, const char *model, assay_error *e);
ASSAY_API void assay_checker_free(assay_checker *c);

ASSAY_API assay_verdict assay_result_verdict(const assay_result *r);
ASSAY_API const char *assay_result_model(const assay_result *r);
/* The model from whose verdict this one follows: a stronger one that holds, or a weaker one that is violated. NULL: the
 * model was checked itself. Evidence, pattern and reports are about the model that is returned here. */
ASSAY_API const char *assay_result_inferred(const assay_result *r);
ASSAY_API const char *assay_result_object(const assay_result *r);
ASSAY_API const char *assay_result_engine(const assay_result *r);
ASSAY_API double assay_result_seconds(const assay_result *r);        /* wall clock */
ASSAY_API size_t assay_result_bytes(const assay_result *r);          /* peak memory of the engine */
ASSAY_API const char *assay_result_undecided(const assay_result *r); /* why it is undecided; NULL: it is not */
ASSAY_API const char *assay_result_pattern(const assay_result *r);   /* the name of a violation's pattern; else NULL */
ASSAY_API const char *assay_result_vacuous(const assay_result *r);   /* why nothing could go wrong, or NULL */
ASSAY_API uint64_t assay_result_statistic(const assay_result *r, size_t i, const char **name,
                                          const char **text); /* i from 0; *name NULL past the end */

/* Checks every model, weakest first. Histories of transactions are checked against the models of transactions, and
 * other histories against the others. For a memory, sc-object is left out because it equals sc, and so are the models
 * of visibility; models of visibility that equal another one are always left out. A verdict may be inferred from that
 * on another model; if an engine decides the model, this happens only if options ask for neither evidence nor an
 * engine. An entry is a result, or an error (not applicable, ...). */
typedef struct assay_grading assay_grading;
ASSAY_API assay_grading *assay_grade(const assay_history *h, const assay_options *options, assay_error *e);
ASSAY_API void assay_grading_free(assay_grading *g);
ASSAY_API size_t assay_grading_size(const assay_grading *g);
ASSAY_API const char *assay_grading_model(const assay_grading *g, size_t i);
ASSAY_API const assay_result *assay_grading_result(const assay_grading *g, size_t i); /* or NULL */
ASSAY_API const assay_error *assay_grading_error(const assay_grading *g, size_t i);   /* or NULL */

/* ---- The strongest levels of visibility ---- */

/* Finds for each method the strongest level (weak, self, monotonic, peer, causal, complete) that all histories of a set
 * satisfy. All methods start at weak. They are raised in turn, one level at a time, as long as every history still
 * satisfies the levels. A method is not raised if a check is undecided. */
typedef struct assay_strongest assay_strongest;

/* An empty set. The data that the options point to must stay; their levels by method are ignored. NULL on an error. */
ASSAY_API assay_strongest *assay_strongest_new(const assay_options *options, assay_error *e);
ASSAY_API void assay_strongest_free(assay_strongest *s);
/* Checks the history for levels that hold for all methods alike, and takes it over. `file` must stay. The set is
 * ordered by `place`, whatever the order in which histories are added, and several threads may add at once. False with
 * an error, or without one if interrupted: then the history is not in the set, and is freed. */
ASSAY_API bool assay_strongest_add(assay_strongest *s, assay_history *h, const char *file, uint64_t place,
                                   assay_error *e);

/* Raises the levels, once all histories have been added. `progress`, which may be NULL, is called for each check. False
 * with an error: the histories are of different objects, or memory is short. */
typedef void assay_strongest_progress(void *arg, size_t done, size_t all, const char *levels);
ASSAY_API bool assay_strongest_find(assay_strongest *s, assay_strongest_progress *progress, void *arg, assay_error *e);

typedef struct assay_obstacle { /* the first history that does not satisfy the levels, or may not satisfy them */
    bool met;
    const char *file;
    uint64_t place;
    const assay_result *result; /* NULL: it could not be checked */
    const assay_error *error;   /* why */
} assay_obstacle;

typedef struct assay_method_level {
    const char *method, *level;
    const char *next;        /* the next level; NULL: there is none */
    assay_obstacle obstacle; /* to the next level; not met: it was not tried */
} assay_method_level;

ASSAY_API size_t assay_strongest_histories(const assay_strongest *s);
ASSAY_API const char *assay_strongest_object(const assay_strongest *s); /* NULL: there are no histories */
/* The obstacle to all methods at weak; if it was met, nothing was raised. */
ASSAY_API assay_obstacle assay_strongest_base(const assay_strongest *s);
ASSAY_API size_t assay_strongest_methods(const assay_strongest *s); /* that occur, in the object's order */
ASSAY_API assay_method_level assay_strongest_method(const assay_strongest *s, size_t i);

/* ---- Evidence ---- */

/* A consistent history's witness: total orders of operations. If thread is ASSAY_NO_THREAD, the order is that of the
 * whole history; otherwise it holds for this thread (causal memory has one order per thread). */
#define ASSAY_NO_THREAD UINT32_MAX
typedef struct assay_order {
    uint32_t thread;
    const uint32_t *ops;
    size_t count;
} assay_order;
ASSAY_API size_t assay_result_orders(const assay_result *r);
ASSAY_API assay_order assay_result_order(const assay_result *r, size_t i);

/* A violation's refutation: a cycle of steps. Each step says why its first operation comes before its second: program
 * order, reads-from, or a derived reason that you can ask for. */
typedef enum assay_rule {
    ASSAY_PO,   /* program order */
    ASSAY_WR,   /* the second reads the value that the first wrote */
    ASSAY_RW,   /* the first is a read whose source comes before the second, a write of the same variable */
    ASSAY_CF,   /* two writes of one variable: some read of the second comes after the first */
    ASSAY_HB,   /* the same, derived in the order that one thread observes */
    ASSAY_PPO,  /* program order that a store buffer preserves */
    ASSAY_LOC,  /* program order on one variable */
    ASSAY_WW,   /* two writes of one variable, the first of which must come before the second */
    ASSAY_CASE, /* two writes of one variable, assumed to be stored in this order */
    ASSAY_RT,   /* real time: the first had ended when the second began */
    ASSAY_VO    /* two writers of one variable, in the order that the lists read from it show */
} assay_rule;
ASSAY_API const char *assay_rule_name(assay_rule rule);

typedef struct assay_step {
    assay_rule rule;
    uint32_t from, to; /* operations */
    uint32_t reason;   /* for RW, CF, HB, WW: number of the reason; else ASSAY_NO_REASON */
} assay_step;
#define ASSAY_NO_REASON UINT32_MAX

/* Why a derived step holds. The steps of the path rest only on reasons with smaller numbers.
 * RW  from a read to a write: path from the read's source to that write (empty: it reads the initial value)
 * CF  from v to w: `read` reads from w; path from v to `read`
 * HB  as CF, and `read` belongs to the thread whose order is refuted
 * WW  from v to w: path from v to w (empty: @final says that w is the last write) */
typedef struct assay_reason {
    assay_rule rule;
    uint32_t from, to;
    uint32_t read; /* CF, HB; for RW equal to from; for WW ASSAY_NO_OPERATION */
    const assay_step *path;
    size_t count;
} assay_reason;

ASSAY_API size_t assay_result_cycle(const assay_result *r, const assay_step **steps); /* 0: none */
ASSAY_API size_t assay_result_reasons(const assay_result *r);
ASSAY_API assay_reason assay_result_reason(const assay_result *r, size_t i);
/* The operation that alone refutes the history (a read of a value without a write), or ASSAY_NO_OPERATION. */
ASSAY_API uint32_t assay_result_culprit(const assay_result *r);

/* A refutation by cases does not have one cycle, but lemmas. A lemma is a cycle that uses CASE steps, directly or in
 * the paths of the reasons that it rests on. It says that the store orders which it assumes cannot all hold together. A
 * learned clause says the same about its pairs (the first stored before the second). It follows from the lemmas and the
 * clauses before it by unit propagation, where "w before v" is the opposite of "v before w". The last learned clause
 * has no pairs, which means that no store order is left. For other results the counts are 0. */
typedef struct assay_pair {
    uint32_t first, second; /* operations */
} assay_pair;
ASSAY_API size_t assay_result_lemmas(const assay_result *r);
ASSAY_API size_t assay_result_lemma(const assay_result *r, size_t i, const assay_step **steps);
ASSAY_API size_t assay_result_learned(const assay_result *r);
ASSAY_API size_t assay_result_learned_at(const assay_result *r, size_t i, const assay_pair **pairs);

/* If a history is consistent with a weak model (wsc, wtso): the pairs that the model derives. Together with the
 * history's own order they are closed under its rules and agree with the orders. 0: none. */
ASSAY_API size_t assay_result_closed(const assay_result *r, const assay_pair **pairs);

/* The sources of reads in a consistent history whose values are not unique. There is a pair for each read that has
 * several candidates: first is the source (ASSAY_NO_OPERATION: the initial value), and second the read. 0: none. For
 * transactions, the accesses of the readers come in the same order, counted from 0 within the transaction. */
ASSAY_API size_t assay_result_sources(const assay_result *r, const assay_pair **pairs);
ASSAY_API size_t assay_result_source_accesses(const assay_result *r, const uint32_t **accesses);

/* In a weakly consistent history, the second operation of a pair sees the first, which precedes it in the order. 0:
 * none. */
ASSAY_API size_t assay_result_visible(const assay_result *r, const assay_pair **pairs);

/* Is there a proof to write? There is none if the history is undecided, if the engine gives none, or if the history is
 * consistent and options.evidence was not set. */
ASSAY_API bool assay_result_proved(const assay_result *r);

/* Writes one line of JSON, with its line end. index: which history of the file. */
ASSAY_API bool assay_result_write_evidence(const assay_result *r, uint32_t index, FILE *out);
/* The same with the name of the history's file, for evidence of several files; NULL: none. Bytes of the name that are
 * not UTF-8 become U+FFFD. */
ASSAY_API bool assay_result_write_evidence_of(const assay_result *r, const char *file, uint32_t index, FILE *out);

/* Validates one such line against the history. If it returns false, e->code says why: refused (ASSAY_ERROR_REFUSED,
 * with the reason in e), not decided within the options' budget (ASSAY_ERROR_BUDGET), not judged because it is beyond a
 * limit of recheck (ASSAY_ERROR_LIMIT; the message names the limit), or unreadable (any other code). *index is set as
 * soon as it is known; h may be NULL if this is all that you ask for. */
ASSAY_API bool assay_recheck(const assay_history *h, const char *line, uint32_t *index, assay_error *e);
/* The same with options (spec for an object of your own, seconds, memory and interrupt), which may be NULL. *searched,
 * if not NULL, is set to whether the line only says that there is no explanation, so that recheck had to search for one
 * itself instead of following steps. */
ASSAY_API bool assay_recheck_with(const assay_history *h, const char *line, const assay_options *options,
                                  uint32_t *index, bool *searched, assay_error *e);

/* The claim of such a line, as written: recheck confirms the verdict for this skew and these levels of visibility. */
enum { ASSAY_CLAIM_MODEL = 256, ASSAY_CLAIM_OBJECT = 48, ASSAY_CLAIM_VISIBILITY = 1280, ASSAY_CLAIM_FILE = 4096 };
typedef struct assay_claim {
    uint32_t index; /* which history of the file */
    assay_verdict verdict;
    int64_t skew; /* of the clocks, for models with real time */
    char model[ASSAY_CLAIM_MODEL];
    char object[ASSAY_CLAIM_OBJECT];         /* its kind; "": memory, or the objects that the history declares */
    char visibility[ASSAY_CLAIM_VISIBILITY]; /* levels by method; "": the model's for all */
    char file[ASSAY_CLAIM_FILE];             /* of the history; "": not named */
    char inferred_from[ASSAY_CLAIM_MODEL];   /* the model that the proof is about; "": the model itself */
} assay_claim;
/* Reads the claim without a history. False: unreadable, or not within the options' budget (as assay_recheck_with). */
ASSAY_API bool assay_evidence_claim(const char *line, const assay_options *options, assay_claim *claim, assay_error *e);

/* ---- The kernel of sc or tso: the store orders that all explanations share ---- */

typedef struct assay_kernel assay_kernel;
typedef struct assay_kernel_pair {
    uint32_t first, second; /* writes of one variable */
    bool saturated;         /* the weak model wsc (wtso for tso) also finds it */
    bool by_ccm;            /* so does the weaker ccm (wccm for tso); the read of an rmw before a write counts */
    bool by_ccv;            /* so does ccv: by causes, or by conflict */
} assay_kernel_pair;

/* The kernel of sc. NULL on an error, which includes a history that is not sequentially consistent and a budget that is
 * used up. */
ASSAY_API assay_kernel *assay_kernel_of(const assay_history *h, const assay_options *options, assay_error *e);
/* The same for the model "sc" or "tso", or another name for these. A kernel of tso is what all those store orders share
 * that make both graphs of tso acyclic (docs/reference/models-formal.md). */
ASSAY_API assay_kernel *assay_kernel_of_model(const assay_history *h, const char *model, const assay_options *options,
                                              assay_error *e);
ASSAY_API void assay_kernel_free(assay_kernel *k);
ASSAY_API const char *assay_kernel_model(const assay_kernel *k); /* "sc" or "tso" */
ASSAY_API size_t assay_kernel_size(const assay_kernel *k);
ASSAY_API assay_kernel_pair assay_kernel_at(const assay_kernel *k, size_t i);
ASSAY_API uint64_t assay_kernel_write_pairs(const assay_kernel *k); /* of the same variable, in all */
ASSAY_API uint64_t assay_kernel_open_pairs(const assay_kernel *k);  /* that wsc (wtso) leaves unordered */

/* ---- Staleness: how far behind are reads? ---- */

/* A write is newer than the source of a read if it was called after the source returned, and returned before the read
 * was called. This holds in every linearization. Versions behind is the number of newer writes; the time behind is from
 * the earliest return among them to the call of the read. The initial value counts as returned before everything, a
 * pending write as never returned. If a value was written several times, the smallest staleness that a source explains
 * is taken (docs/guides/stale-reads.md). */
typedef struct assay_staleness assay_staleness;

/* Measures a history of memories, registers, maps or transactions, with times. `options` (object, skew, budgets) may be
 * NULL. NULL on an error, which includes a budget that is used up. */
ASSAY_API assay_staleness *assay_stale(const assay_history *h, const assay_options *options, assay_error *e);
/* Adds up several histories; the parts may themselves be sums. NULL on an error: only some have a unit of time. */
ASSAY_API assay_staleness *assay_staleness_sum(const assay_staleness *const *parts, size_t n, assay_error *e);
ASSAY_API void assay_staleness_free(assay_staleness *s);

ASSAY_API uint32_t assay_staleness_histories(const assay_staleness *s);
ASSAY_API uint64_t assay_staleness_reads(const assay_staleness *s);       /* that were measured: fresh or stale */
ASSAY_API uint64_t assay_staleness_unexplained(const assay_staleness *s); /* others: their values were not written */
/* Is the time in nanoseconds (`# @clock`)? Otherwise it is in the unit of the history, which is unknown. */
ASSAY_API bool assay_staleness_in_nanoseconds(const assay_staleness *s);

typedef struct assay_behind {
    uint64_t versions, time;
} assay_behind;
/* The least versions, and the least time, that `per_mille` of 1000 reads do not exceed: 999 is p99.9, 1000 the most. */
ASSAY_API assay_behind assay_staleness_percentile(const assay_staleness *s, unsigned per_mille);
/* How many reads are from `least` to `most` versions behind? */
ASSAY_API uint64_t assay_staleness_between(const assay_staleness *s, uint64_t least, uint64_t most);

typedef struct assay_stale_read {
    uint32_t history;   /* of a sum: which of its histories, from 0 */
    uint32_t operation; /* that reads */
    uint32_t access;    /* of a transaction: which of its accesses, from 0 */
    uint64_t line;      /* of the read; 0: unknown */
    uint32_t source;    /* the operation that wrote the value; ASSAY_NO_OPERATION: it is the initial value */
    uint32_t earliest;  /* the newer write that returned first */
    uint32_t newest;    /* the newer write that was called last */
    uint64_t versions, time;
} assay_stale_read;

/* The reads that are at least one version behind, the worst first: by versions, then by time. */
ASSAY_API size_t assay_staleness_stale(const assay_staleness *s);
ASSAY_API assay_stale_read assay_staleness_read(const assay_staleness *s, size_t i);
ASSAY_API size_t assay_staleness_longest(const assay_staleness *s); /* the one of the longest time, if there is one */

typedef enum assay_stale_grouping {
    ASSAY_BY_SESSION, /* a thread; those of one name in several histories together */
    ASSAY_BY_NODE     /* as `# @nodes` says; none without it */
} assay_stale_grouping;

typedef struct assay_stale_group {
    const char *name; /* of a node: "" for threads that `# @nodes` does not mention */
    uint64_t reads, stale;
    uint64_t versions, time; /* the most */
} assay_stale_group;
ASSAY_API size_t assay_staleness_groups(const assay_staleness *s, assay_stale_grouping by);
ASSAY_API assay_stale_group assay_staleness_group(const assay_staleness *s, assay_stale_grouping by, size_t i);

/* ---- Reports ---- */

/* Names, strings and names of files come from outside and are not trusted. This function writes a text so that it is
 * safe to show on a terminal: controls (C0, DEL, C1, and those of bidirectional text) become \u001b, and bytes that are
 * not UTF-8 become \xff. Characters in `keep`, such as "\n", stay. Reports, the printed violations of monitors and
 * assay_history_print do this already; the texts of an assay_error do not. */
ASSAY_API void assay_show(const char *text, size_t length, const char *keep, FILE *out);

/* Writes lines, each with its end, and breaks them between words so that they fit the columns of a terminal. A broken
 * line continues below, indented by `indent` columns; 0 means two columns more than its beginning. With 0 columns, or
 * without memory, the text stays as it is. */
ASSAY_API void assay_wrap(const char *text, size_t columns, size_t indent, FILE *out);

typedef struct assay_report_options {
    size_t size;  /* ASSAY_REPORT_OPTIONS_INIT */
    bool explain; /* more detail */
    bool color;
    uint32_t index;
    const char *file; /* the history's file as the user named it; NULL: "history" */
    size_t width; /* the terminal's columns, into which texts are broken; 0: lines are not broken, and tables have 80 */
    /* The options of the check. With them, the first report looks for what a person wants to know beyond the proof: the
     * longest linearizable prefix, the call at fault, ... The result keeps it, and all reports tell it. NULL: they tell
     * what is known. */
    const assay_options *checked;
    /* For pages: all results of the same history, for the ladder; NULL among them is left out. */
    const assay_result *const *others;
    size_t other_count;
} assay_report_options;
#ifdef __cplusplus
#define ASSAY_REPORT_OPTIONS_INIT sizeof(assay_report_options), false, false, 0, NULL, 0, NULL, NULL, 0
#else
#define ASSAY_REPORT_OPTIONS_INIT .size = sizeof(assay_report_options)
#endif
ASSAY_API bool assay_result_report(const assay_result *r, const char *report, const assay_report_options *options,
                                   FILE *out, assay_error *e);

/* Finds the smallest sub-history that still violates the result's model with the result's pattern, by cuts that keep
 * consistent histories consistent. For an object, operations that returned later may be pending there, in threads of
 * their own, and its initial value may be anything: `@init ?`. NULL: not a violation, or out of memory. If kept is not
 * NULL, it needs room for assay_history_size numbers: kept[i] becomes the number that operation i of the new history
 * has in the old one. */
ASSAY_API assay_history *assay_shrink(const assay_result *r, const assay_options *options, uint32_t *kept,
                                      assay_error *e);

/* ---- Registries ---- */

typedef enum assay_family {
    ASSAY_MODELS,
    ASSAY_OBJECTS,
    ASSAY_ENGINES,
    ASSAY_FORMATS,
    ASSAY_REPORTS,
    ASSAY_MONITORS,
    ASSAY_PATTERNS, /* of violations, as assay_result_pattern names them */
    ASSAY_FAMILIES
} assay_family;

struct assay_method;
typedef struct assay_member {
    const char *name;
    const char *title;   /* a few words */
    const char *details; /* needs, variants, extensions: one line, or "" */
    const char *missing; /* why it cannot be used here, or NULL */
    /* Texts that may follow the name and a colon (or just the name, if they begin with a plus), up to NULL; or NULL. */
    const char *const *variants;
    const char *const *extensions;      /* of a format's files, up to NULL; or NULL */
    const struct assay_method *methods; /* assay_spec.h; of an object, up to a NULL name; or NULL */
} assay_member;

ASSAY_API const char *assay_family_name(assay_family f);
ASSAY_API size_t assay_family_size(assay_family f);
ASSAY_API assay_member assay_family_member(assay_family f, size_t i);

/* Does every history of the model `strong` satisfy the model `weak`, as far as the ladder knows? A model implies
 * itself; unknown names give false. */
ASSAY_API bool assay_model_implies(const char *strong, const char *weak);
/* Other names than a model's own: those of database manuals, Adya and Jepsen, its title, its name in other letters. The
 * model that is meant here, and a sentence about that in *meaning, or NULL. NULL: it is no such name. assay_check and
 * the others also take these names. */
ASSAY_API const char *assay_model_meant(const char *name, const char **meaning);
/* Is `typed` the word `known` with mistakes? Returns the number of wrong letters, which is 0 for an abbreviation as
 * well. SIZE_MAX: it is another word. */
ASSAY_API size_t assay_misspelt(const char *typed, const char *known);
/* For names of models that are not checked: the nearest model, with how the name differs from it in *difference. NULL:
 * it is no such name. */
ASSAY_API const char *assay_model_nearest(const char *name, const char **difference);
/* All these names, i from 0. */
typedef struct assay_model_name {
    const char *name, *model; /* NULL past the end; declined: the nearest model */
    const char *meaning;      /* a sentence, or NULL */
    bool declined;            /* not checked */
} assay_model_name;
ASSAY_API assay_model_name assay_model_name_at(size_t i);
/* The format whose extension the name of a file has, apart from .gz and .zst; NULL: none. */
ASSAY_API const char *assay_format_by_name(const char *path);
/* Is this file a history, as far as its name tells? If several formats have its extension, such as .log, one of them
 * must recognise the content. If the content cannot be read, the answer is true, so that reading it reports the error.
 * A directory is a history if a format recognises several logs in it as one, as `cobra` does. */
ASSAY_API bool assay_file_is_history(const char *path);
/* Is this file only a part of a history, whose other parts are in the same directory? Then it is not read alone. */
ASSAY_API bool assay_file_is_part(const char *path);

/* ---- Names explained ---- */

/* A short page about a name that a user meets. What a page does not have is NULL. */
typedef struct assay_explained {
    const char *kind; /* "pattern", "anomaly", "model", "level", "object", "engine", "format"; NULL: there is no page */
    const char *name;
    const char *const *also; /* other names, up to NULL */
    const char *title;       /* a few words or a sentence */
    const char *details;     /* a sentence more; of a model what it demands */
    const char *definition;  /* of a model, in the notation of docs/reference/models-formal.md */
    const char *text;        /* what it is, in a few sentences */
    const char *context;     /* what usually causes it, or where one meets it */
    const char *example;     /* a small history, as a file of the format; checked against the model, by the engine */
    const char *format, *model, *engine; /* engine: NULL unless the page is about one */
    const char *pattern;                 /* that of the example; NULL: it is consistent */
    const char *read;                    /* documents, between commas */
    const struct assay_method *methods;  /* of an object, as in assay_member */
    /* Of a page that was asked for by a name that does not mean quite the same: the difference, or NULL. */
    const char *difference;
    bool declined; /* what was asked for is not checked, and this is the nearest model */
    bool renamed;  /* the name that was asked for is one of assay_model_name_at */
} assay_explained;

/* The pages about a name, i from 0: an object and an engine may share one. Case, blanks and dashes do not count. */
ASSAY_API assay_explained assay_explain(const char *name, size_t i);
/* All pages, i from 0, kind by kind. */
ASSAY_API assay_explained assay_explained_at(size_t i);

#ifdef __cplusplus
}
#endif
#endif
