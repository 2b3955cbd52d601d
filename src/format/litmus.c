/* SPDX-License-Identifier: Apache-2.0 */
/* Litmus tests as herd7 and litmus7 read them, for X86, described in docs/guides/formats.md:
 *
 *     X86 SB
 *     { x=0; y=0; }
 *      P0          | P1          ;
 *      MOV [x],$1  | MOV [y],$1  ;
 *      MOV EAX,[y] | MOV EAX,[x] ;
 *     exists (0:EAX=0 /\ 1:EAX=0)
 *
 * A test is one history: the outcome that its condition names. So `check -m tso` tells whether the model allows it. A
 * register of the condition is the result of the last load into it. A load whose value no condition names says
 * nothing, since it may return any value: it is left out. A variable of the condition is its last value (@final). */
#include "format/cursor.h"
#include "format/format.h"
#include "format/recognise.h"

enum { MOST_INSTRUCTIONS = 1000 }; /* tests are small; registers are looked up one by one */

enum kind { SET, LOAD, STORE, EXCHANGE, FENCE };

struct operand {
    enum { CONSTANT, REGISTER, MEMORY } kind;
    uint32_t name;
    struct value constant;
};

struct instruction {
    enum kind kind;
    uint32_t thread;
    uint32_t variable, reg; /* names; the register that is set, or that a store takes its value from; or ID_NONE */
    struct value constant;  /* of a register that is set, or stored without one */
    struct place at;
};

struct equation {    /* of the initial state, or of the condition */
    uint32_t thread; /* ID_NONE: a variable */
    uint32_t name;
    struct value value;
    struct place at;
};

struct litmus {
    struct cursor c;
    history *h;
    uint32_t threads;
    VEC(struct instruction) program;
    VEC(struct equation) initial, outcome;
};

static uint32_t name(history *h, const char *text)
{
    return history_name(h, text, strlen(text));
}

/* ---- tokens: line ends are blanks, and so are comments ---- */

static void skip_comment(struct litmus *s)
{
    struct place at = place_of(&s->c, s->c.p);
    for (s->c.p += 2; !take(&s->c, "*)");)
        if (s->c.p < s->c.line.end)
            s->c.p++;
        else if (!cursor_line(&s->c))
            FAULT_AT(&s->c, at, "this comment has no end: expected `*)`");
}

/* At the next token; false at the end of the file. */
static bool more(struct litmus *s)
{
    for (;;) {
        skip_space(&s->c);
        if (s->c.p < s->c.line.end && strncmp(s->c.p, "(*", 2) == 0)
            skip_comment(s);
        else if (s->c.p < s->c.line.end)
            return true;
        else if (!cursor_line(&s->c))
            return false;
    }
}

static void expect(struct litmus *s, const char *token, const char *where)
{
    if (!more(s) || !take(&s->c, token))
        FAULT(&s->c, s->c.p, "expected `%s` %s", token, where);
}

/* The word, and not only its beginning. */
static bool keyword(struct litmus *s, const char *text)
{
    const char *from = s->c.p;
    if (take(&s->c, text) && !token_is_word_char((unsigned char)*s->c.p))
        return true;
    s->c.p = from;
    return false;
}

static bool is_letter(char c)
{
    return c == '_' || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

static uint32_t identifier(struct litmus *s, const char *what)
{
    size_t length;
    if (!more(s) || !is_letter(*s->c.p))
        FAULT(&s->c, s->c.p, "expected %s", what);
    const char *text = word(&s->c, &length);
    return history_name(s->h, text, length);
}

static bool is_register(const char *text)
{
    static const char *const registers[] = {"EAX", "EBX", "ECX", "EDX", "ESI", "EDI", "EBP", "ESP"};
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++)
        if (strcmp(text, registers[i]) == 0)
            return true;
    return false;
}

static uint32_t reg(struct litmus *s, const char *what)
{
    more(s);
    const char *from = s->c.p;
    uint32_t id = identifier(s, what);
    if (!is_register(history_text(s->h, id)))
        FAULT_REMEDY(&s->c, from, "EAX EBX ECX EDX ESI EDI EBP ESP are; a variable of a program is `[x]`",
                     "%.40s is no register", history_text(s->h, id));
    return id;
}

/* `[EAX]` would be the variable whose address is in EAX. */
static uint32_t variable(struct litmus *s, const char *what)
{
    more(s);
    const char *from = s->c.p;
    uint32_t id = identifier(s, what);
    if (is_register(history_text(s->h, id)))
        FAULT_REMEDY(&s->c, from, "an address is the name of a variable, and a condition has `0:EAX=1`",
                     "%s is a register", history_text(s->h, id));
    return id;
}

