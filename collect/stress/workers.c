/* SPDX-License-Identifier: Apache-2.0 */
/* Idea: bugs hide in schedules that rarely happen, so runs are short, many, and disturbed. A run has a perturbation
 * level, from none to a lot. It gives the frequency of perturbations, before a call and at the marked points of the
 * implementation. A thread yields to others, waits for a random while, or stalls until the others have made some calls.
 * The last lets others do several calls within one of this thread's; a reused address or a stale read of a counter
 * needs that. A caller that asks for a certain pace gets its perturbation in every run.
 *
 * Invariant: outside a run (between workers_run's return and the next call) no worker touches the object, the program
 * or the recorder. `round` hands them over (release), `arrived` hands them back. */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* cores to be pinned to */
#endif
#include "collect/stress/workers.h"

#include "base/rng.h"
#include "collect/stress/race_detector.h"
#include "spec/spec.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif

enum {
    PATIENCE = 200,   /* tests before a waiting thread yields */
    YIELDS = 20,      /* and so many before it sleeps */
    MOST_STALLS = 160 /* tests before a thread no longer waits for others to go on */
};

struct member {
    struct workers *workers;
    pthread_t thread;
    uint32_t number;
    struct rng rng;
    assay_tape *tape;
    struct thread_stage *stage;
    uint8_t held;      /* the method that releases the held object, or CLIENT_NONE */
    uint32_t returned; /* calls of this run that have returned and had an effect: all must be on the tape */
    uint32_t met;      /* barriers of this run that it has come to */
    const char *wrong; /* with an answer that cannot be recorded; NULL: there was none */
    uint8_t answered;  /* the method that gave it */
};

struct perturbation {
    uint32_t before, within; /* of 256 calls, before so many something happens, and at so many points within calls */
    uint32_t yields, stalls; /* of 256 of these so many yield or stall; the others dawdle */
    uint32_t longest;        /* rounds of dawdling */
};

static const struct perturbation perturbations[] = {
    {0, 0, 0, 0, 0},         {16, 16, 128, 0, 64}, {64, 64, 96, 0, 400},
    {128, 128, 224, 0, 100}, {32, 32, 0, 256, 0},  {64, 64, 64, 160, 400},
};
/* A pause is long beside a call, and longer than it takes to wake a thread. */
static const struct perturbation crowded = {0, 256, 128, 0, 8000}, apart = {256, 24, 64, 0, 8000};

struct workers {
    const struct vocabulary *words;
    assay_recorder *recorder;
    struct thread_stage *stages;
    bool owns;              /* recorder and stages */
    uint32_t started;       /* members whose thread runs */
    struct member *members; /* the first is the caller of workers_run */
    uint32_t most;          /* members */
    enum stress_pace pace;
    struct race_detector detector;
    /* of a run */
    const struct client *program;
    void *object;
    struct perturbation perturbation;
    char broken[sizeof((struct shared_run *)0)->broken];
    char fault[160];           /* of an answer */
    _Atomic uint64_t round;    /* a new number begins a run */
    _Atomic uint32_t present;  /* threads that have come to its barriers, to all of them together */
    _Atomic uint32_t meetings; /* barriers that all have come to */
    _Atomic uint32_t arrived;  /* threads that have done their part */
    _Atomic bool ends;
};

/* The part that this thread takes in a run; NULL: none. Marked points are also reached outside of that: from `create`
 * and `destroy`, and by threads that the implementation has made. Nobody is disturbed there. */
static _Thread_local struct member *self;

/* This process is a copy that the implementation has made of ours. It must not touch the tapes that both share. */
static volatile bool is_copy;

static void become_copy(void)
{
    is_copy = true;
}

static void watch_copies(void)
{
    pthread_atfork(NULL, NULL, become_copy);
}

/* ---- disturbance ---- */

static void relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#else
    atomic_signal_fence(memory_order_seq_cst);
#endif
}

/* Waits for something that comes soon, or in a while. On a busy core a thread that yields waits long, and a thread that
 * sleeps is woken early. */
static void wait_a_little(uint32_t *polls)
{
    if (++*polls < PATIENCE)
        relax();
    else if (*polls < PATIENCE + YIELDS)
        sched_yield();
    else
        nanosleep(&(struct timespec){.tv_nsec = 1000}, NULL);
}

static uint32_t calls_of_others(const struct member *m)
{
    uint32_t sum = 0;
    for (uint32_t t = 0; t < m->workers->program->threads; t++)
        if (t != m->number)
            sum += __atomic_load_n(assay_record_count(m->workers->recorder, t), __ATOMIC_RELAXED);
    return sum;
}

