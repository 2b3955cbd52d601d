/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/drive/workload.h"

#include <inttypes.h>
#include <string.h>

#define MEMORY_MODELS "cc,ccv,cm,sc,lin"
#define TRANSACTION_MODELS "rc,ra,tcc,pc,psi,si,ser,ser-strict"

const struct workload workload_table[] = {
    {.name = "single",
     .title = "reads and writes of registers, one a transaction",
     .object = "memory",
     .variable = "x",
     .reads = ASSAY_ACTION_READ,
     .changes = ASSAY_ACTION_WRITE,
     .keys = 4,
     .models = MEMORY_MODELS},
    {.name = "register",
     .title = "transactions of reads and writes of registers",
     .object = "multi-register",
     .variable = "x",
     .reads = ASSAY_ACTION_READ,
     .changes = ASSAY_ACTION_WRITE,
     .transactions = true,
     .keys = 10,
     .models = TRANSACTION_MODELS},
    {.name = "list",
     .title = "transactions of reads of lists and appends to them",
     .object = "multi-register",
     .variable = "x",
     .reads = ASSAY_ACTION_LIST,
     .changes = ASSAY_ACTION_APPEND,
     .transactions = true,
     .keys = 10,
     .models = TRANSACTION_MODELS},
    {.name = "counter",
     .title = "increments and reads of counters",
     .object = "counter",
     .variable = "c",
     .reads = ASSAY_ACTION_READ,
     .changes = ASSAY_ACTION_ADD,
     .keys = 1,
     .models = "lin"},
    {.name = "set",
     .title = "additions to a set, and reads of all its elements",
     .object = "set",
     .variable = "s",
     .reads = ASSAY_ACTION_ELEMENTS,
     .changes = ASSAY_ACTION_INSERT,
     .keys = 1,
     .models = "lin"},
    {.name = "queue",
     .title = "a queue: elements put in at its end and taken from its front",
     .object = "queue",
     .variable = "q",
     .reads = ASSAY_ACTION_DEQUEUE,
     .changes = ASSAY_ACTION_ENQUEUE,
     .keys = 1,
     .models = "lin"},
    {.name = "bank",
     .title = "transfers between accounts, and reads of all balances",
     .object = "bank",
     .variable = "a",
     .reads = ASSAY_ACTION_READ,
     .changes = ASSAY_ACTION_TRANSFER,
     .whole = true,
     .keys = 5,
     .initial = 100,
     .models = "lin"},
    {0},
};

const struct workload *workload_find(const char *name)
{
    const struct workload *w = workload_table;
    while (w->name && strcmp(w->name, name) != 0)
        w++;
    return w->name ? w : NULL;
}

uint32_t workload_actions(const struct workload *w)
{
    return 1u << w->reads | 1u << w->changes;
}

/* ---- lines of a history ---- */

void workload_headers(const struct workload *w, unsigned keys, FILE *to)
{
    bool objects = !w->transactions && !w->whole && strcmp(w->object, "memory") != 0 && keys > 1;
    for (unsigned i = 0; objects && i < keys; i++)
        fprintf(to, "# @object %s%u %s\n", w->variable, i, w->object);
    if (!objects)
        fprintf(to, "# @object %s\n", w->object);
    if (!w->whole)
        return;
    fputs("# @init [", to);
    for (unsigned i = 0; i < keys; i++)
        fprintf(to, "%s%" PRId64, i ? " " : "", w->initial);
    fputs("]\n", to);
}

static void put_list(const assay_access *a, FILE *to)
{
    fputc('[', to);
    for (size_t i = 0; i < a->count; i++)
        fprintf(to, "%s%" PRId64, i ? " " : "", a->elements[i]);
    fputc(']', to);
}

/* `r x1 5`; a register that was never written holds its initial value. */
static void put_part(const struct workload *w, const assay_access *a, bool answered, FILE *to)
{
    bool list = w->reads == ASSAY_ACTION_LIST;
    if (a->action == w->changes) {
        fprintf(to, "%s %s%" PRIu64 " %" PRId64, list ? "append" : "w", w->variable, a->key, a->value);
        return;
    }
    fprintf(to, "r %s%" PRIu64 " ", w->variable, a->key);
    if (!answered)
        fputc('?', to);
    else if (list)
        put_list(a, to);
    else
        fprintf(to, "%" PRId64, a->found ? a->answer : w->initial);
}

static void put_transaction(const struct workload *w, const assay_access *accesses, size_t n, bool answered, FILE *to)
{
    fputs("txn(", to);
    for (size_t i = 0; i < n; i++) {
        fputs(i ? ", " : "", to);
        put_part(w, &accesses[i], answered, to);
    }
    fputc(')', to);
}

/* An operation of an object; the methods are those of `assay list objects`. */
static void put_call(const struct workload *w, const assay_access *a, unsigned keys, bool answered, FILE *to)
{
    bool memory = strcmp(w->object, "memory") == 0;
    if (!memory && !w->whole && keys > 1)
        fprintf(to, "%s%" PRIu64 ".", w->variable, a->key);
    switch (a->action) {
    case ASSAY_ACTION_READ:
        if (memory)
            fprintf(to, "read(%s%" PRIu64 ")", w->variable, a->key);
        else
            fputs("get()", to);
        if (answered)
            fprintf(to, " => %" PRId64, a->found ? a->answer : w->initial);
        break;
    case ASSAY_ACTION_WRITE: fprintf(to, "write(%s%" PRIu64 ", %" PRId64 ")", w->variable, a->key, a->value); break;
    case ASSAY_ACTION_ADD: fprintf(to, "add(%" PRId64 ")", a->value); break;
    case ASSAY_ACTION_TRANSFER:
        fprintf(to, "transfer(%" PRIu64 ", %" PRIu64 ", %" PRId64 ")", a->key, a->to, a->value);
        if (answered)
            fputs(a->found ? " => ok" : " => refused", to);
        break;
    case ASSAY_ACTION_ELEMENTS:
        fputs("elements()", to);
        if (answered) {
            fputs(" => ", to);
            put_list(a, to);
        }
        break;
    case ASSAY_ACTION_INSERT: fprintf(to, "add(%" PRId64 ")", a->value); break;
    case ASSAY_ACTION_ENQUEUE: fprintf(to, "enq(%" PRId64 ")", a->value); break;
    case ASSAY_ACTION_DEQUEUE:
        fputs("deq()", to);
        if (answered && a->found)
            fprintf(to, " => %" PRId64, a->answer);
        else if (answered)
            fputs(" => empty", to);
        break;
    default: /* lists have transactions only */ break;
    }
}

static void put_balances(const assay_access *accesses, size_t n, bool answered, FILE *to)
{
    fputs("balances()", to);
    for (size_t i = 0; answered && i < n; i++) /* an account that is gone has nothing */
        fprintf(to, "%s%" PRId64, i ? " " : " => [", accesses[i].found ? accesses[i].answer : 0);
    fputs(answered ? "]" : "", to);
}

void workload_operation(const struct workload *w, const assay_access *accesses, size_t n, unsigned keys, bool answered,
                        FILE *to)
{
    if (w->transactions)
        put_transaction(w, accesses, n, answered, to);
    else if (w->whole && accesses[0].action == ASSAY_ACTION_READ)
        put_balances(accesses, n, answered, to);
    else
        put_call(w, &accesses[0], keys, answered, to);
}
