/* SPDX-License-Identifier: Apache-2.0 */
#include "format/hist_operation.h"

#include "format/hist_text.h"
#include "format/interval.h"
#include "history/blocks.h"

/* `120..180`, `120..` */
static void interval(struct cursor *c, history *h, uint32_t op, uint32_t previous, bool pending)
{
    const char *from = c->p;
    if (h->after_at)
        FAULT(c, from, "expected `after`, as in the lines before: times and knowledge cannot be mixed");
    if (op > 0 && !h->call)
        FAULT(c, from, "a time interval here, but none in the lines before: all operations have one, or none");
    int64_t start = cursor_integer(c, "a time, as in `@ 120..180`, or `after`"), end = INT64_MAX;
    if (!take(c, ".."))
        FAULT(c, c->p, "expected `..` between the times of call and return");
    bool open = *c->p != '-' && !at_digit(c);
    if (!open)
        end = cursor_integer(c, "the time of the return");
    if (open && history_result(h, op).kind != ASSAY_NONE)
        FAULT(c, c->p, "expected the time of the return, since there is a result");
    if (!open && pending)
        FAULT(c, from, "an operation with `=> ?` has no time of return");
    interval_set(c, h, op, previous, &(struct interval){start, end, from, from});
    if (open)
        h->flags[op] |= OP_PENDING;
}

/* `after t0:2 t2:5` */
static void knowledge(struct cursor *c, history *h, uint32_t op)
{
    if (h->call)
        FAULT(c, c->p, "expected a time interval, as in the lines before");
    history_begin_after(h);
    for (skip_space(c); !at_end(c); skip_space(c)) {
        size_t length;
        const char *name = word(c, &length);
        if (!length || !take(c, ":"))
            FAULT(c, c->p, "expected `thread:count`, as in `@ after t0:2 t2:5`");
        struct after known = {.thread = history_thread(h, history_name(h, name, length))};
        const char *from = c->p;
        int64_t count = cursor_integer(c, "how many operations of the thread had returned");
        if (count < 0 || count > UINT32_MAX - 1)
            FAULT(c, from, "expected how many operations of the thread had returned");
        known.count = (uint32_t)count;
        history_add_after(h, op, known);
    }
}

uint32_t hist_operation(struct cursor *c, history *h, struct arguments *args, const char *name, size_t length)
{
    struct new_op op = {.thread = history_thread(h, history_name(h, name, length))};
    uint32_t previous = h->threads.at[op.thread].last;
    uint32_t open = history_open_call(h, op.thread);
    hist_call(c, h, args, &op);
    if (open != ID_NONE && !blocks_go_on(h, open, op.method))
        FAULT_REMEDY(c, name, "give what follows to another thread",
                     "this thread goes on after its operation in line %u, which never returned", history_line(h, open));
    const char *behind = c->p;
    skip_space(c);
    if (behind[-1] != ')' && !at_end(c) && *c->p != '@' && strncmp(c->p, "=>", 2) != 0)
        FAULT_REMEDY(c, behind, "a method is a word: letters, digits, _ - .; its arguments are in brackets",
                     "expected `(`, `=> result`, `@ times` or the end of the line behind the method");
    if (take(c, "=>")) {
        skip_space(c);
        if (*c->p == '?') {
            c->p++;
            op.pending = true;
        } else {
            op.result = hist_value(c, h);
        }
        skip_space(c);
    }
    uint32_t row = history_append(h, &op);
    if (*c->p == '@') {
        c->p++;
        skip_space(c);
        if (take(c, "after"))
            knowledge(c, h, row);
        else
            interval(c, h, row, previous, op.pending);
    } else if (h->call) {
        if (!op.pending || !at_end(c))
            FAULT(c, c->p, "expected a time interval `@ call..return`, as in the lines before");
        FAULT(c, c->p, "expected the time of the call, `@ 130..`, as in the lines before");
    }
    cursor_expect_end(c, "`=> result`, `@ times`");
    return row;
}