/* Until the others have come some calls further, if they do. */
static void stall(struct member *m)
{
    uint32_t until = calls_of_others(m) + 1 + rng_below(&m->rng, 4);
    for (uint32_t i = 0; i < MOST_STALLS && calls_of_others(m) < until; i++)
        if (i % 8 == 7)
            sched_yield();
        else
            relax();
}

static void disturb(struct member *m, uint32_t often)
{
    const struct perturbation *perturbation = &m->workers->perturbation;
    if (rng_below(&m->rng, 256) >= often)
        return;
    uint32_t pick = rng_below(&m->rng, 256);
    if (pick < perturbation->yields)
        sched_yield();
    else if (pick - perturbation->yields < perturbation->stalls)
        stall(m);
    else
        for (uint32_t n = rng_below(&m->rng, perturbation->longest + 1); n; n--)
            relax();
}

static void add_one(_Atomic uint64_t *count) /* of this thread alone */
{
    atomic_store_explicit(count, atomic_load_explicit(count, memory_order_relaxed) + 1, memory_order_relaxed);
}

static void disturb_within(void)
{
    if (!self)
        return;
    add_one(&self->stage->points);
    disturb(self, self->workers->perturbation.within);
}

/* ---- a thread's part ---- */

static void enter_stage(const struct member *m, enum run_stage stage)
{
    if (is_copy)
        _exit(EXIT_SUCCESS);
    atomic_store_explicit(&m->stage->stage, (uint8_t)stage, memory_order_relaxed);
}

static void record_call(assay_tape *tape, const assay_method *m, const int64_t *args)
{
    assay_record_calln(tape, m->name, args, (unsigned char)method_least(m));
}

/* What no record can have; NULL: nothing. */
static const char *fault_of(assay_answer answer)
{
    if (answer.kind == ASSAY_ANSWER_WORD && !answer.word)
        return "assay_answer_word(NULL): a word is missing";
    if (answer.kind == ASSAY_ANSWER_LIST && answer.number > 0 && !answer.list)
        return "assay_answer_list(NULL, ...): the numbers are missing";
    return answer.kind > ASSAY_ANSWER_LIST ? "an answer of a kind that assay_adapter.h does not have" : NULL;
}

static void record_return(struct member *m, assay_answer answer)
{
    m->returned += answer.kind != ASSAY_ANSWER_FAILED;
    switch (answer.kind) {
    case ASSAY_ANSWER_NONE: assay_record_return(m->tape); break;
    case ASSAY_ANSWER_INT: assay_record_return_int(m->tape, answer.number); break;
    case ASSAY_ANSWER_WORD: assay_record_return_word(m->tape, answer.word); break;
    case ASSAY_ANSWER_LIST:
        assay_record_return_list(m->tape, answer.list, answer.number > 0 ? (size_t)answer.number : 0);
        break;
    case ASSAY_ANSWER_FAILED: assay_record_failed(m->tape); break;
    }
}

static assay_answer perform(struct member *m, uint8_t method, const int64_t *args)
{
    const struct workers *c = m->workers;
    disturb(m, c->perturbation.before);
    enter_stage(m, STAGE_CALL);
    add_one(&m->stage->made[method]);
    record_call(m->tape, c->words->methods[method], args);
    assay_answer answer = c->words->adapter->call(c->object, m->number, method, args);
    const char *wrong = fault_of(answer);
    if (wrong && !m->wrong) {
        m->wrong = wrong;
        m->answered = method;
    }
    if (wrong)
        answer = assay_answer_none();
    if (!is_copy)
        record_return(m, answer);
    add_one(&m->stage->calls);
    if (answer.kind == ASSAY_ANSWER_FAILED)
        add_one(&m->stage->failed);
    enter_stage(m, STAGE_BETWEEN);
    return answer;
}

static void let_go(struct member *m)
{
    static const int64_t none[ASSAY_ADAPTER_ARGS];
    if (m->held == CLIENT_NONE)
        return;
    perform(m, m->held, none);
    m->held = CLIENT_NONE;
}

static bool is_no(assay_answer answer)
{
    return answer.kind == ASSAY_ANSWER_FAILED ||
           (answer.kind == ASSAY_ANSWER_WORD && strcmp(answer.word, "false") == 0);
}

