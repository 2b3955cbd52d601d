/* SPDX-License-Identifier: Apache-2.0 */
/* Idea: the writes are sorted by key and value, which are unique, so that each answer finds its write. Then every key
 * is judged by the rules of durability.h, with one pass over its writes for each final read. */
#include "collect/drive/durability.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct write {
    uint64_t key, to; /* to: of a transfer */
    int64_t value, called, returned;
    unsigned session, part;
    uint32_t position; /* in its transaction */
    assay_outcome outcome;
    bool lost, duplicated;
    uint64_t seen; /* by this read; of a queue: how often it was taken out */
};

struct answer { /* of a final read; of a dequeue, also one of a session */
    uint64_t key;
    size_t order;  /* in the log */
    int64_t value; /* of registers, counters, accounts, dequeues */
    bool found, final, unknown;
    unsigned node;
    int64_t *elements; /* of lists and sets */
    size_t count;
};

struct stray { /* a value that nobody wrote */
    uint64_t key;
    int64_t value;
};

struct durability {
    const struct workload *workload;
    unsigned keys;
    struct write *writes;
    size_t write_count, write_room;
    struct answer *answers;
    size_t answer_count, answer_room;
    struct stray *strays;
    size_t stray_count, stray_room;
    struct drive_durability *out;
};

static bool reserve(void **at, size_t count, size_t *room, size_t size)
{
    if (count < *room)
        return true;
    size_t more = 2 * *room + 64;
    void *grown = realloc(*at, more * size);
    if (!grown)
        return false;
    *at = grown;
    *room = more;
    return true;
}

struct durability *durability_new(const struct workload *w, unsigned keys)
{
    struct durability *d = calloc(1, sizeof *d);
    if (d) {
        d->workload = w;
        d->keys = keys;
    }
    return d;
}

void durability_free(struct durability *d)
{
    if (!d)
        return;
    for (size_t i = 0; i < d->answer_count; i++)
        free(d->answers[i].elements);
    free(d->answers);
    free(d->writes);
    free(d->strays);
    free(d);
}

/* ---- taking operations in ---- */

/* Numbers that are added up: a store may answer anything. */
static int64_t within(int64_t value)
{
    const int64_t most = (int64_t)1 << 50;
    return value > most ? most : value < -most ? -most : value;
}

static bool sums(const struct workload *w)
{
    return w->changes == ASSAY_ACTION_ADD || w->changes == ASSAY_ACTION_TRANSFER;
}

/* A transfer that was refused is an answer, and changes nothing. */
static bool add_write(struct durability *d, const struct durability_operation *o, size_t i)
{
    const assay_access *a = &o->accesses[i];
    if (o->outcome == ASSAY_COMMITTED && a->action == ASSAY_ACTION_TRANSFER && !a->found)
        return true;
    if (!reserve((void **)&d->writes, d->write_count, &d->write_room, sizeof *d->writes))
        return false;
    d->writes[d->write_count++] = (struct write){.key = a->key,
                                                 .to = a->to,
                                                 .value = sums(d->workload) ? within(a->value) : a->value,
                                                 .called = o->called,
                                                 .returned = o->outcome == ASSAY_COMMITTED ? o->returned : INT64_MAX,
                                                 .session = o->session,
                                                 .part = o->part,
                                                 .position = (uint32_t)i,
                                                 .outcome = o->outcome};
    return true;
}

