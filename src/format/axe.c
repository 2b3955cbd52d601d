/* SPDX-License-Identifier: Apache-2.0 */
/* The trace format of Axe, a checker of memory subsystems, described in docs/guides/formats.md:
 *
 *     0: M[5] := 1            thread 0 writes 1 to address 5
 *     1: M[5] == 1 @ 10:20    thread 1 reads it; requested at 10, answered at 20
 *     1: { M[5] == 1; M[5] := 2 }
 *     1: sync
 *     final M[5] == 2
 *     check
 *
 * Reading: address 5 becomes the variable 5. It may also be written v5. A trace ends at `check`,
 * an empty one, too, so that numbers of histories agree with Axe's answers.
 *
 * Times are kept as far as they are the times of a history: every operation has both, and no
 * thread does two operations at once. Axe asks for neither, so most often they are dropped.
 *
 * Writing: threads and variables whose names contain their numbers keep these (see name_number). If any other name
 * occurs, they are numbered from 0 and comments name them. */
#include "base/notation.h"
#include "format/cursor.h"
#include "format/format.h"
#include "history/value_ids.h"

/* ---- reading ---- */

struct parser {
    struct cursor c;
    history *h;
    uint32_t read, write, rmw, fence; /* names of methods */
    bool untimed;                     /* some operation so far has no times, or times that cannot be kept */
};

static struct value natural(struct parser *s, const char *what)
{
    skip_space(&s->c);
    if (!at_digit(&s->c))
        FAULT(&s->c, s->c.p, "expected %s", what);
    return cursor_number(&s->c, what);
}

static void expect(struct parser *s, const char *text, const char *where)
{
    skip_space(&s->c);
    if (!take(&s->c, text))
        FAULT(&s->c, s->c.p, "expected `%s` %s", text, where);
}

/* `M[5]` or `v5`; false, and nothing is read, when neither is here. */
static bool address(struct parser *s, struct value *out)
{
    skip_space(&s->c);
    const char *from = s->c.p;
    if (take(&s->c, "M")) {
        expect(s, "[", "and an address, as in `M[5]`");
        *out = natural(s, "an address, as in `M[5]`");
        expect(s, "]", "behind the address");
        return true;
    }
    if (take(&s->c, "v") && at_digit(&s->c)) {
        *out = natural(s, "an address, as in `v5`");
        return true;
    }
    s->c.p = from;
    return false;
}

/* `M[5] == 1; M[5] := 2 }`, behind its first bracket. */
static void read_modify_write(struct parser *s, struct value args[3], const char *close)
{
    struct value again;
    if (!address(s, &args[0]))
        FAULT(&s->c, s->c.p, "expected an address, as in `{ M[5] == 1; M[5] := 2 }`");
    expect(s, "==", "and the value read, as in `{ M[5] == 1; M[5] := 2 }`");
    args[1] = natural(s, "the value read, a whole number");
    expect(s, ";", "between the read and the write");
    skip_space(&s->c);
    const char *second = s->c.p;
    if (!address(s, &again) || !value_same(args[0], again))
        FAULT(&s->c, second, "expected the address that was read: it is one operation");
    expect(s, ":=", "and the value written");
    args[2] = natural(s, "the value written, a whole number");
    expect(s, close, "at the end of a read-modify-write");
}

static void operation(struct parser *s, struct new_op *op, struct value args[3])
{
    skip_space(&s->c);
    op->line = s->c.line.number;
    op->column = (uint32_t)(s->c.p - s->c.line.at) + 1;
    bool brace = take(&s->c, "{");
    if (brace || take(&s->c, "<")) {
        read_modify_write(s, args, brace ? "}" : ">");
        op->method = s->rmw;
        op->arity = 3;
    } else if (take(&s->c, "sync")) {
        op->method = s->fence;
    } else if (address(s, &args[0])) {
        skip_space(&s->c);
        bool writes = take(&s->c, ":=");
        if (!writes && !take(&s->c, "=="))
            FAULT(&s->c, s->c.p, "expected `:=` (a write) or `==` (a read)");
        struct value value = natural(s, "a value, a whole number");
        op->method = writes ? s->write : s->read;
        op->arity = writes ? 2 : 1;
        *(writes ? &args[1] : &op->result) = value;
    } else {
        FAULT_REMEDY(&s->c, s->c.p, "as in `0: M[5] := 1`, `0: M[5] == 1`, `0: sync`",
                     "expected an address, `{` or `sync`");
    }
}

