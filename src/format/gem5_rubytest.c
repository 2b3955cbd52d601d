/* SPDX-License-Identifier: Apache-2.0 */
/* Logs of gem5's Ruby random tester (--debug-flags=RubyTest), described in docs/guides/formats.md.
 *
 *     81: global: [0x43c, value: 152, status: Idle, initiating node: 0, store_count: 0]
 *     81: global: Seq write: index 3 data 0x98 check 0x98 address 0x43c
 *     81: global: initiating action - successful
 *    594: system.cpu: completed request for proc: 3 addr: 0x43c, size: 1, data: 152
 *
 * The tester has checks, each about some bytes in a row. A check writes them one at a time, through any processor, and
 * then reads all of them at once. `address` and `addr` name the check; the byte written is store_count behind it. A
 * request that was not issued successfully is no operation. A check has one open request, so the check leads from a
 * return to its call. A processor may have many open requests.
 *
 * So an operation is about one byte: a read of four bytes is four reads.
 *
 * Program order. Ruby promises none to requests of a processor that overlap. A processor is one thread all the same, in
 * the order in which it issued them. This order accuses no memory that does as the tester demands: every read returns
 * the last value written. For no two requests of a check overlap. So the order of all issues has the requests of each
 * check in their order, and is an execution. The same holds for the order of all completions.
 *
 * For the same reason an operation may end when the next one of its processor is issued. Each byte still has its
 * operations in the same order, and linearizability is a matter of single bytes. A write that never returned is the
 * last operation of its byte, and says nothing.
 *
 * Where two checks share a byte nothing of this holds. Then a processor is a row of threads, 3, 3-1, 3-2, ..., and each
 * operation goes to one that is free. Hence program order has only certain pairs: one operation returned before the
 * other was called. A write that never returned gets a thread of its own. */
#include "base/notation.h"
#include "format/format.h"
#include "format/log_calls.h"
#include "format/recognise.h"

#include <inttypes.h>
#include <stdio.h>

struct request {
    uint32_t check; /* index */
    bool write;
    uint32_t processor;   /* name of the thread; of one that never returned, as the call says */
    uint64_t byte;        /* the first one's address */
    uint32_t values_at;   /* in parser.values */
    uint32_t value_count; /* 0: it never returned */
    uint32_t threads_at;  /* in parser.threads: one for each value */
    int64_t called, returned;
    uint32_t calls_before; /* how many calls the log has before its return */
    struct place at;
};

struct check {
    uint64_t address;
    uint32_t open; /* its request, or ID_NONE */
};

struct processor {
    uint32_t threads;   /* so many */
    VEC(uint32_t) free; /* of them, as the history numbers them */
    uint32_t thread;    /* of its requests in one order, or ID_NONE */
    uint32_t last;      /* row of that thread */
};

enum order { ORDER_ISSUED, ORDER_COMPLETED, ORDER_CERTAIN };

static const char *const orders[] = {"issued", "completed", "certain", NULL};

struct parser {
    struct cursor c;
    struct calls clock; /* only its time */
    history *h;
    VEC(struct check) checks;
    VEC(uint32_t) check_of_name, check_of_byte;
    VEC(struct request) all;
    VEC(uint32_t) returned; /* requests, in the order of their returns */
    VEC(uint8_t) values;
    VEC(uint32_t) threads;
    VEC(struct processor) processors;
    VEC(uint32_t) processor_of_name;
    /* the state of a check, as it was last printed */
    bool has_state;
    uint64_t state_address, store_count;
    /* an attempt, until the log says whether it was issued */
    bool attempt;
    struct request tried;
    uint64_t tried_check;
    uint32_t last; /* the request whose completion may go on, or ID_NONE */
};

/* ---- tokens ---- */

static void expect(struct parser *s, const char *text)
{
    if (!take(&s->c, text))
        FAULT(&s->c, s->c.p, "expected `%s`", text);
}

static int digit_of(char c, unsigned base)
{
    int digit = c >= '0' && c <= '9'   ? c - '0'
                : c >= 'a' && c <= 'f' ? c - 'a' + 10
                : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                       : 16;
    return digit < (int)base ? digit : -1;
}