static bool add_answer(struct durability *d, const struct durability_operation *o, const assay_access *a)
{
    bool takes = a->action == ASSAY_ACTION_DEQUEUE;
    if ((!takes && !o->final) || (takes ? o->outcome == ASSAY_ABORTED : o->outcome != ASSAY_COMMITTED))
        return true;
    if (!reserve((void **)&d->answers, d->answer_count, &d->answer_room, sizeof *d->answers))
        return false;
    struct answer *x = &d->answers[d->answer_count];
    *x = (struct answer){.key = a->key,
                         .order = d->answer_count,
                         .value = a->found ? a->answer
                                  : takes  ? 0
                                           : d->workload->initial,
                         .found = a->found,
                         .final = o->final,
                         .unknown = o->outcome == ASSAY_UNKNOWN,
                         .node = o->node,
                         .count = a->count};
    if (sums(d->workload)) /* an account that is gone has nothing */
        x->value = a->found ? within(a->answer) : 0;
    if (a->count) {
        x->elements = malloc(a->count * sizeof *x->elements);
        if (!x->elements)
            return false;
        memcpy(x->elements, a->elements, a->count * sizeof *x->elements);
    }
    d->answer_count++;
    return true;
}

bool durability_add(struct durability *d, const struct durability_operation *o)
{
    for (size_t i = 0; i < o->n; i++) {
        const assay_access *a = &o->accesses[i];
        if (!(a->action == d->workload->changes ? add_write(d, o, i) : add_answer(d, o, a)))
            return false;
    }
    return true;
}

/* ---- finding ---- */

static int compare(uint64_t a, uint64_t b)
{
    return a < b ? -1 : a > b;
}

static int by_value(const void *a, const void *b)
{
    const struct write *x = a, *y = b;
    int keys = compare(x->key, y->key);
    return keys ? keys : x->value < y->value ? -1 : x->value > y->value;
}

/* The answers stay in their order for each key: that of the log. */
static int by_key(const void *a, const void *b)
{
    const struct answer *x = a, *y = b;
    int keys = compare(x->key, y->key);
    return keys ? keys : compare(x->order, y->order);
}

static int by_stray(const void *a, const void *b)
{
    const struct stray *x = a, *y = b;
    int keys = compare(x->key, y->key);
    return keys ? keys : x->value < y->value ? -1 : x->value > y->value;
}

static int by_number(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return x < y ? -1 : x > y;
}

/* The write of this value that may have had an effect. */
static struct write *find(const struct durability *d, uint64_t key, int64_t value)
{
    struct write wanted = {.key = key, .value = value};
    struct write *w = d->write_count ? bsearch(&wanted, d->writes, d->write_count, sizeof *w, by_value) : NULL;
    return w && w->outcome != ASSAY_ABORTED ? w : NULL;
}

struct span {
    size_t from, to;
};

static struct span writes_of(const struct durability *d, uint64_t key)
{
    size_t low = 0, high = d->write_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (d->writes[middle].key < key)
            low = middle + 1;
        else
            high = middle;
    }
    while (high < d->write_count && d->writes[high].key == key)
        high++;
    return (struct span){low, high};
}

/* ---- what is found ---- */

/* The object of a key, as the history calls it. */
static void put_name(const struct durability *d, uint64_t key, char *out, size_t size)
{
    if (d->workload->variable && (d->keys > 1 || d->workload->reads == ASSAY_ACTION_READ))
        snprintf(out, size, "%s%" PRIu64, d->workload->variable, key);
    else
        snprintf(out, size, "the %s", d->workload->object);
}

static char *new_example(struct durability *d)
{
    struct drive_durability *out = d->out;
    return out->example_count < DURABILITY_EXAMPLES ? out->examples[out->example_count++] : NULL;
}

static void put_writer(const struct write *w, char *out, size_t size)
{
    char part[16] = "";
    if (w->part)
        snprintf(part, sizeof part, ".%u", w->part);
    snprintf(out, size, "s%u%s wrote it at %.3f ms", w->session, part, (double)w->called / 1e6);
}

