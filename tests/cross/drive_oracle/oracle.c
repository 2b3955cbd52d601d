/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the log of wild_driver.c with the folder of `assay drive`: oracle WORKLOAD LOG DIR [--roam].
 *
 * Every call of the log is in one line of one history: its accesses, answers and outcome, in the order of its session, in an
 * interval that contains the driver's own. After an unknown outcome or a broken connection the thread is another one. A history
 * that was cut short may have one more call in each session, without an answer, which the driver never saw; and it may lack the
 * answer of the last one. The journal has the counts. At the end the totals are printed as `assay drive` prints them. */
#define _GNU_SOURCE
#include <assay_driver.h>

#include <dirent.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SESSIONS = 1024, MOST_HISTORIES = 10000 };

struct call {
    uint64_t first;
    unsigned node;
    int64_t start, end;
    bool ended, broken;
    int outcome;
    char *begin, *answers; /* the rest of its lines */
};

static struct {
    struct call *calls;
    size_t count, next;
} sessions[SESSIONS];

struct line {
    unsigned session, part, number,
        final; /* final: the node of a final read, from 1; the driver sees it as session 0 */
    char *text;
    enum { DONE = ASSAY_COMMITTED, ABORTED = ASSAY_ABORTED, PENDING = ASSAY_UNKNOWN } kind;
    int64_t start, end;
};

static struct history {
    char *nodes;
    struct line *lines;
    size_t count;
    bool complete;
} history;

static const char *workload, *name;
static bool roam, one_key; /* one key: its object has no name */
static int faults;
static uint64_t total[3];

__attribute__((format(printf, 1, 2))) static void fault(const char *format, ...)
{
    va_list arguments;
    if (++faults > 20)
        return;
    va_start(arguments, format);
    printf("%s: ", name);
    vprintf(format, arguments);
    printf("\n");
    va_end(arguments);
}

static void *grown(void *old, size_t count, size_t size)
{
    if (count & (count + 1) && count % 64)
        return old;
    void *more = realloc(old, (count + 65) * 2 * size);
    if (!more)
        exit(2);
    return more;
}

/* ---- the driver's log ---- */

static void read_log(const char *folder, unsigned s)
{
    char path[4096], *text = NULL;
    size_t room = 0;
    struct call *c = NULL;
    snprintf(path, sizeof path, "%s/%u", folder, s);
    FILE *f = fopen(path, "r");
    for (ssize_t n; f && (n = getline(&text, &room, f)) > 0;) {
        int at = 0, broken = 0;
        text[n - 1] = 0;
        if (*text == 'B') {
            sessions[s].calls = grown(sessions[s].calls, sessions[s].count, sizeof *c);
            c = &sessions[s].calls[sessions[s].count++];
            *c = (struct call){.outcome = ASSAY_UNKNOWN};
            if (sscanf(text, "B %*d %" SCNu64 " %u %" SCNd64 " %n", &c->first, &c->node, &c->start, &at) != 3)
                fault("%s: a bad line", path);
            c->begin = strdup(text + at);
        } else if (*text == 'E' && c) {
            if (sscanf(text, "E %" SCNd64 " %d %d%n", &c->end, &c->outcome, &broken, &at) != 3)
                fault("%s: a bad line", path);
            c->broken = broken;
            c->ended = true;
            c->answers = strdup(text + at);
        }
    }
    free(text);
    if (f)
        fclose(f);
}

/* ---- the line that a call is to have ---- */

static int64_t number(char **at)
{
    return strtoll(*at, at, 10);
}