static uint64_t number(struct parser *s, const char *what, uint64_t most)
{
    const char *from = s->c.p;
    unsigned base = take(&s->c, "0x") ? 16 : 10;
    const char *digits = s->c.p;
    uint64_t n = 0;
    for (int digit; (digit = digit_of(*s->c.p, base)) >= 0; s->c.p++) {
        if (n > (most - (uint64_t)digit) / base)
            FAULT(&s->c, from, "expected %s, at most %" PRIu64, what, most);
        n = n * base + (uint64_t)digit;
    }
    if (s->c.p == digits)
        FAULT(&s->c, from, "expected %s, a number", what);
    return n;
}

/* Addresses leave room for the bytes behind them. */
static uint64_t address(struct parser *s)
{
    return number(s, "an address", INT64_MAX);
}

/* ---- names ---- */

static uint32_t address_name(struct parser *s, uint64_t address)
{
    char text[24];
    int length = snprintf(text, sizeof text, "0x%" PRIx64, address);
    return history_name(s->h, text, (size_t)length);
}

static uint32_t processor_name(struct parser *s)
{
    char text[16];
    uint32_t n = (uint32_t)number(s, "a processor", UINT32_MAX);
    int length = snprintf(text, sizeof text, "%" PRIu32, n);
    return history_name(s->h, text, (size_t)length);
}

static uint32_t check_at(struct parser *s, uint64_t address)
{
    uint32_t name = address_name(s, address);
    while (s->check_of_name.n <= name)
        vec_push(&s->h->mem, &s->check_of_name, ID_NONE);
    if (s->check_of_name.at[name] == ID_NONE) {
        struct check new = {address, ID_NONE};
        s->check_of_name.at[name] = s->checks.n;
        vec_push(&s->h->mem, &s->checks, new);
    }
    return s->check_of_name.at[name];
}

static struct processor *processor_named(struct parser *s, uint32_t name)
{
    while (s->processor_of_name.n <= name)
        vec_push(&s->h->mem, &s->processor_of_name, ID_NONE);
    if (s->processor_of_name.at[name] == ID_NONE) {
        struct processor new = {.thread = ID_NONE};
        s->processor_of_name.at[name] = s->processors.n;
        vec_push(&s->h->mem, &s->processors, new);
    }
    return &s->processors.at[s->processor_of_name.at[name]];
}

/* ---- lines ---- */

/* [0x43c, value: 152, status: Idle, initiating node: 0, store_count: 0] */
static void state(struct parser *s)
{
    s->state_address = address(s);
    const char *count = recognise_find(s->c.p, s->c.line.end, "store_count: ");
    if (!count)
        FAULT(&s->c, s->c.p, "expected the check's store_count");
    s->c.p = count;
    s->store_count = number(s, "a count", UINT32_MAX);
    s->has_state = true;
}

/* Seq write: index 3 data 0x98 check 0x98 address 0x43c
 * Seq read: index 3 ... address 0x43c */
static void attempt(struct parser *s, bool write)
{
    struct place at = place_of(&s->c, s->c.p);
    expect(s, ": index ");
    uint32_t processor = processor_name(s);
    uint8_t value = 0;
    if (write) {
        expect(s, " data ");
        value = (uint8_t)number(s, "a byte", UINT8_MAX);
    }
    const char *where = recognise_find(s->c.p, s->c.line.end, "address ");
    s->tried_check = s->state_address;
    if (where) {
        s->c.p = where;
        s->tried_check = address(s);
    }
    if ((write || !where) && (!s->has_state || s->state_address != s->tried_check))
        FAULT_REMEDY(&s->c, s->c.p, "log the whole run, with the debug flag RubyTest",
                     "no line before says what this check has stored so far");
    s->attempt = true;
    s->tried = (struct request){.write = write,
                                .processor = processor,
                                .byte = s->tried_check + (write ? s->store_count : 0),
                                .values_at = s->values.n,
                                .at = at};
    if (write)
        vec_push(&s->h->mem, &s->values, value);
}