/* The first loss of a key is an example. */
static void lose(struct durability *d, struct write *w, const struct answer *at, bool first)
{
    char name[32], writer[64];
    if (w->lost)
        return;
    w->lost = true;
    d->out->lost++;
    char *text = first ? new_example(d) : NULL;
    if (!text)
        return;
    put_name(d, w->key, name, sizeof name);
    put_writer(w, writer, sizeof writer);
    int n = snprintf(text, DURABILITY_TEXT, "lost: %" PRId64 " of %s: %s", w->value, name, writer);
    if (at->elements || d->workload->changes != ASSAY_ACTION_WRITE)
        snprintf(text + n, DURABILITY_TEXT - (size_t)n, ", and node %u does not have it", at->node + 1);
    else
        snprintf(text + n, DURABILITY_TEXT - (size_t)n, ", and node %u has the older %" PRId64, at->node + 1,
                 at->value);
}

static void note_duplicate(struct durability *d, struct write *w, const char *how)
{
    char name[32];
    if (w->duplicated)
        return;
    w->duplicated = true;
    char *text = new_example(d);
    if (text) {
        put_name(d, w->key, name, sizeof name);
        snprintf(text, DURABILITY_TEXT, "duplicated: %" PRId64 " of %s %s", w->value, name, how);
    }
}

static void stray(struct durability *d, uint64_t key, int64_t value)
{
    if (reserve((void **)&d->strays, d->stray_count, &d->stray_room, sizeof *d->strays))
        d->strays[d->stray_count++] = (struct stray){key, value};
}

/* Each one once, though several nodes have it. */
static void count_strays(struct durability *d)
{
    if (d->stray_count)
        qsort(d->strays, d->stray_count, sizeof *d->strays, by_stray);
    for (size_t i = 0; i < d->stray_count; i++) {
        if (i && by_stray(&d->strays[i - 1], &d->strays[i]) == 0)
            continue;
        d->out->unexpected++;
        char name[32], *text = new_example(d);
        if (text) {
            put_name(d, d->strays[i].key, name, sizeof name);
            snprintf(text, DURABILITY_TEXT, "unexpected: %" PRId64 " of %s, which nobody wrote", d->strays[i].value,
                     name);
        }
    }
}

/* ---- registers ---- */

static bool is_newer(const struct write *w, const struct write *than)
{
    if (!than) /* the initial value */
        return true;
    bool same = w->session == than->session && w->called == than->called;
    return w->called > than->returned || (same && w->position > than->position);
}

static void judge_register(struct durability *d, const struct answer *a)
{
    const struct write *last = find(d, a->key, a->value);
    if (!last && (a->found && a->value != d->workload->initial)) {
        stray(d, a->key, a->value);
        return;
    }
    struct span s = writes_of(d, a->key);
    bool first = true;
    for (size_t i = s.from; i < s.to; i++) {
        struct write *w = &d->writes[i];
        if (w->outcome != ASSAY_COMMITTED || !is_newer(w, last))
            continue;
        lose(d, w, a, first);
        first = false;
    }
}

/* ---- lists and sets ---- */

static void judge_elements(struct durability *d, const struct answer *a, uint64_t number)
{
    if (a->count)
        qsort(a->elements, a->count, sizeof *a->elements, by_number);
    for (size_t i = 0; i < a->count; i++) {
        struct write *w = find(d, a->key, a->elements[i]);
        if (!w) {
            stray(d, a->key, a->elements[i]);
        } else if (w->seen == number) {
            note_duplicate(d, w, "is there twice");
        } else {
            w->seen = number;
        }
    }
    struct span s = writes_of(d, a->key);
    bool first = true;
    for (size_t i = s.from; i < s.to; i++)
        if (d->writes[i].outcome == ASSAY_COMMITTED && d->writes[i].seen != number) {
            lose(d, &d->writes[i], a, first);
            first = false;
        }
}

/* ---- queues ---- */

