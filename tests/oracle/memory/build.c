/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/memory/build.h"

#include "oracle/memory/history.h"

#include <assay.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

/* The same history built by calls; NULL where a value is a string, for which the text is enough */
static bool plain_value(int v, assay_value *out)
{
    const char *text = v < FRESH ? values[v][0] : NULL;
    if (!text)
        *out = assay_int(v);
    else if (*text == '-' || (*text >= '0' && *text <= '9'))
        *out = assay_int(strtoll(text, NULL, 10));
    else
        *out = assay_word(text);
    return !text || *text != '"';
}

static bool add_call(assay_history *a, const struct history *h, const struct op *o, assay_error *e)
{
    static const char *const methods[] = {"read", "write", "rmw", "fence"};
    char thread[16], name[16];
    snprintf(thread, sizeof thread, "t%d", o->thread);
    snprintf(name, sizeof name, "w%d", h->vars[o->var].name);
    assay_value args[3] = {assay_word(name)}, result = {0};
    bool ok = (!reads(o) || plain_value(o->old, o->kind == RMW ? &args[1] : &result)) &&
              (!writes(o) || plain_value(o->val, &args[o->kind == RMW ? 2 : 1]));
    assay_operation op = {.thread = thread, .method = methods[o->kind], .args = args, .pending = o->pending};
    op.arg_count = o->kind == FENCE ? 0 : o->kind == READ ? 1 : o->kind == WRITE ? 2 : 3;
    op.result = o->pending ? (assay_value){0} : result;
    return ok && assay_history_add(a, &op, e) != ASSAY_NO_OPERATION;
}

static bool set_value(assay_history *a, const char *key, const struct var *v, int value, assay_error *e)
{
    char text[80];
    if (value >= FRESH)
        snprintf(text, sizeof text, "w%d=%d", v->name, value);
    else
        snprintf(text, sizeof text, "w%d=%s", v->name, values[value][0]);
    return assay_history_set(a, key, text, e);
}

assay_history *build(const struct history *h, assay_error *e)
{
    assay_history *a = assay_history_new();
    bool ok = a && !h->vars[0].object && !h->knows; /* calls have no `@ after` */
    for (int v = 0; ok && v < h->var_count; v++) {
        ok = set_value(a, "init", &h->vars[v], h->vars[v].init, e);
        if (ok && h->vars[v].final != NOTHING)
            ok = set_value(a, "final", &h->vars[v], h->vars[v].final, e);
    }
    for (int i = 0; ok && i < h->n; i++)
        ok = add_call(a, h, &h->ops[i], e);
    if (ok)
        return a;
    assay_history_free(a);
    return NULL;
}
