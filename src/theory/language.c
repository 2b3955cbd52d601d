/* SPDX-License-Identifier: Apache-2.0 */
#include "theory/language.h"

#include "spec/spec.h"

#include <string.h>

const char *const theory_roles[] = {"adds", "removes", "sees", "misses", "swaps", NULL};
const char *const theory_predicates[] = {NULL, "before", "match", "less", "same", NULL};
const char *const theory_outcomes[] = {
    [OUTCOME_RETURNED] = NULL, [OUTCOME_NONE] = "nothing", [OUTCOME_EMPTY] = "empty", [OUTCOME_TRUE] = "true",
    [OUTCOME_FALSE] = "false", [OUTCOME_NULL] = "null",    [OUTCOME_NEVER] = "?"};
const char *const theory_initials[] = {"nothing", "sequence", "values", "one", NULL};
const char *const theory_bounds[] = {NULL, "room", "full", "held", NULL};

static const char *const variables[] = {"x", "y", "z", "w"};

/* ---- labels ---- */

static const assay_method *method_of(const assay_spec *spec, unsigned id)
{
    const assay_method *m = spec->methods;
    while (m->name && m->id != id)
        m++;
    return m;
}

static void write_roles(unsigned roles, const char *between, const char *value, struct text *out)
{
    const char *before = "";
    for (unsigned bit = 0; theory_roles[bit]; bit++)
        if (roles & 1u << bit) {
            text_printf(out, "%s%s%s", before, theory_roles[bit], value);
            before = between;
        }
}

static void write_label(const struct theory_label *l, const assay_spec *spec, struct text *out)
{
    const assay_method *m = method_of(spec, l->method);
    const char *said = theory_outcomes[l->outcome];
    bool result = l->value == VALUE_RESULT;
    text_printf(out, "call %s(%s)", m->name, m->arity ? "v" : "");
    if (said)
        text_printf(out, " => %s", said);
    else if (result)
        text_puts(out, " => r");
    text_puts(out, ": ");
    write_roles(l->roles, ", ", l->value == VALUE_ARGUMENT ? " v" : !result ? "" : said ? " ?" : " r", out);
    text_char(out, '\n');
}

/* ---- axioms ---- */

static void write_atoms(const struct theory_atom *a, const char *between, struct text *out)
{
    for (int i = 0; i < THEORY_ATOMS && a[i].predicate; i++) {
        const char *x = variables[a[i].x], *y = variables[a[i].y];
        text_puts(out, i ? between : " ");
        if (a[i].predicate == OTHER)
            text_printf(out, "%s != %s", x, y);
        else
            text_printf(out, "%s(%s, %s)", theory_predicates[a[i].predicate], x, y);
    }
}

static void write_axiom(const struct theory_axiom *a, struct text *out)
{
    text_printf(out, "\naxiom %s%s \"%s\"\n  for all", a->name, a->tagged ? " tagged" : "", a->says);
    for (int i = 0; i < THEORY_VARIABLES && a->forall[i]; i++) {
        text_printf(out, "%s %s ", i ? "," : "", variables[i]);
        write_roles(a->forall[i], " or ", "", out);
    }
    if (a->given[0].predicate) {
        text_puts(out, "\n  given");
        write_atoms(a->given, ", ", out);
    }
    if (a->then[0].predicate) {
        text_puts(out, "\n  then");
        write_atoms(a->then, " or ", out);
    }
    if (a->exists) {
        text_printf(out, "\n  some %s ", variables[W]);
        write_roles(a->exists, " or ", "", out);
        text_puts(out, " with");
        write_atoms(a->such, ", ", out);
    }
    if (a->bound)
        text_printf(out, "\n  %s", theory_bounds[a->bound]);
    if (!a->then[0].predicate && !a->exists && !a->bound)
        text_puts(out, "\n  never");
    text_char(out, '\n');
}

void theory_write(const struct theory *t, const assay_spec *spec, struct text *out)
{
    text_printf(out, "theory %s\n", t->name);
    if (t->interval)
        text_puts(out, "order intervals\n");
    if (t->by_value)
        text_puts(out, "values apart\n");
    if (t->overwrites)
        text_puts(out, "values overwritten\n");
    if (t->initial)
        text_printf(out, "initially %s\n", theory_initials[t->initial]);
    text_char(out, '\n');
    for (const struct theory_label *l = t->labels; l->roles; l++)
        write_label(l, spec, out);
    for (const struct theory_axiom *const *a = t->axioms; *a; a++)
        write_axiom(*a, out);
}

/* ---- which kind it is ---- */

static bool same_atoms(const struct theory_atom *a, const struct theory_atom *b)
{
    for (int i = 0; i < THEORY_ATOMS; i++)
        if (a[i].predicate != b[i].predicate || (a[i].predicate && (a[i].x != b[i].x || a[i].y != b[i].y)))
            return false;
    return true;
}

/* Do they say the same? Names and sentences aside. */
static bool same_axiom(const struct theory_axiom *a, const struct theory_axiom *b)
{
    return memcmp(a->forall, b->forall, sizeof a->forall) == 0 && same_atoms(a->given, b->given) &&
           same_atoms(a->then, b->then) && a->exists == b->exists && same_atoms(a->such, b->such) &&
           a->bound == b->bound && a->tagged == b->tagged;
}

static bool has_axiom(const struct theory *t, const struct theory_axiom *a)
{
    for (const struct theory_axiom *const *b = t->axioms; *b; b++)
        if (same_axiom(a, *b))
            return true;
    return false;
}

static bool has_axioms(const struct theory *t, const struct theory *of)
{
    for (const struct theory_axiom *const *a = of->axioms; *a; a++)
        if (!has_axiom(t, *a))
            return false;
    return true;
}

static bool same_labels(const struct theory_label *a, const struct theory_label *b)
{
    for (; a->roles || b->roles; a++, b++)
        if (a->method != b->method || a->outcome != b->outcome || a->roles != b->roles || a->value != b->value)
            return false;
    return true;
}

/* The built-in theory that it is equal to, names aside; or NULL. */
static const struct theory *built_in(const struct theory *t)
{
    for (size_t i = 0; theory_table[i]; i++) {
        const struct theory *of = theory_table[i];
        bool kind = strcmp(of->name, t->name) == 0 && of->overwrites == t->overwrites && of->interval == t->interval &&
                    of->by_value == t->by_value && of->initial == t->initial;
        if (kind && same_labels(of->labels, t->labels) && has_axioms(of, t) && has_axioms(t, of))
            return of;
    }
    return NULL;
}

bool theory_is_built_in(const struct theory *t)
{
    return built_in(t);
}

bool theory_is_matched(const struct theory *t)
{
    const struct theory *of = built_in(t);
    return of && !of->ambiguous;
}