static char *expected(const struct call *c)
{
    char *text = NULL, *in = c->begin, *back = c->answers;
    size_t size, n = (size_t)number(&in);
    bool done = c->outcome == ASSAY_COMMITTED,
         transaction = strcmp(workload, "register") == 0 || strcmp(workload, "list") == 0;
    FILE *f = open_memstream(&text, &size);
    char object[32];
    if (transaction)
        fprintf(f, "txn(");
    for (size_t i = 0; i < n; i++) {
        int action = (int)number(&in);
        uint64_t key = strtoull(in, &in, 10) - c->first, to = strtoull(in, &in, 10) - c->first;
        int64_t value = number(&in), found = done ? number(&back) : 0, answer = done ? number(&back) : 0;
        size_t count = done ? (size_t)number(&back) : 0;
        bool balances = strcmp(workload, "bank") == 0 && action == ASSAY_ACTION_READ;
        if (i && transaction)
            fprintf(f, ", ");
        snprintf(object, sizeof object, one_key ? "" : "%c%" PRIu64 ".", *workload, key);
        switch (action) {
        case ASSAY_ACTION_READ:
            if (balances)
                fprintf(f, i ? "" : done ? "balances() => [" : "balances()");
            else if (transaction)
                fprintf(f, "r x%" PRIu64 " ", key);
            else if (*workload == 'c')
                fprintf(f, "%sget()", object);
            else
                fprintf(f, "read(x%" PRIu64 ")", key);
            if (done)
                fprintf(f, "%s%" PRId64, balances ? i ? " " : "" : transaction ? "" : " => ", found ? answer : 0);
            else if (transaction)
                fprintf(f, "?");
            if (balances && done && i + 1 == n)
                fprintf(f, "]");
            break;
        case ASSAY_ACTION_WRITE:
            fprintf(f, transaction ? "w x%" PRIu64 " %" PRId64 : "write(x%" PRIu64 ", %" PRId64 ")", key, value);
            break;
        case ASSAY_ACTION_ADD: fprintf(f, "%sadd(%" PRId64 ")", object, value); break;
        case ASSAY_ACTION_TRANSFER:
            fprintf(f, "transfer(%" PRIu64 ", %" PRIu64 ", %" PRId64 ")%s", key, to, value,
                    !done   ? ""
                    : found ? " => ok"
                            : " => refused");
            break;
        case ASSAY_ACTION_APPEND: fprintf(f, "append x%" PRIu64 " %" PRId64, key, value); break;
        case ASSAY_ACTION_INSERT: fprintf(f, "%sadd(%" PRId64 ")", object, value); break;
        case ASSAY_ACTION_ENQUEUE: fprintf(f, "%senq(%" PRId64 ")", object, value); break;
        case ASSAY_ACTION_DEQUEUE:
            fprintf(f, "%sdeq()", object);
            if (done)
                fprintf(f, found ? " => %" PRId64 : " => empty", answer);
            break;
        default: /* LIST, ELEMENTS */
            if (transaction)
                fprintf(f, "r x%" PRIu64 " ", key);
            else
                fprintf(f, "%selements()", object);
            if (done)
                fprintf(f, transaction ? "[" : " => [");
            else if (transaction)
                fprintf(f, "?");
            for (size_t j = 0; j < count; j++)
                fprintf(f, "%s%" PRId64, j ? " " : "", number(&back));
            if (done)
                fprintf(f, "]");
        }
    }
    if (transaction)
        fprintf(f, c->outcome == ASSAY_ABORTED ? ") => abort" : ")");
    fclose(f);
    return text;
}

/* ---- a history ---- */

static void read_history(const char *path)
{
    char *text = NULL;
    size_t room = 0;
    unsigned number = 0;
    FILE *f = fopen(path, "r");
    for (size_t i = 0; i < history.count; i++)
        free(history.lines[i].text);
    free(history.nodes);
    free(history.lines);
    history = (struct history){.complete = true};
    if (!f)
        fault("cannot be opened");
    for (ssize_t n; f && (n = getline(&text, &room, f)) > 0;) {
        struct line l = {.number = ++number};
        int at = 0;
        char *word = text, *times;
        text[n - 1] = 0;
        if (strlen(text) != (size_t)n - 1)
            fault("line %u: a zero byte", number);
        if (strncmp(text, "# @", 3) == 0) {
            if (history.count)
                fault("line %u: a header behind operations: %.60s", number, text);
            if (strncmp(text, "# @nodes ", 9) == 0)
                history.nodes = strdup(text + 8);
            continue;
        }
        if (strncmp(word, "# aborted: ", 11) == 0) {
            l.kind = ABORTED;
            word += 11;
        } else if (*word == '#') {
            printf("%s: %s\n", name, word);
            continue;
        }
        if (*word == 'f' && (sscanf(word, "f%u.%u:%n", &l.final, &l.part, &at) != 2 || !at)) {
            l.part = 0;
            if (sscanf(word, "f%u:%n", &l.final, &at) != 1 || !at || !l.final)
                fault("line %u: no final read: %.60s", number, text);
        } else if (!l.final && (sscanf(word, "s%u.%u:%n", &l.session, &l.part, &at) != 2 || !at)) {
            l.part = 0;
            if (sscanf(word, "s%u:%n", &l.session, &at) != 1 || !at || l.session >= SESSIONS) {
                fault("line %u: neither operation nor comment: %.60s", number, text);
                continue;
            }
        }
        word += at + 1;
        times = strstr(word, " @ ");
        if (!times) {
            fault("line %u: no time: %.60s", number, text);
            continue;
        }
        *times = 0;
        int found = sscanf(times + 3, "%" SCNd64 "..%" SCNd64, &l.start, &l.end);
        if (found == 1 && l.kind == DONE)
            l.kind = PENDING;
        size_t length = strlen(word);
        if (l.kind == DONE && length > 9 && strcmp(word + length - 9, " => abort") == 0)
            l.kind = ABORTED;
        l.text = strdup(word);
        history.lines = grown(history.lines, history.count, sizeof l);
        history.lines[history.count++] = l;
    }
    free(text);
    if (f)
        fclose(f);
}