struct moments {
    int64_t begin, end; /* below 0: not given */
};

/* `@ 10:20`, `@ 10:`, `@ :20` */
static struct moments moments(struct parser *s)
{
    struct moments t = {-1, -1};
    skip_space(&s->c);
    const char *from = s->c.p;
    if (!take(&s->c, "@"))
        return t;
    skip_space(&s->c);
    if (at_digit(&s->c))
        t.begin = cursor_integer(&s->c, "a time");
    expect(s, ":", "between two times, as in `@ 10:20`, `@ 10:` or `@ :20`");
    skip_space(&s->c);
    if (at_digit(&s->c))
        t.end = cursor_integer(&s->c, "a time");
    if (t.begin >= 0 && t.end >= 0 && t.end < t.begin)
        FAULT(&s->c, from, "the end is before the begin");
    return t;
}

static void keep_times(struct parser *s, uint32_t op, uint32_t previous, struct moments t)
{
    history *h = s->h;
    bool overlaps = previous != ID_NONE && h->call && t.begin < h->ret[previous];
    s->untimed |= t.begin < 0 || t.end < 0 || overlaps;
    if (!s->untimed) {
        history_set_times(h, op, t.begin, t.end);
        return;
    }
    mem_free(&h->mem, h->call);
    mem_free(&h->mem, h->ret);
    h->call = h->ret = NULL;
}

/* `0: M[5] := 1`; 007 is the thread 7. */
static void operation_line(struct parser *s)
{
    struct value args[3];
    while (s->c.p[0] == '0' && s->c.p[1] >= '0' && s->c.p[1] <= '9')
        s->c.p++;
    const char *name = s->c.p;
    while (at_digit(&s->c))
        s->c.p++;
    size_t length = (size_t)(s->c.p - name);
    expect(s, ":", "behind the number of the thread");
    struct new_op op = {.object = ID_NONE, .args = args};
    op.thread = history_thread(s->h, history_name(s->h, name, length));
    uint32_t previous = s->h->threads.at[op.thread].last;
    operation(s, &op, args);
    struct moments t = moments(s);
    cursor_expect_end(&s->c, "`@ begin:end`");
    uint32_t row = history_append(s->h, &op);
    keep_times(s, row, previous, t);
    bool open = op.method == s->write && !strchr(name, '@');
    cursor_may_go_on(&s->c, s->h, open ? DOUBT_ARGUMENT : DOUBT_OUTCOME, false, row);
}

/* `final M[5] == 2`, or with the address alone. */
static void final_line(struct parser *s)
{
    struct value at;
    skip_space(&s->c);
    const char *from = s->c.p;
    if (!address(s, &at))
        at = natural(s, "an address, as in `final M[5] == 2`");
    expect(s, "==", "and a value, as in `final M[5] == 2`");
    struct value value = natural(s, "the last value, a whole number");
    cursor_expect_end(&s->c, "");
    struct text text = text_in(&s->h->mem);
    text_integer(&text, at.bits, at.notation);
    text_char(&text, '=');
    text_integer(&text, value.bits, value.notation);
    if (!history_header(s->h, "final", 5, text.at, text.n, s->c.line.number, (uint64_t)(from - s->c.line.at) + 1,
                        s->c.e))
        cursor_fault(&s->c, from);
    mem_free(&s->h->mem, text.at);
    cursor_may_go_on(&s->c, s->h, DOUBT_SETTING, false, ID_NONE);
}