static void take_step(struct member *m, const struct step *s)
{
    const struct vocabulary *words = m->workers->words;
    uint8_t closer = words->closed_by[s->method];
    if (words->closes[s->method]) {
        if (m->held == s->method)
            let_go(m);
        return;
    }
    if (closer != CLIENT_NONE)
        let_go(m);
    assay_answer answer = perform(m, s->method, s->args);
    if (closer != CLIENT_NONE && !is_no(answer))
        m->held = closer;
}

/* A barrier. The last to come tells for the others, too, that they go on: one that sleeps has not noticed yet. */
static void meet(struct member *m)
{
    struct workers *c = m->workers;
    uint32_t all = c->program->threads, polls = 0;
    enter_stage(m, STAGE_OUTSIDE);
    race_detector_release(&c->detector);
    m->met++;
    if (atomic_fetch_add(&c->present, 1) + 1 == all * m->met) {
        for (uint32_t t = 0; t < all; t++)
            enter_stage(&c->members[t], STAGE_BETWEEN);
        atomic_store(&c->meetings, m->met);
    }
    while (atomic_load(&c->meetings) < m->met)
        wait_a_little(&polls);
    race_detector_acquire(&c->detector);
}

static void take_steps(struct member *m, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        take_step(m, &m->workers->program->steps[i]);
    let_go(m);
}

/* One thread after the other, of those that have such calls. */
static void take_turns(struct member *m, const uint32_t *calls, uint32_t from, uint32_t to)
{
    for (uint32_t t = 0; t < m->workers->program->threads; t++) {
        if (!calls[t])
            continue;
        if (t == m->number)
            take_steps(m, from, to);
        meet(m);
    }
}

static bool anybody(const struct client *p, const uint32_t *calls)
{
    bool any = false;
    for (uint32_t t = 0; t < p->threads; t++)
        any |= calls[t] > 0;
    return any;
}

static void take_part(struct member *m)
{
    struct workers *c = m->workers;
    const struct client *p = c->program;
    const assay_adapter *a = c->words->adapter;
    self = m;
    m->held = CLIENT_NONE;
    m->returned = 0;
    m->met = 0;
    enter_stage(m, STAGE_ENTER);
    if (a->enter)
        a->enter(c->object, m->number);
    meet(m);
    uint32_t from = p->from[m->number], to = p->from[m->number + 1];
    uint32_t begin = from + p->before[m->number], end = to - p->after[m->number];
    take_turns(m, p->before, from, begin);
    take_steps(m, begin, end);
    if (anybody(p, p->after))
        meet(m);
    take_turns(m, p->after, end, to);
    enter_stage(m, STAGE_LEAVE);
    if (a->leave)
        a->leave(c->object, m->number);
    enter_stage(m, STAGE_OUTSIDE);
    self = NULL;
    race_detector_release(&c->detector);
    atomic_fetch_add(&c->arrived, 1);
}

static int32_t thread_id(void)
{
#if defined(__linux__)
    return (int32_t)syscall(SYS_gettid);
#else
    return 0;
#endif
}

static void *live(void *arg)
{
    struct member *m = arg;
    struct workers *c = m->workers;
    uint64_t seen = 0;
    atomic_store(&m->stage->id, thread_id());
    for (;;) {
        uint32_t polls = 0;
        uint64_t round;
        while ((round = atomic_load(&c->round)) == seen && !atomic_load(&c->ends))
            wait_a_little(&polls);
        if (round == seen) {
            atomic_store(&m->stage->id, 0); /* it ends in its time */
            return NULL;
        }
        seen = round;
        race_detector_acquire(&c->detector);
        if (m->number < c->program->threads)
            take_part(m);
        else
            atomic_fetch_add(&c->arrived, 1);
    }
}

/* ---- the workers ---- */

static void pin_to_core(pthread_t thread, uint32_t number)
{
#if defined(__linux__)
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(number % (cores > 0 ? (unsigned long)cores : 1), &set);
    pthread_setaffinity_np(thread, sizeof set, &set);
#else
    (void)thread;
    (void)number;
#endif
}