/* The answers of a key. */
static void judge_queue(struct durability *d, const struct answer *a, size_t n)
{
    uint64_t excuses = 0, missing = 0;
    const struct answer *last = NULL;
    for (size_t i = 0; i < n; i++) {
        struct write *w = a[i].found ? find(d, a[i].key, a[i].value) : NULL;
        excuses += a[i].unknown;
        if (a[i].final && !a[i].unknown)
            last = &a[i];
        if (!a[i].found)
            continue;
        if (!w)
            stray(d, a[i].key, a[i].value);
        else if (w->seen++)
            note_duplicate(d, w, "came out twice");
    }
    if (!last || last->found)
        return;
    struct span s = writes_of(d, last->key);
    for (size_t i = s.from; i < s.to; i++)
        missing += d->writes[i].outcome == ASSAY_COMMITTED && !d->writes[i].seen;
    bool first = true;
    for (size_t i = s.from; i < s.to && missing > excuses; i++)
        if (d->writes[i].outcome == ASSAY_COMMITTED && !d->writes[i].seen) {
            lose(d, &d->writes[i], last, first);
            first = false;
            missing--;
        }
}

/* ---- counters ---- */

static void judge_counter(struct durability *d, const struct answer *a, size_t n)
{
    int64_t sure = 0, perhaps = 0, less = 0, more = 0;
    const struct answer *worst = NULL;
    struct span s = writes_of(d, a->key);
    for (size_t i = s.from; i < s.to; i++) {
        sure += d->writes[i].outcome == ASSAY_COMMITTED ? d->writes[i].value : 0;
        perhaps += d->writes[i].outcome == ASSAY_UNKNOWN ? d->writes[i].value : 0;
    }
    for (size_t i = 0; i < n; i++) {
        bool below = a[i].value<sure, beyond = a[i].value> sure + perhaps;
        int64_t by = below ? sure - a[i].value : beyond ? a[i].value - sure - perhaps : 0;
        int64_t *most = below ? &less : &more;
        if (by > *most) {
            *most = by;
            worst = &a[i];
        }
    }
    /* A value below 0, which nobody wrote, is more than a loss. */
    d->out->lost += (uint64_t)(less < sure ? less : sure);
    d->out->unexpected += less > sure;
    d->out->duplicated += (uint64_t)more;
    char name[32], *text = worst ? new_example(d) : NULL;
    if (text) {
        put_name(d, a->key, name, sizeof name);
        snprintf(text, DURABILITY_TEXT,
                 "%s: node %u has %" PRId64 " in %s after %" PRId64 " acknowledged increments and %" PRId64 " unknown",
                 worst->value < sure ? "lost" : "duplicated", worst->node + 1, worst->value, name, sure, perhaps);
    }
}

/* ---- accounts ---- */

struct margin {
    int64_t sure, least, most;
};

/* How much the balances of a node are beyond the margins. */
static int64_t beyond_margins(const struct durability *d, const struct margin *m, unsigned node)
{
    int64_t beyond = 0;
    for (size_t i = 0; i < d->answer_count; i++) {
        const struct answer *a = &d->answers[i];
        const struct margin *x = &m[a->key];
        if (a->node == node)
            beyond += a->value < x->least ? x->least - a->value : a->value > x->most ? a->value - x->most : 0;
    }
    return beyond;
}

static void judge_bank(struct durability *d)
{
    struct margin m[WORKLOAD_ACCOUNTS];
    int64_t greatest = 0;
    uint64_t lost = 0, acknowledged = d->out->acknowledged;
    unsigned worst = 0;
    if (d->keys > WORKLOAD_ACCOUNTS)
        return;
    for (unsigned i = 0; i < d->keys; i++)
        m[i] = (struct margin){d->workload->initial, d->workload->initial, d->workload->initial};
    for (size_t i = 0; i < d->write_count; i++) {
        const struct write *w = &d->writes[i];
        bool sure = w->outcome == ASSAY_COMMITTED, perhaps = w->outcome == ASSAY_UNKNOWN;
        if (w->key == w->to || (!sure && !perhaps))
            continue;
        m[w->key].least -= w->value;
        m[w->key].most -= sure ? w->value : 0;
        m[w->to].least += sure ? w->value : 0;
        m[w->to].most += w->value;
        greatest = sure && w->value > greatest ? w->value : greatest;
    }
    for (size_t i = 0; i < d->answer_count; i++) {
        if (i && d->answers[i].node == d->answers[i - 1].node)
            continue;
        int64_t beyond = beyond_margins(d, m, d->answers[i].node), twice = 2 * (greatest ? greatest : 1);
        uint64_t least = (uint64_t)((beyond + twice - 1) / twice);
        if (least > lost) {
            lost = least;
            worst = d->answers[i].node;
        }
    }
    if (!lost)
        return;
    d->out->lost = lost < acknowledged ? lost : acknowledged;
    d->out->unexpected = lost > acknowledged;
    char *text = new_example(d);
    if (text)
        snprintf(text, DURABILITY_TEXT,
                 "lost: the balances of node %u need at least %" PRIu64 " transfers less, or more", worst + 1, lost);
}

