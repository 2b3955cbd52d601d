/* SPDX-License-Identifier: Apache-2.0 */
/* The start of a look: the initial values of the window, and the reads that have no write in it. Reads choose among the
 * candidates of carried values, and call unread transactions back. */
#include "history/token.h"
#include "monitor/look.h"
#include "monitor/monitor.h"
#include "monitor/window.h"

#include <inttypes.h>

/* ---- carried values ---- */

static _Noreturn void raise_at(struct isolation *x, uint32_t op)
{
    error_place(&x->fault, x->m->file, history_line(x->h, op), history_column(x->h, op));
    escape_raise(ESCAPE_ERROR);
}

/* A variable that forgotten transactions used as a register or as a list is one. */
static void check_kind(struct isolation *x, const struct carried_key *k, uint32_t op, uint32_t i)
{
    const history *h = x->h;
    struct value v = history_arg(h, op, 3 * i + 2);
    bool reads = history_arg(h, op, 3 * i).bits == names_find(&h->names, "r", 1);
    bool list = reads ? v.kind == ASSAY_LIST : history_arg(h, op, 3 * i).bits == names_find(&h->names, "append", 6);
    if (!k->line || list == k->list || (reads && v.kind == ASSAY_NONE))
        return;
    error_set(&x->fault, ASSAY_ERROR_INPUT, "access %u uses a variable as a %s that is a %s in line %" PRIu64, i + 1,
              list ? "list" : "register", k->list ? "list" : "register", k->line);
    error_remedy(&x->fault, "a variable is written and read, or appended to and read as a list, not both");
    raise_at(x, op);
}

/* The carried variables of the window. */
static void find_carried(struct look *l)
{
    struct isolation *x = l->x;
    const history *h = x->h;
    for (uint32_t op = 0; x->carried.keys.n && op < h->n; op++)
        for (uint32_t i = 0; i < window_accesses(h, op); i++) {
            uint32_t id = value_id(&l->mem, &l->keys, window_key(h, op, i));
            if (id == l->carried.n) {
                struct carried_key *k = carried_find(&x->carried, h, window_key(h, op, i));
                vec_push(&l->mem, &l->carried, k && carried_any(k) ? k : NULL);
                vec_push(&l->mem, &l->key_values, window_key(h, op, i));
            }
            if (l->carried.at[id])
                check_kind(x, l->carried.at[id], op, i);
        }
}

static void read_unproved(struct isolation *x, uint32_t line)
{
    char why[160];
    snprintf(why, sizeof why,
             "a read (line %" PRIu32 ") chose among concurrent writers that had been forgotten together with others",
             line);
    monitor_weaken(x->m, &online_window, why, x->m->step);
}

/* The first read of a value that may be the last one says that it is; of a list it shows the order. */
static void choose(struct look *l)
{
    struct isolation *x = l->x;
    const history *h = x->h;
    for (uint32_t op = 0; l->carried.n && op < h->n; op++)
        for (uint32_t i = 0; l->reads.counts[op] && i < window_accesses(h, op); i++) {
            struct carried_key *k = l->carried.at[value_id_find(&l->keys, window_key(h, op, i))];
            struct value v = history_arg(h, op, 3 * i + 2);
            struct carried_shown shown = {0};
            if (!k || !reads_is_read(&l->reads, h->values_at[op] + 3 * i) || v.kind == ASSAY_NONE)
                continue;
            if (!k->list && k->n > 1)
                shown.unproved = !carried_choose(&x->carried, k, h, v);
            else if (carried_is_open(k) && v.kind == ASSAY_LIST)
                carried_show(&x->carried, k, h, h->lists.all.at[v.bits], NULL, NULL, &shown);
            if (shown.unproved)
                read_unproved(x, history_line(h, op));
        }
}

/* Each variable of the window has its carried value as initial value. The values are declared at each check, since a
 * choice may have changed one: the latest declaration counts. */
static void bind(struct look *l)
{
    struct isolation *x = l->x;
    struct text line = text_in(&l->mem);
    for (uint32_t i = 0; i < l->carried.n; i++) {
        const struct carried_key *k = l->carried.at[i];
        if (!k)
            continue;
        token_print(&line, x->h, l->key_values.at[i]);
        text_char(&line, '=');
        carried_print(k, &line);
        text_char(&line, ' ');
    }
    if (line.n && !history_header(x->h, "init", 4, line.at, line.n, 0, 0, &x->fault))
        escape_raise(ESCAPE_ERROR);
}

/* ---- unread transactions ---- */

/* An element of an unread transaction, among those of forgotten ones. */
struct late_element {
    struct isolation *x;
    struct value key;
};

static bool is_late(void *arg, struct value element)
{
    const struct late_element *l = arg;
    uint32_t write = unread_find(&l->x->unread, l->x->h, l->key, element);
    return write != ID_NONE && !unread_untouched(&l->x->unread, write, &l->x->carried);
}

static bool splice(struct isolation *x, const struct unresolved_read *r, uint32_t write)
{
    struct late_element late = {x, history_value(x->h, r->at - 1)};
    struct carried_key *k = carried_find(&x->carried, x->h, late.key);
    struct value v = history_value(x->h, r->at);
    struct carried_shown shown;
    if (v.kind != ASSAY_LIST || !k || !k->list || unread_untouched(&x->unread, write, &x->carried) ||
        !carried_show(&x->carried, k, x->h, x->h->lists.all.at[v.bits], is_late, &late, &shown) || !shown.lates)
        return false;
    x->unread.writes.at[write].back = true;
    window_read_too_late(x, history_line(x->unread.h, x->unread.writes.at[write].entry));
    return true;
}

/* Unknown transactions come back for reads that have no write in the window. */
static bool call_back(struct isolation *x, const struct reads *reads)
{
    bool back = false;
    for (uint32_t i = 0; i < reads->unresolved.n; i++) {
        const struct unresolved_read *r = &reads->unresolved.at[i];
        uint32_t write = reads->counts[r->op]
                             ? unread_find(&x->unread, x->h, history_value(x->h, r->at - 1), r->missing)
                             : ID_NONE;
        if (write == ID_NONE)
            continue;
        back = true;
        if (!splice(x, r, write))
            unread_want(&x->unread, write);
    }
    return back;
}

void look_start(struct look *l)
{
    struct isolation *x = l->x;
    do {
        if (x->unread.wanted.n)
            window_renew(x, NULL);
        reads_begin(&l->reads, x->h, &l->mem);
        l->keys = (struct value_ids){0};
        vec_clear(&l->carried);
        vec_clear(&l->key_values);
        find_carried(l);
        choose(l);
        bind(l);
        reads_resolve(&l->reads);
    } while (call_back(x, &l->reads));
}