static void issued(struct parser *s, int64_t time)
{
    uint32_t index = check_at(s, s->tried_check);
    struct check *check = &s->checks.at[index];
    if (check->open != ID_NONE)
        FAULT_AT(&s->c, s->tried.at,
                 "a request of the check 0x%" PRIx64 ", whose request in line %" PRIu64 " has not completed",
                 check->address, s->all.at[check->open].at.line);
    check->open = s->all.n;
    s->tried.check = index;
    s->tried.called = calls_time(&s->clock, &time, s->tried.at);
    vec_push(&s->h->mem, &s->all, s->tried);
    s->attempt = false;
}

/* The bytes of a read. A write returns with a byte of the line, not the one written. */
static void bytes(struct parser *s, struct request *r, uint64_t size)
{
    uint32_t from = s->values.n;
    for (uint64_t i = 0; i < size; i++) {
        skip_space(&s->c);
        uint8_t value = (uint8_t)number(s, "a byte", UINT8_MAX);
        if (!r->write)
            vec_push(&s->h->mem, &s->values, value);
    }
    skip_space(&s->c);
    if (s->c.p != s->c.line.end)
        FAULT(&s->c, s->c.p, "expected the end of the line, as the size is %" PRIu64, size);
    if (!r->write)
        r->values_at = from;
    r->value_count = r->write ? 1 : (uint32_t)size;
}

/* completed request for proc: 3 addr: 0x43c, size: 1, data: 152 */
static void completed(struct parser *s, int64_t time)
{
    struct place at = place_of(&s->c, s->c.p);
    uint32_t processor = processor_name(s);
    expect(s, " addr: ");
    const char *where = s->c.p;
    uint32_t index = check_at(s, address(s));
    struct check *check = &s->checks.at[index];
    if (check->open == ID_NONE)
        FAULT_REMEDY(&s->c, where, "log the whole run, with the debug flag RubyTest",
                     "a request of the check 0x%" PRIx64 " completes, but none was issued", check->address);
    struct request *r = &s->all.at[check->open];
    expect(s, ", size: ");
    where = s->c.p;
    uint64_t size = number(s, "a size", INPUT_LONGEST_LINE);
    if (size == 0 || (r->write && size != 1))
        FAULT(&s->c, where, "expected a size: %s", r->write ? "a write has 1 byte" : "at least 1");
    expect(s, ", data: ");
    bytes(s, r, size);
    r->processor = processor;
    r->returned = calls_time(&s->clock, &time, at);
    r->calls_before = s->all.n;
    vec_push(&s->h->mem, &s->returned, check->open);
    if (s->c.open_end)
        s->last = check->open;
    cursor_may_go_on(&s->c, s->h, r->write ? DOUBT_NONE : DOUBT_READ, false, ID_NONE);
    check->open = ID_NONE;
}

/* `  594: system.cpu: message`: the time, with the cursor at the message. False: another kind of line. */
static bool event(struct parser *s, int64_t *time)
{
    skip_space(&s->c);
    const char *from = s->c.p, *end = s->c.line.end;
    while (at_digit(&s->c))
        s->c.p++;
    if (s->c.p == from || recognise_here(s->c.p, end, ": ") == NULL)
        return false;
    const char *message = recognise_find(s->c.p + 2, end, ": ");
    if (!message)
        return false;
    s->c.p = from;
    *time = (int64_t)number(s, "a time", INT64_MAX);
    s->c.p = message;
    return true;
}

static void log_line(struct parser *s)
{
    int64_t time;
    skip_space(&s->c);
    bool begins = at_digit(&s->c);
    if (!event(s, &time)) {
        if (begins) /* it may become an event */
            cursor_may_go_on(&s->c, s->h, DOUBT_CALL, false, ID_NONE);
        return;
    }
    if (take(&s->c, "[")) {
        if (recognise_here(s->c.p, s->c.line.end, "0x"))
            state(s);
    } else if (take(&s->c, "Seq write")) {
        attempt(s, true);
    } else if (take(&s->c, "Seq read")) {
        attempt(s, false);
    } else if (take(&s->c, "completed request for proc: ")) {
        completed(s, time);
    } else if (s->attempt &&
               (take(&s->c, "initiating action - successful") || take(&s->c, "initiating check - successful"))) {
        issued(s, time);
    } else if (take(&s->c, "failed to initiate")) {
        s->attempt = false;
    } else {
        cursor_may_go_on(&s->c, s->h, DOUBT_CALL, false, ID_NONE);
    }
}