/* False at `check`. */
static bool parse_line(struct parser *s)
{
    skip_space(&s->c);
    if (at_end(&s->c))
        return true;
    if (take(&s->c, "check")) {
        cursor_expect_end(&s->c, "");
        return false;
    }
    if (take(&s->c, "final")) {
        final_line(s);
        return true;
    }
    if (!at_digit(&s->c))
        FAULT_REMEDY(&s->c, s->c.p, "a thread is a number, as in `0: M[5] := 1`",
                     "expected a thread, `final` or `check`");
    operation_line(s);
    return true;
}

static uint32_t name(history *h, const char *text)
{
    return history_name(h, text, strlen(text));
}

static bool read_axe(struct input *in, history **out, struct warnings *warnings, assay_error *e)
{
    input_begin_history(in, out);
    history *h = *out;
    struct parser s = {.c = {.in = in, .e = e, .warnings = warnings},
                       .h = h,
                       .read = name(h, "read"),
                       .write = name(h, "write"),
                       .rmw = name(h, "rmw"),
                       .fence = name(h, "fence")};
    history_header(h, "object", 6, "memory", 6, 0, 0, e);
    bool more;
    while ((more = cursor_whole_line(&s.c)))
        if (!parse_line(&s))
            break;
    return more || h->n || h->final.n;
}

/* ---- writing ---- */

/* Numbers for names: 0 .. n-1, or those that the names contain. */
struct numbers {
    uint32_t n;
    int64_t *of;  /* of a name's id */
    bool counted; /* they are not in the names */
};

/* 5 in "5", "t5" or "x5"; below 0: there is none. */
static int64_t name_number(const char *text)
{
    int64_t number = 0;
    const char *p = text + ((*text | 0x20) >= 'a' && (*text | 0x20) <= 'z');
    if (!*p)
        return -1;
    for (; *p; p++)
        if (*p < '0' || *p > '9' || __builtin_mul_overflow(number, 10, &number) ||
            __builtin_add_overflow(number, *p - '0', &number))
            return -1;
    return number;
}

/* All of them have a number and no two the same. */
static bool are_distinct(const struct numbers *all, struct mem *m)
{
    struct value_ids seen = {0};
    bool fine = true;
    for (uint32_t i = 0; i < all->n && fine; i++)
        fine = all->of[i] >= 0 && value_id(m, &seen, (struct value){all->of[i], ASSAY_INT}) == i;
    value_ids_free(m, &seen);
    return fine;
}

static void choose_numbers(struct numbers *all, struct mem *m)
{
    all->counted = !are_distinct(all, m);
    for (uint32_t i = 0; i < all->n && all->counted; i++)
        all->of[i] = i;
}

static struct numbers number_threads(const history *h, struct mem *m)
{
    struct numbers t = {.n = h->threads.n, .of = mem_new(m, int64_t, h->threads.n)};
    for (uint32_t i = 0; i < t.n; i++)
        t.of[i] = name_number(history_text(h, h->threads.at[i].name));
    choose_numbers(&t, m);
    return t;
}

struct variables {
    struct value_ids ids;
    VEC(struct value) names;
    struct numbers numbers;
};

static void add_variable(struct variables *v, struct value key, struct mem *m)
{
    if (value_id(m, &v->ids, key) == v->names.n)
        vec_push(m, &v->names, key);
}

static int64_t variable_number(const history *h, struct value key)
{
    if (key.kind == ASSAY_INT)
        return key.bits;
    return key.kind == ASSAY_WORD ? name_number(history_text(h, (uint32_t)key.bits)) : -1;
}

static struct variables number_variables(const history *h, struct mem *m)
{
    struct variables v = {0};
    for (uint32_t o = 0; o < h->n; o++)
        if (history_arity(h, o))
            add_variable(&v, history_arg(h, o, 0), m);
    for (uint32_t i = 0; i < h->final.n; i++)
        add_variable(&v, h->final.at[i].key, m);
    v.numbers.n = v.names.n;
    v.numbers.of = mem_new(m, int64_t, v.names.n);
    for (uint32_t i = 0; i < v.names.n; i++)
        v.numbers.of[i] = variable_number(h, v.names.at[i]);
    choose_numbers(&v.numbers, m);
    return v;
}