static struct value number(struct litmus *s)
{
    if (!more(s) || (!at_digit(&s->c) && *s->c.p != '-'))
        FAULT(&s->c, s->c.p, "expected a number");
    return cursor_number(&s->c, "a number");
}

/* ---- equations ---- */

/* `0:EAX=1`, `x=1` or `[x]=1` */
static struct equation equation(struct litmus *s)
{
    struct equation q = {.thread = ID_NONE, .at = place_of(&s->c, s->c.p)};
    if (at_digit(&s->c)) {
        int64_t thread = cursor_integer(&s->c, "the number of a thread");
        q.thread = thread < MOST_INSTRUCTIONS ? (uint32_t)thread : MOST_INSTRUCTIONS;
        expect(s, ":", "behind the number of a thread, as in `0:EAX=1`");
        q.name = reg(s, "a register");
    } else {
        bool bracket = take(&s->c, "[");
        q.name = variable(s, "a variable, or a register as in `0:EAX=1`");
        if (bracket)
            expect(s, "]", "behind the variable");
    }
    expect(s, "=", "and a value, as in `0:EAX=1` or `x=1`");
    q.value = number(s);
    return q;
}

static void initial_state(struct litmus *s)
{
    while (more(s) && !take(&s->c, "}"))
        if (!take(&s->c, ";"))
            vec_push(&s->h->mem, &s->initial, equation(s));
}

static void condition(struct litmus *s)
{
    uint32_t depth = 0;
    bool wants = true, closed = false; /* an equation; by a bracket */
    while (more(s)) {
        if (take(&s->c, "\\/") || take(&s->c, "~") || keyword(s, "not"))
            FAULT_REMEDY(&s->c, s->c.p, "a test for each of them", "only equations joined by `/\\` name one outcome");
        if (wants && take(&s->c, "(")) {
            depth++;
        } else if (wants) {
            if (!keyword(s, "true"))
                vec_push(&s->h->mem, &s->outcome, equation(s));
            wants = closed = false;
        } else if (depth && take(&s->c, ")")) {
            depth--;
            closed = !depth;
        } else {
            expect(s, "/\\", "between two equations, or the end of the file");
            wants = true;
        }
    }
    if (wants || depth)
        FAULT(&s->c, s->c.p, "expected %s", wants ? "an equation, as in `0:EAX=1`" : "`)`");
    s->c.open_end = s->c.line.unended && !closed;
    cursor_may_go_on(&s->c, s->h, DOUBT_CALL, false, ID_NONE);
}

/* ---- the program ---- */

static struct operand operand(struct litmus *s)
{
    if (more(s) && take(&s->c, "$"))
        return (struct operand){.kind = CONSTANT, .constant = number(s)};
    if (take(&s->c, "[")) {
        struct operand o = {.kind = MEMORY, .name = variable(s, "a variable")};
        expect(s, "]", "behind the variable");
        return o;
    }
    return (struct operand){.kind = REGISTER, .name = reg(s, "a register, `[x]` or `$1`")};
}

static void instruction(struct litmus *s, uint32_t thread)
{
    static const char remedy[] = "MOV [x],$1; MOV [x],EAX; MOV EAX,[x]; MOV EAX,$1; XCHG [x],EAX and MFENCE are read";
    const char *from = s->c.p;
    struct instruction i = {.thread = thread, .variable = ID_NONE, .reg = ID_NONE, .at = place_of(&s->c, from)};
    size_t length;
    word(&s->c, &length);
    bool moves = length == 3 && memcmp(from, "MOV", 3) == 0, swaps = length == 4 && memcmp(from, "XCHG", 4) == 0;
    if (length == 6 && memcmp(from, "MFENCE", 6) == 0) {
        i.kind = FENCE;
    } else if (moves || swaps) {
        struct operand to = operand(s);
        expect(s, ",", "between the operands");
        struct operand of = operand(s);
        bool known = (to.kind == REGISTER && of.kind != REGISTER) || (to.kind == MEMORY && of.kind != MEMORY);
        if (!known || (swaps && (to.kind == CONSTANT || of.kind == CONSTANT)))
            FAULT_AT_REMEDY(&s->c, i.at, remedy, "this instruction is unknown");
        i.kind = swaps ? EXCHANGE : to.kind == MEMORY ? STORE : of.kind == MEMORY ? LOAD : SET;
        i.variable = to.kind == MEMORY ? to.name : of.kind == MEMORY ? of.name : ID_NONE;
        i.reg = to.kind == REGISTER ? to.name : of.kind == REGISTER ? of.name : ID_NONE;
        i.constant = of.constant;
    } else {
        FAULT_AT_REMEDY(&s->c, i.at, remedy, "this instruction is unknown");
    }
    if (s->program.n == MOST_INSTRUCTIONS)
        FAULT_AT(&s->c, i.at, "the test has more than %d instructions", MOST_INSTRUCTIONS);
    vec_push(&s->h->mem, &s->program, i);
}

