/* SPDX-License-Identifier: Apache-2.0 */
/* A recorder for programs under test, in one header: C11 and C++17, gcc or clang.
 *
 *   assay_recorder *r = assay_record_open(2, ASSAY_RECORD_COUNTERS, 100000);   // 2 threads, 100,000 calls each
 *
 *   assay_tape *tape = assay_record_tape(r, 0);                                // in thread 0; thread 1 has tape 1
 *   assay_record_call1(tape, "enq", 5);
 *   enqueue(queue, 5);
 *   assay_record_return(tape);
 *   assay_record_call0(tape, "deq");
 *   bool found = dequeue(queue, &value);
 *   found ? assay_record_return_int(tape, value) : assay_record_return_word(tape, "empty");
 *
 *   assay_record_write(r, "queue", file);                                      // when both threads have ended
 *   assay_record_close(r);
 *
 * and then `assay check -m lin FILE`. A call that never returns is recorded as pending. Texts (methods, words) are
 * copied. A tape belongs to one thread. Open, clear, write and close need all threads to be quiet, with a
 * synchronization in between (thread creation, join, a barrier).
 *
 * RECORDING. Between a call and its return the recorder takes no lock, does no atomic read-modify-write, and writes
 * nothing that another thread writes. A tape is memory of its thread alone. Two clocks can order the calls:
 *
 * Counters (Emmi and Enea, CAV 2018, section 5). Each thread counts the calls that it has completed, in a cache line of
 * its own. It stores the new count after each return (release), and reads the counts of all others before each call
 * (acquire). On x86 these are plain moves, so no fence changes the program under test. A call that found n in the count
 * of t0 came after the first n calls of t0: `@ after t0:n`. This is sound: the count that a thread reads was stored
 * after the n-th call returned, and the accesses of a call lie between its acquire loads and its release store. So the
 * n-th call of t0 happens before this one, both by the clock on the wall and by the memory model. It is not complete:
 * while a count is on its way through a store buffer, an order in time goes unnoticed, which can lose violations but
 * never invents one. Unlike in the paper, counts are not read again after a return. The thread's next call reads the
 * same information about returned calls anyway, and a count cannot show that a call has not begun yet, since it may be
 * late.
 *
 * Stamps. A call and its return are stamped with the time stamp counter if it runs at a constant rate on all cores, and
 * otherwise with the system's clock, in nanoseconds: `@ a..b`. Equal stamps are concurrent. The counter is read by
 * rdtscp, with an lfence so that the call's accesses do not begin before its stamp. Three effects can make the stamps
 * of two threads disagree with the real order. Counters of different cores may differ slightly (Linux synchronizes
 * them, and gives up on those that it cannot). The system's clock may be set. And the last store of a return may still
 * be in the store buffer, so that other threads see it a moment after the stamp. If that can matter, check with `--skew
 * T`, T ticks; the counters have no such problem.
 *
 * KILLED. assay_record_open_log(path, ...) is assay_record_open with tapes in a file that is mapped into memory. The
 * stored calls stay when the program is killed, even by signal 9: `assay recover LOG` then writes the history up to
 * that moment. A killed thread has executed its instructions up to some point and none beyond it. So a tape ends with a
 * call that may have had its effects or not: that call is pending. A call counts as returned only once its result is on
 * the tape, and other threads see that it has returned only after that. The system must not go down: to survive that,
 * each call would have to write the file to disk, which is too slow. Texts are copied into the file when a tape meets
 * them for the first time. A tape of a log has at most 255 texts, of at most 55 letters each. Lists, and the arguments
 * of calls with more than two, need room of their own: assay_record_open_wide.
 *
 * FAULTS. The program under test goes on. Functions accept NULL and then do nothing. When a tape is full, a cut is made
 * through all threads: calls that had returned are kept, open calls become pending, and recording ends. The cut is a
 * consistent one (the counts were read twice and had not changed), so the history is still sound. The writer says that
 * it is not complete. NULL instead of a text ends recording in the same way. Calls on the tape of a thread that the
 * recorder was not opened for are lost. They are counted, and `assay check` refuses the history, since the others may
 * make no sense without them. */
#ifndef ASSAY_RECORD_H
#define ASSAY_RECORD_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#if defined(__x86_64__)
#include <cpuid.h>
#endif
#if defined(__unix__) || defined(__APPLE__)
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum assay_record_clock {
    ASSAY_RECORD_COUNTERS, /* the calls that had returned when this was called */
    ASSAY_RECORD_STAMPS    /* when this was called and returned */
} assay_record_clock;

#define ASSAY_RECORD_ARGS 2     /* arguments in an entry; further ones lie among the numbers of the tape */
#define ASSAY_RECORD_CHUNK 4096 /* calls in a piece of tape */
#define ASSAY_RECORD_LINE 128   /* bytes apart so that two threads never share a cache line, nor a pair of them */

typedef enum assay_record_kind {
    ASSAY_RECORD_NONE = 0,
    ASSAY_RECORD_INT,
    ASSAY_RECORD_WORD,
    ASSAY_RECORD_LIST
} assay_record_kind;

typedef struct assay_record_list { /* of numbers of the tape */
    uint32_t at, length;
} assay_record_list;

typedef union assay_record_value {
    int64_t number;
    const char *word;
    assay_record_list list;
} assay_record_value;

/* A call on a tape. With more than two arguments, args[1] is the list of all but the first. Behind it lie, with
 * counters, the counts of all threads (uint32_t), with stamps the times of call and return (uint64_t). */