/* A hexadecimal number has no sign: 0xffffffffffffffff is 2^64 - 1. */
static bool is_natural(struct value v)
{
    if (v.kind != ASSAY_INT || v.bits >= 0)
        return v.kind == ASSAY_INT;
    char text[NOTATION_TEXT];
    notation_print(text, v.bits, v.notation);
    return text[0] != '-';
}

static _Noreturn void refuse(const history *h, uint32_t op, const struct writing *w, const char *why)
{
    history_fault(h, op, w->e, ASSAY_ERROR_NOT_APPLICABLE, "%s", why);
    escape_raise(ESCAPE_ERROR);
}

static void check_operation(const history *h, uint32_t op, const struct writing *w)
{
    if (history_pending(h, op))
        refuse(h, op, w, "axe has no operations that never returned");
    if (history_object_of(h, op) != history_object_of(h, 0))
        refuse(h, op, w, "axe has one memory, not several objects");
    if (h->call && h->call[op] < 0)
        refuse(h, op, w, "times of axe are whole numbers from 0");
    for (uint32_t i = 1; i < history_arity(h, op); i++)
        if (!is_natural(history_written(h, op, i)))
            refuse(h, op, w, "values of axe are whole numbers from 0");
    if (history_arity(h, op) == 1 && !is_natural(history_written_result(h, op)))
        refuse(h, op, w, "values of axe are whole numbers from 0");
}

static void check_headers(const history *h, const struct writing *w)
{
    if (h->po_after && h->after_at) {
        error_set(w->e, ASSAY_ERROR_NOT_APPLICABLE,
                  "axe has no program order between threads, as `@po after` makes one");
        escape_raise(ESCAPE_ERROR);
    }
    for (uint32_t i = 0; i < h->init.n; i++)
        if (!is_natural(h->init.at[i].value) || h->init.at[i].value.bits) {
            error_set(w->e, ASSAY_ERROR_NOT_APPLICABLE, "the initial value of axe is 0");
            escape_raise(ESCAPE_ERROR);
        }
    for (uint32_t i = 0; i < h->final.n; i++)
        if (h->final.at[i].key.kind == ASSAY_NONE || !is_natural(h->final.at[i].value)) {
            error_set(w->e, ASSAY_ERROR_NOT_APPLICABLE, "a last value of axe is a whole number from 0, of a variable");
            escape_raise(ESCAPE_ERROR);
        }
}

struct printer {
    const history *h;
    struct text text;
    struct numbers threads;
    struct variables variables;
};

static void print_address(struct printer *p, struct value key)
{
    text_puts(&p->text, "M[");
    text_int(&p->text, p->variables.numbers.of[value_id_find(&p->variables.ids, key)]);
    text_char(&p->text, ']');
}

static void print_access(struct printer *p, struct value key, const char *sign, struct value value)
{
    print_address(p, key);
    text_puts(&p->text, sign);
    if (value.bits < 0)
        text_integer(&p->text, value.bits, value.notation);
    else
        text_int(&p->text, value.bits);
}

/* Axe refuses the time at which a write was answered. */
static void print_times(struct printer *p, uint32_t op, bool writes)
{
    text_puts(&p->text, " @ ");
    text_int(&p->text, p->h->call[op]);
    text_char(&p->text, ':');
    if (!writes)
        text_int(&p->text, p->h->ret[op]);
}