/* `P0 | P1 ;` */
static void thread_names(struct litmus *s)
{
    do {
        char name[16];
        snprintf(name, sizeof name, "P%u", (unsigned)s->threads++);
        expect(s, name, "the name of the thread, as in `P0 | P1 ;`");
    } while (s->threads < MOST_INSTRUCTIONS && more(s) && take(&s->c, "|"));
    expect(s, ";", "behind the names of the threads");
}

/* `MOV [x],$1 | MOV [y],$1 ;` */
static void row(struct litmus *s)
{
    for (uint32_t thread = 0;; thread++) {
        if (thread == s->threads)
            FAULT(&s->c, s->c.p, "there are only %u threads", (unsigned)s->threads);
        if (more(s) && *s->c.p != '|' && *s->c.p != ';')
            instruction(s, thread);
        if (!more(s) || !take(&s->c, "|")) {
            expect(s, ";", "at the end of a row, or `|` before the next thread");
            return;
        }
    }
}

static void program(struct litmus *s)
{
    thread_names(s);
    while (more(s)) {
        if (keyword(s, "forall"))
            FAULT_REMEDY(&s->c, s->c.p, "write `exists` and one outcome", "this condition names all outcomes");
        if (keyword(s, "locations")) { /* to be printed; they do not count here */
            while (more(s) && !take(&s->c, "]"))
                s->c.p++;
        } else if (keyword(s, "exists") || keyword(s, "~exists")) {
            condition(s);
            return;
        } else {
            row(s);
        }
    }
    FAULT_REMEDY(&s->c, s->c.p, "as in `exists (0:EAX=0 /\\ 1:EAX=0)`",
                 "expected a condition, which names the outcome");
}

/* ---- the history ---- */

static bool sets(const struct instruction *i)
{
    return i->kind == SET || i->kind == LOAD || i->kind == EXCHANGE;
}

static const struct equation *find(const struct equation *at, uint32_t n, uint32_t thread, uint32_t name)
{
    for (uint32_t k = 0; k < n; k++)
        if (at[k].thread == thread && at[k].name == name)
            return &at[k];
    return NULL;
}

/* The value in a register behind the instructions of its thread before `end`. False: it is not known. */
static bool content(const struct litmus *s, uint32_t thread, uint32_t reg, uint32_t end, struct value *out)
{
    uint32_t last = ID_NONE, latest = ID_NONE;
    for (uint32_t k = 0; k < s->program.n; k++)
        if (s->program.at[k].thread == thread && s->program.at[k].reg == reg && sets(&s->program.at[k])) {
            latest = k;
            last = k < end ? k : last;
        }
    const struct equation *first = find(s->initial.at, s->initial.n, thread, reg);
    const struct equation *condition = find(s->outcome.at, s->outcome.n, thread, reg);
    *out = first ? first->value : (struct value){0, ASSAY_INT};
    if (last == ID_NONE)
        return true;
    if (s->program.at[last].kind == SET) {
        *out = s->program.at[last].constant;
        return true;
    }
    if (condition)
        *out = condition->value;
    return condition && last == latest;
}

static void check_thread(struct litmus *s, const struct equation *q)
{
    if (q->thread != ID_NONE && q->thread >= s->threads)
        FAULT_AT(&s->c, q->at, "there is no thread of this number");
}

static void check_initial(struct litmus *s)
{
    for (uint32_t k = 0; k < s->initial.n; k++)
        check_thread(s, &s->initial.at[k]);
}

/* An equation that no execution satisfies: the register has a value that no load decides. */
static void check_outcome(struct litmus *s)
{
    for (uint32_t k = 0; k < s->outcome.n; k++) {
        struct equation *q = &s->outcome.at[k];
        struct value v;
        check_thread(s, q);
        bool known = q->thread != ID_NONE && content(s, q->thread, q->name, s->program.n, &v);
        const struct equation *same = find(s->outcome.at, s->outcome.n, q->thread, q->name);
        if ((known && v.bits != q->value.bits) || same->value.bits != q->value.bits)
            FAULT_AT(&s->c, q->at, "no execution has this outcome: the value is another one");
    }
}

static void header(struct litmus *s, const char *key, const struct equation *q)
{
    struct text text = text_in(&s->h->mem);
    text_puts(&text, history_text(s->h, q->name));
    text_char(&text, '=');
    text_integer(&text, q->value.bits, q->value.notation);
    if (!history_header(s->h, key, strlen(key), text_get(&text), text.n, q->at.line, q->at.column, s->c.e))
        cursor_fault(&s->c, s->c.p);
    mem_free(&s->h->mem, text.at);
}