static bool node_is(const struct line *l, unsigned node)
{
    char word[64], kind = l->final ? 'f' : 's';
    unsigned who = l->final ? l->final : l->session;
    if (l->part)
        snprintf(word, sizeof word, " %c%u.%u=%u", kind, who, l->part, node + 1);
    else
        snprintf(word, sizeof word, " %c%u=%u", kind, who, node + 1);
    char *at = history.nodes ? strstr(history.nodes, word) : NULL;
    return at && (at[strlen(word)] == ' ' || !at[strlen(word)]);
}

static int by_session(const void *a, const void *b)
{
    const struct line *l = a, *m = b;
    if (l->session != m->session)
        return l->session < m->session ? -1 : 1;
    if (l->start != m->start)
        return l->start < m->start ? -1 : 1;
    return l->number < m->number ? -1 : l->number > m->number;
}

/* Final reads are in the log when all are done: a kill may come before that. */
static bool only_reads(const struct call *c)
{
    char *in = c->begin;
    number(&in);
    int action = (int)number(&in);
    return action == ASSAY_ACTION_READ || action == ASSAY_ACTION_LIST || action == ASSAY_ACTION_ELEMENTS;
}

/* The calls of a session with the keys of this history, in its log from `next` on. */
static void compare_session(unsigned s, struct line *l, size_t n, uint64_t first, int64_t *low, int64_t *high)
{
    size_t i = 0, *at = &sessions[s].next;
    for (; *at < sessions[s].count && sessions[s].calls[*at].first == first; i++, ++*at) {
        struct call *c = &sessions[s].calls[*at];
        if (i >= n && !history.complete && s == 0 && only_reads(c))
            continue;
        if (i >= n) {
            fault("session %u: a call is lost: %.80s", s, c->begin);
            continue;
        }
        bool cut = !history.complete && i + 1 == n && l[i].kind == PENDING;
        if (cut && c->outcome != ASSAY_UNKNOWN)
            c->outcome = ASSAY_UNKNOWN;
        char *text = expected(c);
        if ((int)l[i].kind != c->outcome || strcmp(l[i].text, text) != 0)
            fault("line %u: s%u.%u: %.80s (outcome %d), in the log %.80s (outcome %d)", l[i].number, s, l[i].part,
                  l[i].text, (int)l[i].kind, text, c->outcome);
        free(text);
        if (!c->ended && !cut)
            fault("line %u: a call that never ended", l[i].number);
        if (l[i].final && l[i].final != c->node + 1)
            fault("line %u: the node is not %u", l[i].number, c->node + 1);
        if (i == 0 && l[i].part)
            fault("line %u: the session begins with part %u", l[i].number, l[i].part);
        if (i && !l[i].final) {
            bool renewed = l[i].part > l[i - 1].part, lost = c[-1].outcome == ASSAY_UNKNOWN || c[-1].broken;
            if (l[i].part < l[i - 1].part || renewed != lost)
                fault("line %u: part %u after %u; before it outcome %d, broken %d", l[i].number, l[i].part,
                      l[i - 1].part, c[-1].outcome, c[-1].broken);
            if (l[i].number < l[i - 1].number)
                fault("line %u: it stands before line %u", l[i].number, l[i - 1].number);
        }
        if (!roam && !node_is(&l[i], c->node))
            fault("line %u: the node is not %u", l[i].number, c->node + 1);
        if (*high > c->start - l[i].start)
            *high = c->start - l[i].start;
        if (c->ended && l[i].kind != PENDING && *low < c->end - l[i].end)
            *low = c->end - l[i].end;
    }
    for (; i < n; i++)
        if (history.complete || i + 1 < n || l[i].kind != PENDING)
            fault("line %u: a call that never was: s%u.%u: %.80s", l[i].number, s, l[i].part, l[i].text);
}

static void compare(uint64_t first)
{
    int64_t low = INT64_MIN, high = INT64_MAX;
    if (history.count)
        qsort(history.lines, history.count, sizeof *history.lines, by_session);
    for (unsigned s = 0; s < SESSIONS; s++) {
        size_t from = 0, to;
        while (from < history.count && history.lines[from].session < s)
            from++;
        for (to = from; to < history.count && history.lines[to].session == s; to++)
            ;
        compare_session(s, history.lines + from, to - from, first, &low, &high);
    }
    if (low > high)
        fault("an interval does not contain that of the driver");
}

/* ---- the journal ---- */