static void print_operation(struct printer *p, uint32_t op)
{
    const history *h = p->h;
    struct value key = history_arg(h, op, 0);
    uint32_t arity = history_arity(h, op);
    text_int(&p->text, p->threads.of[h->thread[op]]);
    text_puts(&p->text, ": ");
    if (arity == 0) {
        text_puts(&p->text, "sync");
    } else if (arity == 1) {
        print_access(p, key, " == ", history_written_result(h, op));
    } else if (arity == 2) {
        print_access(p, key, " := ", history_written(h, op, 1));
    } else {
        text_puts(&p->text, "{ ");
        print_access(p, key, " == ", history_written(h, op, 1));
        text_puts(&p->text, "; ");
        print_access(p, key, " := ", history_written(h, op, 2));
        text_puts(&p->text, " }");
    }
    if (h->call)
        print_times(p, op, arity == 2);
    text_char(&p->text, '\n');
}

static void print_names(struct printer *p)
{
    const history *h = p->h;
    for (uint32_t i = 0; p->threads.counted && i < p->threads.n; i++)
        text_printf(&p->text, "# thread %u: %s\n", i, history_text(h, h->threads.at[i].name));
    for (uint32_t i = 0; p->variables.numbers.counted && i < p->variables.names.n; i++) {
        text_printf(&p->text, "# M[%u]: ", i);
        token_print(&p->text, h, p->variables.names.at[i]);
        text_char(&p->text, '\n');
    }
}

static void flush(struct printer *p, FILE *out)
{
    fwrite(p->text.at, 1, p->text.n, out);
    p->text.n = 0;
}

static void write_axe(const history *h, const struct writing *w)
{
    format_needs_memory(h, w, "axe");
    check_headers(h, w);
    for (uint32_t o = 0; o < h->n; o++)
        check_operation(h, o, w);
    struct printer p = {h, text_in(w->mem), number_threads(h, w->mem), number_variables(h, w->mem)};
    print_names(&p);
    for (uint32_t o = 0; o < h->n; o++) {
        print_operation(&p, o);
        flush(&p, w->out);
    }
    for (uint32_t i = 0; i < h->final.n; i++) {
        text_puts(&p.text, "final ");
        print_access(&p, h->final.at[i].key, " == ", h->final.at[i].value);
        text_char(&p.text, '\n');
    }
    text_puts(&p.text, "check\n");
    flush(&p, w->out);
}

/* ---- recognising ---- */

static const char *skip(const char *p, const char *end, const char *set)
{
    while (p < end && *p && strchr(set, *p))
        p++;
    return p;
}

static const char *rest(const char *p, const char *end, const char *start)
{
    size_t n = strlen(start);
    return (size_t)(end - p) >= n && memcmp(p, start, n) == 0 ? p + n : NULL;
}

/* Is this a line of Axe and of no other format? */
static bool is_axe_line(const char *p, const char *end)
{
    static const char digits[] = "0123456789";
    if (rest(p, end, "check") || rest(p, end, "final "))
        return true;
    const char *colon = skip(skip(p, end, digits), end, " \t");
    if (colon == p || !(p = rest(colon, end, ":")))
        return false;
    p = skip(p, end, " \t");
    if (rest(p, end, "M[") || rest(p, end, "sync") || rest(p, end, "{") || rest(p, end, "<"))
        return true;
    const char *number = rest(p, end, "v");
    const char *sign = number ? skip(skip(number, end, digits), end, " \t") : end;
    return sign > number && (rest(sign, end, ":=") || rest(sign, end, "=="));
}

/* The first line that is not blank or a comment decides. */
static int recognise_axe(const char *bytes, size_t n)
{
    const char *p = bytes, *end = bytes + n;
    for (;;) {
        p = skip(p, end, " \t\r\n");
        if (p == end || *p != '#')
            return p < end && is_axe_line(p, end) ? 90 : 0;
        const char *next = memchr(p, '\n', (size_t)(end - p));
        if (!next)
            return 0;
        p = next;
    }
}

const struct format format_axe = {
    .name = "axe",
    .title = "traces of the memory checker Axe",
    .extensions = (const char *const[]){".axe", NULL},
    .recognise = recognise_axe,
    .read = read_axe,
    .write = write_axe,
};