struct workers *workers_start(const struct vocabulary *v, const struct workers_settings *s)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct workers *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    pthread_once(&once, watch_copies);
    is_copy = false;
    c->words = v;
    c->most = s->threads;
    c->pace = s->pace;
    c->members = calloc(c->most, sizeof *c->members);
    c->detector = race_detector_find();
    c->owns = !s->recorder;
    c->recorder = c->owns ? assay_record_open(c->most, s->clock, workers_room(s->calls)) : s->recorder;
    c->stages = c->owns ? aligned_alloc(ASSAY_RECORD_LINE, c->most * sizeof *c->stages) : s->stages;
    if (c->owns && c->stages)
        memset(c->stages, 0, c->most * sizeof *c->stages);
    if (v->adapter->point)
        *v->adapter->point = disturb_within; /* for good: a thread of the implementation may be reading it */
    for (uint32_t t = 0; c->members && c->recorder && c->stages && t < c->most; t++) {
        struct member *m = &c->members[t];
        m->workers = c;
        m->number = t;
        m->tape = assay_record_tape(c->recorder, t);
        m->stage = &c->stages[t];
        m->thread = pthread_self();
        if (!t)
            atomic_store(&m->stage->id, thread_id());
        if (t && pthread_create(&m->thread, NULL, live, m) != 0)
            break;
        c->started++;
        if (s->pin)
            pin_to_core(m->thread, t);
    }
    if (c->started < c->most) {
        workers_end(c);
        return NULL;
    }
    return c;
}

void workers_end(struct workers *c)
{
    if (!c)
        return;
    atomic_store(&c->ends, true);
    for (uint32_t t = 1; t < c->started; t++)
        pthread_join(c->members[t].thread, NULL);
    if (c->owns) {
        assay_record_close(c->recorder);
        free(c->stages);
    }
    free(c->members);
    free(c);
}

static struct perturbation choose_perturbation(const struct workers *c, struct rng *rng)
{
    switch (c->pace) {
    case STRESS_CROWDED: return crowded;
    case STRESS_APART: return apart;
    default: return perturbations[rng_below(rng, sizeof perturbations / sizeof *perturbations)];
    }
}

/* Why the tapes do not have every call of the run; NULL: they do. */
static const char *what_is_missing(struct workers *c)
{
    const assay_tape *stopper = c->recorder->stopper;
    for (uint32_t t = 0; t < c->most; t++) {
        const struct member *m = &c->members[t];
        if (!m->wrong)
            continue;
        snprintf(c->fault, sizeof c->fault, "%s returned %s", c->words->methods[m->answered]->name, m->wrong);
        return c->fault;
    }
    if (stopper)
        return stopper->fault;
    for (uint32_t t = 0; t < c->program->threads; t++)
        if (c->members[t].tape->completed != c->members[t].returned || c->members[t].tape->open)
            return "calls of a run are missing in its record";
    return NULL;
}

/* Copied, as the text may be the object's. */
static void look_at_invariant(struct workers *c)
{
    const char *(*invariant)(void *) = c->words->adapter->invariant;
    enter_stage(&c->members[0], STAGE_INVARIANT);
    const char *wrong = invariant ? invariant(c->object) : NULL;
    snprintf(c->broken, sizeof c->broken, "%s", wrong ? *wrong ? wrong : "it does not hold" : "");
}

const char *workers_broken(const struct workers *c)
{
    return *c->broken ? c->broken : NULL;
}

const char *workers_run(struct workers *c, const struct client *p, uint64_t seed)
{
    struct rng rng = {seed};
    assay_adapter_setting setting = {.threads = p->threads,
                                     .calls = 2 * client_size(p) + p->threads,
                                     .seed = rng_next(&rng),
                                     .initial = c->words->initial,
                                     .initial_count = c->words->initial_count};
    uint32_t polls = 0;
    assay_record_clear(c->recorder);
    enter_stage(&c->members[0], STAGE_CREATE);
    c->object = c->words->adapter->create(&setting);
    enter_stage(&c->members[0], STAGE_OUTSIDE);
    if (!c->object)
        return "an object could not be made";
    c->program = p;
    c->perturbation = choose_perturbation(c, &rng);
    for (uint32_t t = 0; t < c->most; t++)
        c->members[t].rng.state = rng_next(&rng);
    atomic_store(&c->present, 0);
    atomic_store(&c->meetings, 0);
    atomic_store(&c->arrived, 0);
    race_detector_release(&c->detector);
    atomic_fetch_add(&c->round, 1);
    take_part(&c->members[0]);
    while (atomic_load(&c->arrived) < c->most)
        wait_a_little(&polls);
    race_detector_acquire(&c->detector);
    look_at_invariant(c);
    enter_stage(&c->members[0], STAGE_DESTROY);
    c->words->adapter->destroy(c->object);
    enter_stage(&c->members[0], STAGE_OUTSIDE);
    return what_is_missing(c);
}

const assay_recorder *workers_recorder(const struct workers *c)
{
    return c->recorder;
}