static bool counts(const char *line, uint64_t n[3])
{
    const char *at = strstr(line, "\"committed\":");
    return at && sscanf(at, "\"committed\":%" SCNu64 ",\"aborted\":%" SCNu64 ",\"unknown\":%" SCNu64, &n[0], &n[1],
                        &n[2]) == 3;
}

static uint64_t histories;

static bool journal(const char *folder, const char *file)
{
    char path[4096], wanted[300], *text = NULL;
    size_t room = 0;
    int found = 0;
    snprintf(path, sizeof path, "%s/journal.jsonl", folder);
    snprintf(wanted, sizeof wanted, "\"file\":\"%s\"", file);
    FILE *f = fopen(path, "r");
    while (f && getline(&text, &room, f) > 0) {
        uint64_t is[3] = {0}, said[3] = {0};
        if (!strstr(text, wanted))
            continue;
        found++;
        history.complete = !strstr(text, "\"complete\":false");
        for (size_t i = 0; i < history.count; i++)
            is[history.lines[i].kind] += !history.lines[i].final;
        if (!counts(text, said) || memcmp(is, said, sizeof is) != 0)
            fault("the journal counts %" PRIu64 " %" PRIu64 " %" PRIu64 ", the file has %" PRIu64 " %" PRIu64
                  " %" PRIu64,
                  said[0], said[1], said[2], is[0], is[1], is[2]);
        for (int i = 0; i < 3; i++)
            total[i] += is[i];
    }
    if (found != 1)
        fault("it is in the journal %d times", found);
    free(text);
    if (f)
        fclose(f);
    return found;
}

/* The calls of a session that come next in its log and have these keys. */
static size_t calls_of(unsigned s, uint64_t first)
{
    size_t n = sessions[s].next;
    while (n < sessions[s].count && sessions[s].calls[n].first == first)
        n++;
    return n - sessions[s].next;
}

static size_t lines_of(unsigned s)
{
    size_t n = 0;
    for (size_t i = 0; i < history.count; i++)
        n += history.lines[i].session == s;
    return n;
}

static int is_history(const struct dirent *d)
{
    size_t n = strlen(d->d_name);
    return n > 5 && strcmp(d->d_name + n - 5, ".hist") == 0;
}

int main(int count, char **words)
{
    struct dirent **files;
    char path[4096], *text = NULL;
    size_t room = 0;
    uint64_t keys[MOST_HISTORIES];
    int prepared = 0, next = 0;
    if (count < 4)
        return 2;
    name = words[2];
    workload = words[1];
    roam = count > 4;
    for (unsigned s = 0; s < SESSIONS; s++)
        read_log(words[2], s);
    snprintf(path, sizeof path, "%s/campaign", words[2]);
    FILE *f = fopen(path, "r");
    while (f && getline(&text, &room, f) > 0) {
        if (*text == 'X')
            fault("the contract: %s", text);
        uint64_t count_of_keys = 0;
        if (*text == 'P' && prepared < MOST_HISTORIES)
            sscanf(text, "P %" SCNu64 " %" SCNu64, &keys[prepared++], &count_of_keys);
        one_key = one_key || count_of_keys == 1;
    }
    free(text);
    if (f)
        fclose(f);
    int n = scandir(words[3], &files, is_history, alphasort);
    for (int i = 0; i < n; i++) {
        name = files[i]->d_name;
        snprintf(path, sizeof path, "%s/%s", words[3], name);
        read_history(path);
        journal(words[3], name);
        histories++;
        bool answered = false, used = false;
        for (size_t j = 0; j < history.count; j++)
            answered = answered || history.lines[j].kind != PENDING;
        for (; history.count && next < prepared && !used; next += !used) /* keys without a call belong to no history */
            for (unsigned s = 0; s < SESSIONS; s++)
                used = used || calls_of(s, keys[next]) > 0;
        /* Killed before the driver's first call: the next keys with calls are those of another history. */
        for (unsigned s = 0; !answered && !history.complete && s < SESSIONS; s++)
            used = used && calls_of(s, keys[next]) <= lines_of(s);
        if (!used && history.count && (answered || history.complete))
            fault("there are no calls for it");
        compare(used ? keys[next] : 0);
        next += used;
        free(files[i]);
    }
    name = words[2];
    for (unsigned s = 0; s < SESSIONS; s++)
        if (sessions[s].next < sessions[s].count)
            fault("session %u: %zu calls are in no history", s, sessions[s].count - sessions[s].next);
    printf("%" PRIu64 " histor%s, %" PRIu64 " operations: %" PRIu64 " committed, %" PRIu64 " aborted, %" PRIu64
           " unknown\n",
           histories, histories == 1 ? "y" : "ies", total[0] + total[1] + total[2], total[0], total[1], total[2]);
    return faults > 0;
}