typedef struct assay_record_entry {
    const char *method;
    assay_record_value args[ASSAY_RECORD_ARGS], result;
    unsigned char arg_kinds[ASSAY_RECORD_ARGS], result_kind, arg_count;
    unsigned char state; /* of assay_record_state; stored when the rest is there */
} assay_record_entry;

typedef enum assay_record_state {
    ASSAY_RECORD_EMPTY = 0,
    ASSAY_RECORD_CALLED,
    ASSAY_RECORD_RETURNED
} assay_record_state;

/* A text. Entries refer to it by the address of the copy in the program that recorded it, which may be gone. */
typedef struct assay_record_text {
    uint64_t address; /* 0: there is none; stored when the text is there */
    char text[56];
} assay_record_text;

#define ASSAY_RECORD_HINTS 64  /* a power of 2 */
#define ASSAY_RECORD_TEXTS 256 /* slots of a tape: a hash table, never quite full */
#define ASSAY_RECORD_MAGIC "assaylog"
#define ASSAY_RECORD_HEAD 512 /* bytes before the counts */

/* The head of a log. Then come the counts of the threads, ASSAY_RECORD_LINE bytes apart, and the tapes, each with its
 * cut, its texts, its numbers and its entries. Version 1 has no numbers. */
typedef struct assay_record_log {
    char magic[8]; /* stored last */
    uint32_t byte_order, version, threads, clock;
    uint64_t room, stride, size; /* size: of the file */
    uint32_t stopper;            /* the thread whose cut ends the recording, + 1; 0: none */
    uint32_t closed;             /* the recorder was closed */
    char fault[128];
    uint64_t numbers; /* that a tape has room for */
    uint64_t lost;    /* calls of threads that the recorder was not opened for */
} assay_record_log;

/* A text for which a tape in memory has no slot. */
typedef struct assay_record_copy {
    struct assay_record_copy *next;
} assay_record_copy; /* the text lies behind it */

typedef struct assay_tape {
    struct assay_recorder *recorder;
    unsigned thread;
    uint32_t completed;        /* calls */
    assay_record_entry *open;  /* the call that has not returned, or NULL */
    char *next, *end;          /* of the piece being written */
    char **chunks;             /* room for all of them */
    size_t chunk_count;        /* that exist */
    uint64_t last;             /* stamp */
    uint32_t *cut;             /* how many calls of each thread had returned, if this tape was the first to be full */
    assay_record_text *texts;  /* a hash table; NULL: none so far */
    unsigned text_count;       /* of them, slots in use */
    assay_record_copy *copies; /* further texts, not in a log */
    unsigned char hints[ASSAY_RECORD_HINTS]; /* by the address of a text: the slot that it was found in last */
    int64_t *numbers;                        /* of lists, and of calls with many arguments; NULL: none so far */
    size_t number_count, number_room;
    const char *fault; /* a fault of this thread, or NULL */
    char said[160];    /* the words of the fault, where they are not a literal */
    uint64_t *lost;    /* of the tape that is nobody's: where its calls are counted */
} assay_tape;

typedef struct assay_recorder {
    unsigned threads;
    assay_record_clock clock;
    int cycles;  /* the stamps are those of the processor */
    size_t room; /* calls of a thread */
    size_t stride;
    size_t numbers; /* of a log: how many a tape has room for */
    uint64_t zero;  /* the time of opening */
    char *counts;   /* a uint32_t every ASSAY_RECORD_LINE bytes */
    char *block;    /* the memory of `counts` */
    assay_tape **tapes;
    assay_tape *stopper; /* whose cut ends the recording; NULL: none. Atomic */
    char *log;           /* the mapped file, or NULL */
    assay_tape *stray;   /* of threads that the recorder was not opened for; its recorder has ended */
    uint64_t lost;       /* calls on it, unless the log counts them */
} assay_recorder;

/* ---- inside ---- */

static inline uint32_t *assay_record_count(const assay_recorder *r, unsigned thread)
{
    return (uint32_t *)(void *)(r->counts + (size_t)thread * ASSAY_RECORD_LINE);
}

static inline uint32_t *assay_record_seen(const assay_record_entry *e)
{
    return (uint32_t *)(void *)(uintptr_t)(e + 1);
}

static inline uint64_t *assay_record_times(const assay_record_entry *e)
{
    return (uint64_t *)(void *)(uintptr_t)(e + 1);
}

/* Does the processor's counter tick at one rate in all states of the core, and is there rdtscp? */
static inline int assay_record_has_cycles(void)
{
#if defined(__x86_64__)
    unsigned a, b, c, d;
    int invariant = __get_cpuid(0x80000007u, &a, &b, &c, &d) && (d >> 8 & 1);
    return invariant && __get_cpuid(0x80000001u, &a, &b, &c, &d) && (d >> 27 & 1);
#else
    return 0;
#endif
}

