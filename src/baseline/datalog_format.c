/* SPDX-License-Identifier: Apache-2.0 */
/* The logic program of one or more histories, for `clingo` and for people. The rules come first, then the facts of each
 * history, with its operations listed in comments. Several histories written one after another make one program. */
#include "baseline/datalog_program.h"
#include "format/format.h"
#include "history/token.h"
#include "memory/rw.h"

#include <string.h>

static unsigned rules_of(const char *variant)
{
    if (!variant)
        return DATALOG_CC | DATALOG_CCV | DATALOG_CM_2;
    unsigned part = datalog_part(variant, strlen(variant));
    return part & (DATALOG_CCV | DATALOG_CM_1 | DATALOG_CM_2) ? part | DATALOG_CC : part; /* they presuppose cc */
}

static void need_unique_values(const history *h, const struct rw *v, assay_error *e)
{
    if (v->twice[1] == ID_NONE)
        return;
    if (v->twice[0] == ID_NONE)
        history_fault(h, v->twice[1], e, ASSAY_ERROR_NOT_APPLICABLE,
                      "this operation writes the variable's initial value");
    else
        history_fault(h, v->twice[1], e, ASSAY_ERROR_NOT_APPLICABLE,
                      "operations %u and %u write the same value to the same variable", v->twice[0], v->twice[1]);
    error_remedy(e, "datalog needs to know who read from whom: each write of a variable its own value");
    escape_raise(ESCAPE_ERROR);
}

/* `% 3 = t0: write(x, 1)` for each operation that takes part. */
static void list_operations(const struct rw *v, const history *h, struct text *out)
{
    for (uint32_t e = 0; e < v->n; e++) {
        if (!(v->kind[e] & (RW_READS | RW_WRITES)))
            continue;
        text_printf(out, "%% %u = ", v->op[e]);
        token_print_op(out, h, v->op[e]);
        text_char(out, '\n');
    }
}

static void write_program(const history *h, const struct writing *w)
{
    format_needs_memory(h, w, "datalog");
    const struct rw *v = rw_view(h, false, w->mem);
    need_unique_values(h, v, w->e);
    struct text text = text_in(w->mem);
    if (w->index == 0)
        datalog_rules(rules_of(w->variant), &text);
    text_printf(&text, "\n%% ---- history %u ----\n", w->index);
    list_operations(v, h, &text);
    datalog_facts(v, rules_of(w->variant), w->index, &text);
    fwrite(text.at, 1, text.n, w->out);
}

const struct format format_datalog = {
    .name = "datalog",
    .title = "logic program of the weaker models, for clingo (write only)",
    .extensions = (const char *const[]){".lp", NULL},
    .variants = (const char *const[]){"cc", "ccv", "cm_1", "cm_2", "ccm", "wsc", "wccm", "wtso", NULL},
    .write = write_program,
};