static void append(struct litmus *s, uint32_t k)
{
    const struct instruction *i = &s->program.at[k];
    struct value args[3] = {{i->variable, ASSAY_WORD}}, stored = i->constant, loaded = {0};
    struct new_op op = {.object = ID_NONE, .args = args, .line = i->at.line, .column = (uint32_t)i->at.column};
    char thread[16];
    snprintf(thread, sizeof thread, "P%u", (unsigned)i->thread);
    bool takes = (i->kind == STORE && i->reg != ID_NONE) || i->kind == EXCHANGE;
    bool returns = i->kind == LOAD || i->kind == EXCHANGE;
    bool lacks = takes && !content(s, i->thread, i->reg, k, &stored);
    bool unknown = returns && !content(s, i->thread, i->reg, k + 1, &loaded);
    if (lacks || (unknown && i->kind == EXCHANGE)) {
        const char *reg = history_text(s->h, i->reg);
        char remedy[120];
        snprintf(remedy, sizeof remedy, "add `%u:%s=` and the value to the condition; load nothing else into it later",
                 (unsigned)i->thread, reg);
        FAULT_AT_REMEDY(&s->c, i->at, remedy,
                        lacks ? "what %s holds here was loaded, and the condition does not say which value"
                              : "XCHG loads a value into %s, and the condition does not say which",
                        reg);
    }
    if (i->kind == SET || unknown)
        return;
    op.thread = history_thread(s->h, name(s->h, thread));
    op.method = name(s->h, i->kind == FENCE ? "fence" : i->kind == LOAD ? "read" : i->kind == STORE ? "write" : "rmw");
    op.arity = i->kind == FENCE ? 0 : i->kind == LOAD ? 1 : i->kind == STORE ? 2 : 3;
    args[1] = i->kind == EXCHANGE ? loaded : stored;
    args[2] = stored;
    op.result = i->kind == LOAD ? loaded : (struct value){0};
    history_append(s->h, &op);
}

static bool read_litmus(struct input *in, history **out, struct warnings *warnings, assay_error *e)
{
    input_begin_history(in, out);
    struct litmus s = {.c = {.in = in, .e = e, .warnings = warnings, .line = {"", "", 0}, .p = ""}, .h = *out};
    s.c.line.at = s.c.line.end = s.c.p;
    if (!more(&s))
        return false;
    if (!take(&s.c, "X86 "))
        FAULT_REMEDY(&s.c, s.c.p,
                     "other architectures, and AT&T notation (X86_64), are not read: write the test for X86",
                     "expected a litmus test for X86 in the Intel notation of herd7, which begins as `X86 SB`");
    for (s.c.p = s.c.line.end; more(&s) && *s.c.p != '{'; s.c.p = s.c.line.end) /* `"..."` and `Com=Rf Fr` */
        if (*s.c.p != '"' && !strchr(s.c.p, '='))
            FAULT(&s.c, s.c.p, "expected the initial state, as in `{ x=0; }`");
    expect(&s, "{", "and the initial state, as in `{ x=0; }`");
    initial_state(&s);
    program(&s);
    check_initial(&s);
    check_outcome(&s);
    history_header(s.h, "object", 6, "memory", 6, 0, 0, e);
    for (uint32_t k = 0; k < s.initial.n; k++)
        if (s.initial.at[k].thread == ID_NONE)
            header(&s, "init", &s.initial.at[k]);
    for (uint32_t k = 0; k < s.outcome.n; k++)
        if (s.outcome.at[k].thread == ID_NONE && find(s.outcome.at, k, ID_NONE, s.outcome.at[k].name) == NULL)
            header(&s, "final", &s.outcome.at[k]);
    for (uint32_t thread = 0; thread < s.threads; thread++)
        for (uint32_t k = 0; k < s.program.n; k++)
            if (s.program.at[k].thread == thread)
                append(&s, k);
    return true;
}

/* Tests for other processors are recognised, too: their fault says more than that of another format. */
static int recognise_litmus(const char *bytes, size_t n)
{
    static const char *const processors[] = {"X86 ", "X86_64 ", "AArch64 ", "ARM ", "PPC ", "RISCV ", "MIPS ", "LISA "};
    const char *end = bytes + n, *p = recognise_start(bytes, end, '\0');
    for (size_t i = 0; i < sizeof processors / sizeof *processors; i++)
        if (recognise_here(p, end, processors[i]))
            return recognise_find(p, end, "{") && recognise_find(p, end, "P0") ? 90 : 0;
    return 0;
}

const struct format format_litmus = {
    .name = "litmus",
    .title = "litmus tests of herd7 for X86: the outcome of the condition",
    .extensions = (const char *const[]){".litmus", NULL},
    .recognise = recognise_litmus,
    .read = read_litmus,
};