static inline uint64_t assay_record_system_time(void)
{
    struct timespec now;
#if defined(CLOCK_MONOTONIC)
    clock_gettime(CLOCK_MONOTONIC, &now);
#else
    timespec_get(&now, TIME_UTC);
#endif
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Not before earlier accesses of the program, and before later ones. */
static inline uint64_t assay_record_now(const assay_recorder *r)
{
#if defined(__x86_64__)
    if (r->cycles) {
        uint32_t low, high;
        __asm__ volatile("rdtscp\n\tlfence" : "=a"(low), "=d"(high) : : "rcx", "memory");
        return (uint64_t)high << 32 | low;
    }
#endif
    (void)r;
    return assay_record_system_time();
}

/* A thread's stamps never go back, even if it changes its core. */
static inline uint64_t assay_record_stamp(assay_tape *t)
{
    uint64_t now = assay_record_now(t->recorder) - t->recorder->zero;
    return t->last = now > t->last ? now : t->last;
}

static inline void assay_record_collect(const assay_recorder *r, uint32_t *counts)
{
    unsigned i;
    for (i = 0; i < r->threads; i++)
        counts[i] = __atomic_load_n(assay_record_count(r, i), __ATOMIC_ACQUIRE);
}

/* Ends the recording, of all threads. A cut that was read twice existed at one moment. No call within it can have seen
 * a call beyond it, except for the one open call of each thread. */
static inline void assay_record_stop(assay_tape *t, const char *why)
{
    assay_recorder *r = t->recorder;
    assay_tape *nobody = NULL;
    uint32_t *again = t->cut + r->threads;
    unsigned tries = 0;
    t->end = t->next;
    if (__atomic_load_n(&r->stopper, __ATOMIC_ACQUIRE))
        return;
    assay_record_collect(r, t->cut);
    do {
        memcpy(again, t->cut, r->threads * sizeof *again);
        assay_record_collect(r, t->cut);
    } while (memcmp(again, t->cut, r->threads * sizeof *again) != 0 && ++tries < 1u << 16);
    if (tries == 1u << 16) {
        memset(t->cut, 0, r->threads * sizeof *t->cut);
        why = "a tape was full, and the threads were too quick to find an end: nothing was kept";
    }
    t->fault = why;
    if (r->log) { /* the log knows of the end before any thread calls something unrecorded */
        assay_record_log *log = (assay_record_log *)(void *)r->log;
        uint32_t none = 0;
        if (!__atomic_compare_exchange_n(&log->stopper, &none, t->thread + 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            return;
        snprintf(log->fault, sizeof log->fault, "%s", why);
    }
    __atomic_compare_exchange_n(&r->stopper, &nobody, t, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/* Recording ends, because a function was given NULL. */
static inline void assay_record_refuse(assay_tape *t, const char *function, const char *method)
{
    snprintf(t->said, sizeof t->said, "%s was given NULL for a text, in a call of %s", function,
             method ? method : "no method");
    assay_record_stop(t, t->said);
}

/* Not in a log: a copy that has no slot. */
static inline const char *assay_record_copy_text(assay_tape *t, const char *text, size_t length)
{
    assay_record_copy *copy = (assay_record_copy *)malloc(sizeof *copy + length + 1);
    if (!copy) {
        assay_record_stop(t, "out of memory");
        return NULL;
    }
    copy->next = t->copies;
    t->copies = copy;
    return (const char *)memcpy(copy + 1, text, length + 1);
}

static inline void assay_record_free_copies(assay_tape *t)
{
    while (t->copies) {
        assay_record_copy *next = t->copies->next;
        free(t->copies);
        t->copies = next;
    }
}

/* The slot of the text, by its letters; the first free one, if it has none yet; NULL: there is none. */
static inline assay_record_text *assay_record_slot(assay_tape *t, const char *text)
{
    unsigned hash = 2166136261u, tries;
    const char *c;
    for (c = text; *c; c++)
        hash = (hash ^ (unsigned char)*c) * 16777619u;
    for (tries = 0; tries + 1 < ASSAY_RECORD_TEXTS; tries++) {
        assay_record_text *slot = &t->texts[(hash + tries) % ASSAY_RECORD_TEXTS];
        if (!slot->address || strcmp(slot->text, text) == 0)
            return slot;
    }
    return NULL;
}

static inline const char *assay_record_meet(assay_tape *t, const char *text, unsigned char *hint)
{
    size_t length = strlen(text);
    assay_record_text *slot = NULL;
    if (!t->texts)
        t->texts = (assay_record_text *)calloc(ASSAY_RECORD_TEXTS, sizeof *t->texts);
    if (t->texts && length < sizeof t->texts->text)
        slot = assay_record_slot(t, text);
    if (!slot && !t->recorder->log)
        return assay_record_copy_text(t, text, length);
    if (!slot) {
        assay_record_stop(
            t, "a tape of a log has room for 255 texts of at most 55 bytes, and there are more or longer ones");
        return NULL;
    }
    if (!slot->address) {
        memcpy(slot->text, text, length + 1);
        __atomic_store_n(&slot->address, (uint64_t)(uintptr_t)slot->text, __ATOMIC_RELEASE);
        t->text_count++;
    }
    *hint = (unsigned char)(slot - t->texts);
    return slot->text;
}

/* The tape's own copy of a text, since the caller may use its memory again. Mostly the text was at the same address
 * before. NULL: recording has ended. */
static inline const char *assay_record_own(assay_tape *t, const char *text)
{
    unsigned char *hint = &t->hints[(uint64_t)(uintptr_t)text * 0x9E3779B97F4A7C15u >> 58];
    const assay_record_text *slot = t->texts ? &t->texts[*hint] : NULL;
    if (slot && slot->address && strcmp(slot->text, text) == 0)
        return slot->text;
    return assay_record_meet(t, text, hint);
}

/* Puts numbers behind those of the tape. A log has the room that it was opened with. */
static inline int assay_record_keep(assay_tape *t, const int64_t *numbers, size_t n, assay_record_list *out)
{
    size_t needed = n <= UINT32_MAX ? t->number_count + n : SIZE_MAX, room = t->number_room ? t->number_room : 64;
    while (room < needed && room <= UINT32_MAX)
        room *= 2;
    if (needed > t->number_room && needed <= room && !t->recorder->log) {
        int64_t *more = (int64_t *)realloc(t->numbers, room * sizeof *more);
        if (more) {
            t->numbers = more;
            t->number_room = room;
        }
    }
    if (needed > t->number_room) {
        assay_record_stop(t, t->recorder->log
                                 ? "a tape of a log has no room for so many numbers of lists and arguments: "
                                   "assay_record_open_wide"
                                 : "out of memory");
        return 0;
    }
    out->at = (uint32_t)t->number_count;
    out->length = (uint32_t)n;
    if (n)
        memcpy(t->numbers + t->number_count, numbers, n * sizeof *numbers);
    t->number_count = needed;
    return 1;
}

/* A further piece of tape; it is touched, so that the system hands out its memory now. */
static inline int assay_record_grow(assay_tape *t)
{
    assay_recorder *r = t->recorder;
    size_t before = t->chunk_count * ASSAY_RECORD_CHUNK, calls = ASSAY_RECORD_CHUNK;
    char *chunk;
    if (before >= r->room)
        return 0;
    if (r->room - before < calls)
        calls = r->room - before;
    chunk = (char *)malloc(calls * r->stride);
    if (!chunk)
        return 0;
    memset(chunk, 0, calls * r->stride);
    t->chunks[t->chunk_count++] = chunk;
    t->next = chunk;
    t->end = chunk + calls * r->stride;
    return 1;
}

/* The next piece: one that is left from before a clear, or a new one. */
static inline int assay_record_turn(assay_tape *t)
{
    size_t i = t->completed / ASSAY_RECORD_CHUNK;
    if (t->completed % ASSAY_RECORD_CHUNK == 0 && i < t->chunk_count) {
        size_t left = t->recorder->room - i * ASSAY_RECORD_CHUNK;
        t->next = t->chunks[i];
        t->end = t->next + (left < ASSAY_RECORD_CHUNK ? left : ASSAY_RECORD_CHUNK) * t->recorder->stride;
        return 1;
    }
    return assay_record_grow(t);
}

/* A call that is not recorded. */
static inline assay_record_entry *assay_record_lose(const assay_tape *t)
{
    if (t && t->lost)
        __atomic_fetch_add(t->lost, 1, __ATOMIC_RELAXED);
    return NULL;
}

/* Where the next call goes; NULL: nowhere, any more. */
static inline assay_record_entry *assay_record_begin(assay_tape *t, const char *method, unsigned char args)
{
    assay_record_entry *e;
    if (!t || __atomic_load_n(&t->recorder->stopper, __ATOMIC_RELAXED))
        return assay_record_lose(t);
    if (!method) {
        assay_record_refuse(t, "assay_record_call", NULL);
        return NULL;
    }
    if (t->open) {
        assay_record_stop(t, "a thread called before its last call had returned");
        return NULL;
    }
    if (t->next == t->end && !assay_record_turn(t)) {
        assay_record_stop(t, "a tape was full");
        return NULL;
    }
    method = assay_record_own(t, method);
    if (!method)
        return NULL;
    e = (assay_record_entry *)(void *)t->next;
    e->method = method;
    e->arg_count = args;
    return e;
}

/* The last thing before the call. */
static inline void assay_record_called(assay_tape *t, assay_record_entry *e)
{
    e->result_kind = ASSAY_RECORD_NONE;
    t->open = e;
    if (t->recorder->clock == ASSAY_RECORD_COUNTERS)
        assay_record_collect(t->recorder, assay_record_seen(e));
    else
        assay_record_times(e)[0] = assay_record_stamp(t);
    __atomic_store_n(&e->state, ASSAY_RECORD_CALLED, __ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST); /* in a log no effect of the call comes before this */
}

/* The first thing after the return. */
static inline assay_record_entry *assay_record_returned(assay_tape *t)
{
    assay_record_entry *e = t ? t->open : NULL;
    if (e && t->recorder->clock == ASSAY_RECORD_STAMPS)
        assay_record_times(e)[1] = assay_record_stamp(t);
    return e;
}

/* The result is on the tape. The count comes last: a reader of it may rely on the rest, even if this thread is
 * killed. */
static inline void assay_record_ended(assay_tape *t, assay_record_entry *e)
{
    __atomic_store_n(&e->state, ASSAY_RECORD_RETURNED, __ATOMIC_RELEASE);
    __atomic_store_n(assay_record_count(t->recorder, t->thread), ++t->completed, __ATOMIC_RELEASE);
    t->open = NULL;
    t->next += t->recorder->stride;
}

/* The bytes of an entry and the data behind it. */
static inline size_t assay_record_stride(unsigned threads, assay_record_clock clock)
{
    size_t behind = clock == ASSAY_RECORD_COUNTERS ? threads * sizeof(uint32_t) : 2 * sizeof(uint64_t);
    return (sizeof(assay_record_entry) + behind + 7) / 8 * 8;
}

/* ---- logs ---- */

static inline size_t assay_record_rounded(size_t bytes)
{
    return (bytes + ASSAY_RECORD_LINE - 1) / ASSAY_RECORD_LINE * ASSAY_RECORD_LINE;
}

/* The bytes of a tape before its entries, and all of them. */
static inline size_t assay_record_before(unsigned threads, size_t numbers)
{
    return assay_record_rounded(2 * sizeof(uint32_t) * threads) + ASSAY_RECORD_TEXTS * sizeof(assay_record_text) +
           assay_record_rounded(numbers * sizeof(int64_t));
}

static inline size_t assay_record_tape_size(const assay_recorder *r)
{
    return assay_record_before(r->threads, r->numbers) + assay_record_rounded(r->room * r->stride);
}

/* Where in the log a tape begins; behind the last one the log ends. */
static inline size_t assay_record_tape_at(const assay_recorder *r, unsigned thread)
{
    return ASSAY_RECORD_HEAD + (size_t)r->threads * ASSAY_RECORD_LINE + thread * assay_record_tape_size(r);
}

static inline size_t assay_record_log_size(const assay_recorder *r)
{
    return assay_record_tape_at(r, r->threads);
}

/* The tape's parts lie in the log. */
static inline void assay_record_lay_tape(assay_tape *t, char *log)
{
    const assay_recorder *r = t->recorder;
    char *at = log + assay_record_tape_at(r, t->thread);
    t->cut = (uint32_t *)(void *)at;
    t->texts = (assay_record_text *)(void *)(at + assay_record_rounded(2 * sizeof(uint32_t) * r->threads));
    t->numbers = (int64_t *)(void *)(at + assay_record_before(r->threads, 0));
    t->number_room = r->numbers;
    at += assay_record_before(r->threads, r->numbers);
    for (t->chunk_count = 0; t->chunk_count * ASSAY_RECORD_CHUNK < r->room; t->chunk_count++)
        t->chunks[t->chunk_count] = at + t->chunk_count * ASSAY_RECORD_CHUNK * r->stride;
}

#if defined(__unix__) || defined(__APPLE__)
#if !defined(MAP_ANONYMOUS) && defined(MAP_ANON)
#define MAP_ANONYMOUS MAP_ANON
#endif

/* Memory without a file, which a process shares with the processes that it forks. */
static inline char *assay_record_map_shared(size_t size)
{
#if defined(MAP_ANONYMOUS)
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
#else /* strict POSIX does not name it */
    int fd = open("/dev/zero", O_RDWR);
    void *at = fd < 0 ? MAP_FAILED : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (fd >= 0)
        close(fd);
#endif
    return at == MAP_FAILED ? NULL : (char *)at;
}

/* A new file, filled with zeros so that a full disk cannot stop the recording later, and mapped. */
static inline char *assay_record_map_file(const char *path, size_t size)
{
    static const char zeros[1 << 14] = {0};
    void *at = MAP_FAILED;
    size_t done = 0;
    int fd;
    unlink(path); /* it may be another program's, which goes on writing to the file without a name */
    fd = open(path, O_RDWR | O_CREAT | O_EXCL, 0666);
    while (fd >= 0 && done < size) {
        ssize_t n = write(fd, zeros, size - done < sizeof zeros ? size - done : sizeof zeros);
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    if (fd >= 0 && done == size)
        at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (fd >= 0)
        close(fd);
    return at == MAP_FAILED ? NULL : (char *)at;
}

static inline void assay_record_unmap(char *log, size_t size)
{
    munmap(log, size);
}
#else
static inline char *assay_record_map_shared(size_t size)
{
    (void)size;
    return NULL;
}

static inline char *assay_record_map_file(const char *path, size_t size)
{
    (void)path;
    (void)size;
    return NULL;
}

static inline void assay_record_unmap(char *log, size_t size)
{
    (void)log;
    (void)size;
}
#endif

static inline void assay_record_close_log(assay_recorder *r)
{
    if (!r->log)
        return;
    __atomic_store_n(&((assay_record_log *)(void *)r->log)->closed, 1, __ATOMIC_RELEASE);
    assay_record_unmap(r->log, assay_record_log_size(r));
}

/* ---- opening and closing ---- */

static inline void assay_record_close(assay_recorder *r)
{
    unsigned i;
    size_t c;
    if (!r)
        return;
    for (i = 0; r->tapes && i < r->threads; i++) {
        assay_tape *t = r->tapes[i];
        for (c = 0; t && t->chunks && c < t->chunk_count && !r->log; c++)
            free(t->chunks[c]);
        if (t) {
            assay_record_free_copies(t);
            free(t->chunks);
            free(r->log ? NULL : t->cut);
            free(r->log ? NULL : t->numbers);
            free(r->log ? NULL : t->texts);
        }
        free(t);
    }
    assay_record_close_log(r);
    free(r->stray);
    free(r->tapes);
    free(r->block);
    free(r);
}

static inline int assay_record_open_tape(assay_recorder *r, unsigned thread)
{
    /* Tapes also lie apart, because they are written with every call. */
    assay_tape *t = (assay_tape *)calloc(1, sizeof *t + ASSAY_RECORD_LINE);
    r->tapes[thread] = t;
    if (!t)
        return 0;
    t->recorder = r;
    t->thread = thread;
    t->chunks = (char **)calloc(r->room / ASSAY_RECORD_CHUNK + 1, sizeof *t->chunks);
    if (t->chunks && r->log) {
        assay_record_lay_tape(t, r->log);
        return 1;
    }
    t->cut = (uint32_t *)calloc((size_t)r->threads * 2, sizeof *t->cut);
    return t->chunks && t->cut && assay_record_grow(t);
}

/* A tape that takes no calls, as the recorder behind it says; it counts them. */
static inline int assay_record_open_stray(assay_recorder *r)
{
    assay_recorder *ended;
    char *both = (char *)calloc(1, sizeof *r->stray + sizeof *ended);
    if (!both)
        return 0;
    r->stray = (assay_tape *)(void *)both;
    ended = (assay_recorder *)(void *)(both + sizeof *r->stray);
    ended->stopper = r->stray;
    r->stray->recorder = ended;
    r->stray->lost = r->log ? &((assay_record_log *)(void *)r->log)->lost : &r->lost;
    return 1;
}

/* An empty path: a log without a file. */
static inline int assay_record_start_log(assay_recorder *r, const char *path)
{
    assay_record_log *log;
    size_t size = assay_record_log_size(r);
    r->log = *path ? assay_record_map_file(path, size) : assay_record_map_shared(size);
    if (!r->log)
        return 0;
    log = (assay_record_log *)(void *)r->log;
    log->byte_order = 0x01020304u;
    log->version = r->numbers ? 2 : 1;
    log->numbers = r->numbers;
    log->threads = r->threads;
    log->clock = (uint32_t)r->clock;
    log->room = r->room;
    log->stride = r->stride;
    log->size = assay_record_log_size(r);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    memcpy(log->magic, ASSAY_RECORD_MAGIC, sizeof log->magic);
    return 1;
}

static inline assay_recorder *assay_record_make(unsigned threads, assay_record_clock clock, size_t room, size_t numbers,
                                                const char *path)
{
    assay_recorder *r = (assay_recorder *)calloc(1, sizeof *r);
    unsigned i;
    if (!r)
        return NULL;
    r->threads = threads;
    r->clock = clock;
    r->cycles = clock == ASSAY_RECORD_STAMPS && assay_record_has_cycles();
    r->room = room == 0 ? 1 : room < UINT32_MAX ? room : UINT32_MAX;
    r->numbers = path ? numbers : 0;
    r->stride = assay_record_stride(threads, clock);
    r->block = (char *)calloc((size_t)threads + 1, ASSAY_RECORD_LINE);
    r->tapes = (assay_tape **)calloc((size_t)threads + 1, sizeof *r->tapes);
    if (!r->block || !r->tapes || (path && !assay_record_start_log(r, path)) || !assay_record_open_stray(r)) {
        assay_record_close(r);
        return NULL;
    }
    r->counts = r->log ? r->log + ASSAY_RECORD_HEAD
                       : r->block + (ASSAY_RECORD_LINE - (uintptr_t)r->block % ASSAY_RECORD_LINE) % ASSAY_RECORD_LINE;
    for (i = 0; i < threads; i++) {
        if (!assay_record_open_tape(r, i)) {
            assay_record_close(r);
            return NULL;
        }
    }
    r->zero = assay_record_now(r);
    return r;
}

/* For `threads` threads, with room for `room` calls each (the memory is taken piece by piece). NULL: out of memory. */
static inline assay_recorder *assay_record_open(unsigned threads, assay_record_clock clock, size_t room)
{
    return assay_record_make(threads, clock, room, 0, NULL);
}

/* The same with tapes in a new file of that name, which takes all its space at once. If a recording must survive a
 * kill, begin it with this function. NULL: out of memory, or the file cannot be made or mapped. */
static inline assay_recorder *assay_record_open_log(const char *path, unsigned threads, assay_record_clock clock,
                                                    size_t room)
{
    return assay_record_make(threads, clock, room, 0, path);
}

/* The same with tapes in memory that this process shares with those that it forks afterwards. When a child is killed,
 * the parent has its calls in the memory at r->log (assay_record_log_size(r) bytes). NULL: out of memory. */
static inline assay_recorder *assay_record_open_shared(unsigned threads, assay_record_clock clock, size_t room)
{
    return assay_record_make(threads, clock, room, 0, "");
}

/* Like one of the last two: in the file, or with "" in shared memory. Each tape also has room for `numbers` numbers:
 * those of lists, and all but the first argument of calls with more than two. Tapes in memory of one process grow, so
 * they do not need this. */
static inline assay_recorder *assay_record_open_wide(const char *path, unsigned threads, assay_record_clock clock,
                                                     size_t room, size_t numbers)
{
    return assay_record_make(threads, clock, room, numbers, path);
}

/* The tape of a thread, numbered from 0. Calls of a thread that the recorder was not opened for are lost, and the
 * writer says so. */
static inline assay_tape *assay_record_tape(const assay_recorder *r, unsigned thread)
{
    return !r ? NULL : thread < r->threads ? r->tapes[thread] : r->stray;
}

/* Forgets all calls and keeps the memory. */
static inline void assay_record_clear(assay_recorder *r)
{
    unsigned i;
    for (i = 0; r && i < r->threads; i++) {
        assay_tape *t = r->tapes[i];
        if (r->log) /* old entries must not look like calls that did not return */
            memset(t->chunks[0], 0, (t->completed < r->room ? t->completed + 1 : r->room) * r->stride);
        assay_record_free_copies(t);
        if (t->text_count > ASSAY_RECORD_TEXTS / 2) { /* no entry refers to them any more */
            memset(t->texts, 0, ASSAY_RECORD_TEXTS * sizeof *t->texts);
            t->text_count = 0;
        }
        t->completed = 0;
        t->number_count = 0;
        t->open = NULL;
        t->fault = NULL;
        t->last = 0;
        t->next = t->end = NULL;
        __atomic_store_n(assay_record_count(r, i), 0, __ATOMIC_RELAXED);
    }
    if (r) {
        *r->stray->lost = 0;
        if (r->log)
            ((assay_record_log *)(void *)r->log)->stopper = 0;
        r->stopper = NULL;
        r->zero = assay_record_now(r);
    }
}

/* ---- recording ---- */

static inline void assay_record_call0(assay_tape *t, const char *method)
{
    assay_record_entry *e = assay_record_begin(t, method, 0);
    if (!e)
        return;
    assay_record_called(t, e);
}

static inline void assay_record_call1(assay_tape *t, const char *method, int64_t a)
{
    assay_record_entry *e = assay_record_begin(t, method, 1);
    if (!e)
        return;
    e->args[0].number = a;
    e->arg_kinds[0] = ASSAY_RECORD_INT;
    assay_record_called(t, e);
}

static inline void assay_record_call2(assay_tape *t, const char *method, int64_t a, int64_t b)
{
    assay_record_entry *e = assay_record_begin(t, method, 2);
    if (!e)
        return;
    e->args[0].number = a;
    e->args[1].number = b;
    e->arg_kinds[0] = e->arg_kinds[1] = ASSAY_RECORD_INT;
    assay_record_called(t, e);
}

/* Any number of arguments, up to 255. */
static inline void assay_record_calln(assay_tape *t, const char *method, const int64_t *args, unsigned char n)
{
    assay_record_entry *e = assay_record_begin(t, method, n);
    unsigned i;
    if (!e || (n > ASSAY_RECORD_ARGS && !assay_record_keep(t, args + 1, (size_t)n - 1, &e->args[1].list)))
        return;
    for (i = 0; i < n && i < (n > ASSAY_RECORD_ARGS ? 1 : ASSAY_RECORD_ARGS); i++) {
        e->args[i].number = args[i];
        e->arg_kinds[i] = ASSAY_RECORD_INT;
    }
    if (n > ASSAY_RECORD_ARGS)
        e->arg_kinds[1] = ASSAY_RECORD_LIST;
    assay_record_called(t, e);
}

/* False: recording has ended. */
static inline int assay_record_put_word(assay_tape *t, const assay_record_entry *e, const char *function,
                                        const char *word, assay_record_value *to)
{
    if (!word)
        assay_record_refuse(t, function, e->method);
    to->word = word ? assay_record_own(t, word) : NULL;
    return to->word != NULL;
}

/* The first argument is a word: the variable of a memory, the key of a map. */
static inline void assay_record_call_word(assay_tape *t, const char *method, const char *a)
{
    assay_record_entry *e = assay_record_begin(t, method, 1);
    if (!e || !assay_record_put_word(t, e, "assay_record_call_word", a, &e->args[0]))
        return;
    e->arg_kinds[0] = ASSAY_RECORD_WORD;
    assay_record_called(t, e);
}

static inline void assay_record_call_word_int(assay_tape *t, const char *method, const char *a, int64_t b)
{
    assay_record_entry *e = assay_record_begin(t, method, 2);
    if (!e || !assay_record_put_word(t, e, "assay_record_call_word", a, &e->args[0]))
        return;
    e->args[1].number = b;
    e->arg_kinds[0] = ASSAY_RECORD_WORD;
    e->arg_kinds[1] = ASSAY_RECORD_INT;
    assay_record_called(t, e);
}

/* The call has returned, with nothing, a number, a word, true or false, or a list. */
static inline void assay_record_return(assay_tape *t)
{
    assay_record_entry *e = assay_record_returned(t);
    if (e)
        assay_record_ended(t, e);
}

static inline void assay_record_return_int(assay_tape *t, int64_t result)
{
    assay_record_entry *e = assay_record_returned(t);
    if (!e)
        return;
    e->result.number = result;
    e->result_kind = ASSAY_RECORD_INT;
    assay_record_ended(t, e);
}

static inline void assay_record_return_word(assay_tape *t, const char *result)
{
    assay_record_entry *e = assay_record_returned(t);
    if (!e || !assay_record_put_word(t, e, "assay_record_return_word", result, &e->result))
        return;
    e->result_kind = ASSAY_RECORD_WORD;
    assay_record_ended(t, e);
}

/* A list of numbers, as in => [1 2 3]. */
static inline void assay_record_return_list(assay_tape *t, const int64_t *numbers, size_t n)
{
    assay_record_entry *e = assay_record_returned(t);
    if (!e || !assay_record_keep(t, numbers, n, &e->result.list))
        return;
    e->result_kind = ASSAY_RECORD_LIST;
    assay_record_ended(t, e);
}

static inline void assay_record_return_bool(assay_tape *t, int result)
{
    assay_record_return_word(t, result ? "true" : "false");
}

/* The call has returned and certainly had no effect, so it is taken off the tape. No other thread has seen it in the
 * counts, so the order of the other calls stays as it is. */
static inline void assay_record_failed(assay_tape *t)
{
    if (!t || !t->open)
        return;
    __atomic_store_n(&t->open->state, ASSAY_RECORD_EMPTY, __ATOMIC_RELEASE);
    t->open = NULL;
}

/* ---- writing the history ---- */

static inline const assay_record_entry *assay_record_at(const assay_recorder *r, unsigned thread, uint32_t i)
{
    const char *chunk = r->tapes[thread]->chunks[i / ASSAY_RECORD_CHUNK];
    return (const assay_record_entry *)(const void *)(chunk + i % ASSAY_RECORD_CHUNK * r->stride);
}

/* Does the call know of calls beyond the cut? Then it came after it. */
static inline int assay_record_beyond(const assay_recorder *r, const assay_record_entry *e)
{
    unsigned i;
    for (i = 0; r->stopper && r->clock == ASSAY_RECORD_COUNTERS && i < r->threads; i++)
        if (assay_record_seen(e)[i] > r->stopper->cut[i])
            return 1;
    return 0;
}

/* How many calls of a thread the history has, a pending one included; *pending: whether the last one is. */
static inline uint32_t assay_record_size(const assay_recorder *r, unsigned thread, int *pending)
{
    const assay_tape *t = r->tapes[thread];
    uint32_t n = r->stopper ? r->stopper->cut[thread] : t->completed;
    *pending = (n < t->completed || t->open) && !assay_record_beyond(r, assay_record_at(r, thread, n));
    return n + (*pending ? 1 : 0);
}

static inline void assay_record_write_value(FILE *out, const assay_tape *t, unsigned char kind, assay_record_value v)
{
    uint32_t i;
    if (kind == ASSAY_RECORD_INT)
        fprintf(out, "%lld", (long long)v.number);
    else if (kind == ASSAY_RECORD_WORD)
        fputs(v.word, out);
    else {
        fputc('[', out);
        for (i = 0; i < v.list.length; i++)
            fprintf(out, "%s%lld", i ? " " : "", (long long)t->numbers[v.list.at + i]);
        fputc(']', out);
    }
}

static inline void assay_record_write_args(FILE *out, const assay_tape *t, const assay_record_entry *e)
{
    unsigned i;
    for (i = 0; i < e->arg_count && (i == 0 || e->arg_count <= ASSAY_RECORD_ARGS); i++) {
        fputs(i ? ", " : "", out);
        assay_record_write_value(out, t, e->arg_kinds[i], e->args[i]);
    }
    for (i = 1; e->arg_count > ASSAY_RECORD_ARGS && i < e->arg_count; i++)
        fprintf(out, ", %lld", (long long)t->numbers[e->args[1].list.at + i - 1]);
}

static inline void assay_record_write_clock(const assay_recorder *r, unsigned thread, const assay_record_entry *e,
                                            int pending, FILE *out)
{
    const uint32_t *seen = assay_record_seen(e);
    unsigned i;
    if (r->clock == ASSAY_RECORD_STAMPS) {
        fprintf(out, " @ %llu..", (unsigned long long)assay_record_times(e)[0]);
        if (!pending)
            fprintf(out, "%llu", (unsigned long long)assay_record_times(e)[1]);
        return;
    }
    fputs(" @ after", out);
    for (i = 0; i < r->threads; i++)
        if (i != thread && seen[i])
            fprintf(out, " t%u:%lu", i, (unsigned long)seen[i]);
}

static inline void assay_record_write_entry(const assay_recorder *r, unsigned thread, const assay_record_entry *e,
                                            int pending, FILE *out)
{
    const assay_tape *t = r->tapes[thread];
    fprintf(out, "t%u: %s(", thread, e->method);
    assay_record_write_args(out, t, e);
    fputc(')', out);
    if (pending || e->result_kind != ASSAY_RECORD_NONE)
        fputs(" => ", out);
    if (pending)
        fputc('?', out);
    else if (e->result_kind != ASSAY_RECORD_NONE)
        assay_record_write_value(out, t, e->result_kind, e->result);
    assay_record_write_clock(r, thread, e, pending, out);
    fputc('\n', out);
}

/* Calls of threads that the recorder was not opened for. */
static inline uint64_t assay_record_lost(const assay_recorder *r)
{
    return r->log ? ((const assay_record_log *)(const void *)r->log)->lost : r->lost;
}

/* A header that readers refuse: the calls that were recorded may make no sense without the others. */
static inline const char *assay_record_write_lost(const assay_recorder *r, FILE *out)
{
    char said[160];
    unsigned long long lost = (unsigned long long)assay_record_lost(r);
    snprintf(said, sizeof said, "%llu call%s lost, of threads from t%u on: the recorder was opened for %u thread%s",
             lost, lost == 1 ? " was" : "s were", r->threads, r->threads, r->threads == 1 ? "" : "s");
    fprintf(out, "# @incomplete %s\n", said);
    if (!r->stray)
        return "calls were lost, of threads that the recorder was not opened for";
    return (const char *)memcpy(r->stray->said, said, sizeof said);
}

/* One history as .hist text; `object` as after `# @object`, or NULL. Several go into one file with a line `---` between
 * them. Returns NULL, or why the history is not all that happened; errors of the stream are the caller's to look
 * for. */
static inline const char *assay_record_write(const assay_recorder *r, const char *object, FILE *out)
{
    const char *fault;
    unsigned t;
    if (!r)
        return "there was no memory for a recorder";
    fault = r->stopper ? r->stopper->fault : NULL;
    if (fault)
        fprintf(out, "# recording ended early: %s\n", fault);
    if (assay_record_lost(r))
        fault = assay_record_write_lost(r, out);
    if (object)
        fprintf(out, "# @object %s\n", object);
    for (t = 0; t < r->threads; t++) {
        int pending;
        uint32_t i, n = assay_record_size(r, t, &pending);
        for (i = 0; i < n; i++)
            assay_record_write_entry(r, t, assay_record_at(r, t, i), pending && i + 1 == n, out);
    }
    return fault;
}

#ifdef __cplusplus
}
#endif
#endif