/* ---- the history ---- */

static uint32_t new_thread(struct parser *s, uint32_t processor)
{
    struct processor *p = processor_named(s, processor);
    char text[48];
    if (p->threads++ == 0)
        return history_thread(s->h, processor);
    int n = snprintf(text, sizeof text, "%s-%" PRIu32, history_text(s->h, processor), p->threads - 1);
    return history_thread(s->h, history_name(s->h, text, (size_t)n));
}

/* Without its times. */
static uint32_t append(struct parser *s, const struct request *r, uint32_t i, uint32_t thread)
{
    uint64_t address = r->byte + i;
    struct value byte = {(int64_t)address, ASSAY_INT, notation_hex(address)};
    struct value value = {s->values.at[r->values_at + i], ASSAY_INT};
    const char *method = r->write ? "write" : "read";
    struct new_op op = {.thread = thread,
                        .object = ID_NONE,
                        .method = history_name(s->h, method, strlen(method)),
                        .args = (struct value[]){byte, value},
                        .arity = r->write ? 2 : 1,
                        .pending = !r->value_count,
                        .line = r->at.line,
                        .column = (uint32_t)r->at.column};
    if (!r->write)
        op.result = value;
    uint32_t row = history_append(s->h, &op);
    if (s->last != ID_NONE && r == &s->all.at[s->last])
        cursor_may_go_on(&s->c, s->h, s->h->last_line.doubt, false, row);
    return row;
}

/* A read that never returned says nothing. */
static void append_pending(struct parser *s, const struct request *r)
{
    if (r->write)
        history_set_times(s->h, append(s, r, 0, new_thread(s, r->processor)), r->called, INT64_MAX);
}

/* ---- one thread for each processor ---- */

static void append_issued(struct parser *s, const struct request *r, uint32_t i, struct processor *p)
{
    if (p->last != ID_NONE && s->h->ret[p->last] > r->called)
        history_set_times(s->h, p->last, s->h->call[p->last], r->called);
    p->last = append(s, r, i, p->thread);
    history_set_times(s->h, p->last, r->called, r->returned);
}

static void append_completed(struct parser *s, const struct request *r, uint32_t i, struct processor *p)
{
    int64_t from = p->last == ID_NONE ? r->called : s->h->ret[p->last];
    p->last = append(s, r, i, p->thread);
    history_set_times(s->h, p->last, from > r->called ? from : r->called, r->returned);
}

static void append_in_order(struct parser *s, const struct request *r, enum order order)
{
    struct processor *p = processor_named(s, r->processor);
    if (r->value_count && p->thread == ID_NONE) {
        p->thread = new_thread(s, r->processor);
        p->last = ID_NONE;
    }
    for (uint32_t i = 0; i < r->value_count; i++) {
        if (order == ORDER_ISSUED)
            append_issued(s, r, i, p);
        else
            append_completed(s, r, i, p);
    }
}

static void build_in_order(struct parser *s, enum order order, bool shared)
{
    if (order == ORDER_COMPLETED) {
        for (uint32_t i = 0; i < s->returned.n; i++)
            append_in_order(s, &s->all.at[s->returned.at[i]], order);
    } else {
        for (uint32_t i = 0; i < s->all.n; i++)
            append_in_order(s, &s->all.at[i], order);
    }
    for (uint32_t i = 0; i < s->all.n && shared; i++)
        if (!s->all.at[i].value_count)
            append_pending(s, &s->all.at[i]);
}

/* ---- a row of threads for each processor ---- */

static void append_apart(struct parser *s, const struct request *r, uint32_t i)
{
    struct processor *p = processor_named(s, r->processor);
    uint32_t thread = p->free.n ? vec_pop(&p->free) : new_thread(s, r->processor);
    vec_push(&s->h->mem, &s->threads, thread);
    history_set_times(s->h, append(s, r, i, thread), r->called, r->returned);
}