/* ---- all ---- */

static void judge_key(struct durability *d, const struct answer *a, size_t n)
{
    switch (d->workload->changes) {
    case ASSAY_ACTION_ENQUEUE: judge_queue(d, a, n); return;
    case ASSAY_ACTION_ADD: judge_counter(d, a, n); return;
    default: break;
    }
    for (size_t i = 0; i < n; i++)
        if (d->workload->changes == ASSAY_ACTION_WRITE)
            judge_register(d, &a[i]);
        else
            judge_elements(d, &a[i], (uint64_t)(&a[i] - d->answers) + 1);
}

void durability_judge(struct durability *d, struct drive_durability *out)
{
    d->out = out;
    for (size_t i = 0; i < d->write_count; i++)
        out->acknowledged += d->writes[i].outcome == ASSAY_COMMITTED;
    if (d->workload->changes == ASSAY_ACTION_TRANSFER) {
        judge_bank(d);
        return;
    }
    if (d->write_count)
        qsort(d->writes, d->write_count, sizeof *d->writes, by_value);
    if (d->answer_count)
        qsort(d->answers, d->answer_count, sizeof *d->answers, by_key);
    for (size_t i = 0, n; i < d->answer_count; i += n) {
        for (n = 1; i + n < d->answer_count && d->answers[i + n].key == d->answers[i].key; n++)
            ;
        judge_key(d, &d->answers[i], n);
    }
    for (size_t i = 0; i < d->write_count; i++)
        out->duplicated += d->writes[i].duplicated;
    count_strays(d);
}

/* ---- comments ---- */

void durability_write(const struct drive_durability *d, FILE *to)
{
    fprintf(to,
            "# durability: %" PRIu64 " acknowledged, %" PRIu64 " lost, %" PRIu64 " duplicated, %" PRIu64
            " unexpected; %" PRIu64 " nodes not read; agreement of the nodes: %s\n",
            d->acknowledged, d->lost, d->duplicated, d->unexpected, d->missed, d->agreed ? "yes" : "no");
    for (uint64_t i = 0; i < d->example_count; i++)
        fprintf(to, "# durability: %s\n", d->examples[i]);
}

bool durability_read(const char *line, struct drive_durability *d)
{
    static const char head[] = "# durability: ";
    struct drive_durability x = {.judged = true};
    char word[8] = "";
    if (strncmp(line, head, sizeof head - 1) != 0)
        return false;
    line += sizeof head - 1;
    int found = sscanf(line,
                       "%" SCNu64 " acknowledged, %" SCNu64 " lost, %" SCNu64 " duplicated, %" SCNu64
                       " unexpected; %" SCNu64 " nodes not read; agreement of the nodes: %7s",
                       &x.acknowledged, &x.lost, &x.duplicated, &x.unexpected, &x.missed, word);
    if (found == 6) {
        x.agreed = strcmp(word, "yes") == 0;
        *d = x;
    } else if (d->example_count < DURABILITY_EXAMPLES) {
        char *text = d->examples[d->example_count++];
        snprintf(text, DURABILITY_TEXT, "%.*s", (int)strcspn(line, "\n"), line);
    }
    return true;
}