static void free_again(struct parser *s, const struct request *r)
{
    struct processor *p = processor_named(s, r->processor);
    for (uint32_t i = r->value_count; i-- > 0;)
        vec_push(&s->h->mem, &p->free, s->threads.at[r->threads_at + i]);
}

static void build_apart(struct parser *s)
{
    uint32_t ended = 0;
    for (uint32_t i = 0; i < s->all.n; i++) {
        struct request *r = &s->all.at[i];
        for (; ended < s->returned.n && s->all.at[s->returned.at[ended]].calls_before <= i; ended++)
            free_again(s, &s->all.at[s->returned.at[ended]]);
        r->threads_at = s->threads.n;
        for (uint32_t byte = 0; byte < r->value_count; byte++)
            append_apart(s, r, byte);
        if (!r->value_count)
            append_pending(s, r);
    }
}

/* ---- which of them ---- */

/* Has another check the byte? */
static bool taken(struct parser *s, uint64_t byte, uint32_t check)
{
    uint32_t name = address_name(s, byte);
    while (s->check_of_byte.n <= name)
        vec_push(&s->h->mem, &s->check_of_byte, ID_NONE);
    uint32_t *of = &s->check_of_byte.at[name];
    if (*of == ID_NONE)
        *of = check;
    return *of != check;
}

static bool checks_share(struct parser *s)
{
    for (uint32_t i = 0; i < s->all.n; i++) {
        const struct request *r = &s->all.at[i];
        for (uint32_t byte = 0; byte < (r->write ? 1 : r->value_count); byte++)
            if (taken(s, r->byte + byte, r->check))
                return true;
    }
    return false;
}

/* Requests that never completed: such a read says nothing, and a write is the last operation of its byte. */
static void warn_left_out(struct parser *s, bool apart)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < s->all.n; i++)
        n += !s->all.at[i].value_count && !(apart && s->all.at[i].write);
    if (n)
        warn(s->c.warnings, "%s: %u request%s never completed and %s left out: was the log cut, or the run too short?",
             input_name(s->c.in), (unsigned)n, n == 1 ? "" : "s", n == 1 ? "is" : "are");
}

static void build(struct parser *s)
{
    const char *variant = input_variant(s->c.in);
    enum order order = ORDER_ISSUED;
    while (variant && strcmp(orders[order], variant) != 0)
        order++;
    bool shared = checks_share(s);
    bool apart = order == ORDER_CERTAIN || (!variant && shared);
    warn_left_out(s, apart || shared);
    if (apart)
        build_apart(s);
    else
        build_in_order(s, order, shared);
}

static bool read_gem5_rubytest(struct input *in, history **out, struct warnings *warnings, assay_error *e)
{
    input_begin_history(in, out);
    history *h = *out;
    struct parser s = {.c = {.in = in, .e = e, .warnings = warnings}, .h = h, .last = ID_NONE};
    s.clock = (struct calls){.c = &s.c, .h = h};
    history_header(h, "object", 6, "memory", 6, 0, 0, e);
    while (cursor_whole_line(&s.c))
        log_line(&s);
    if (!s.all.n && s.c.line.number)
        FAULT_AT_REMEDY(&s.c, ((struct place){1, 1}), "run gem5 with --debug-flags=RubyTest; -f names another format",
                        "no request is issued in this log of gem5's Ruby tester");
    build(&s);
    return s.all.n > 0;
}

static int recognise_gem5_rubytest(const char *bytes, size_t n)
{
    const char *end = bytes + n;
    return recognise_find(bytes, end, ": Adding check for address: ") ||
                   recognise_find(bytes, end, ": Seq write: index ") ||
                   recognise_find(bytes, end, ": completed request for proc: ")
               ? 95
               : 0;
}

const struct format format_gem5_rubytest = {
    .name = "gem5-rubytest",
    .title = "logs of gem5's Ruby random tester",
    .extensions = (const char *const[]){".log", NULL},
    .variants = orders,
    .recognise = recognise_gem5_rubytest,
    .read = read_gem5_rubytest,
};
