/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a theory of the user's own (language.h, docs/guides/theories.md). There is a scanner of words and signs, and
 * one function for each kind of statement. At the end come the conditions without which a checker would be wrong. */
#include "theory/language.h"

#include "base/error.h"
#include "spec/roles.h"
#include "spec/spec.h"

#include <string.h>

enum { MOST_LABELS = 64, MOST_AXIOMS = 32, MOST_METHODS = 32, MOST_NAME = 40 };

struct place {
    uint32_t line, column;
};

struct reader {
    const char *file, *at, *end;
    struct place here;  /* of `at` */
    struct place token; /* of the word that was read last */
    char word[MOST_NAME + 1];
    struct mem *mem;
    assay_error *error;
    struct own_theory *own;
    struct theory_label *labels;
    struct place label_place[MOST_LABELS];
    uint32_t label_n;
    assay_method *methods;
    uint32_t method_n;
    struct theory_axiom **axioms;
    struct place axiom_place[MOST_AXIOMS];
    uint32_t axiom_n;
    char variable[THEORY_VARIABLES + 1][MOST_NAME + 1]; /* of the axiom that is read; "": none */
};

/* ---- faults ---- */

#define FAULT(r, place, remedy, ...)                                                                                   \
    do {                                                                                                               \
        error_set((r)->error, ASSAY_ERROR_INPUT, __VA_ARGS__);                                                         \
        fault(r, place, remedy);                                                                                       \
    } while (0)

static _Noreturn void fault(struct reader *r, struct place p, const char *remedy)
{
    error_place(r->error, r->file, p.line, p.column);
    error_remedy(r->error, "%s", remedy);
    escape_raise(ESCAPE_ERROR);
}

/* ---- words and signs ---- */

static void step(struct reader *r)
{
    bool line = *r->at++ == '\n';
    r->here = line ? (struct place){r->here.line + 1, 1} : (struct place){r->here.line, r->here.column + 1};
}

static void skip(struct reader *r)
{
    while (r->at < r->end && strchr(" \t\r\n#", *r->at))
        if (*r->at == '#')
            while (r->at < r->end && *r->at != '\n')
                step(r);
        else
            step(r);
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/* The next word, or ""; it stays. */
static const char *peek(struct reader *r)
{
    size_t n = 0;
    skip(r);
    while (r->at + n < r->end && is_letter(r->at[n]) && n < MOST_NAME)
        n++;
    memcpy(r->word, r->at, n);
    r->word[n] = '\0';
    r->token = r->here;
    return r->word;
}

static void take_word(struct reader *r)
{
    for (size_t n = strlen(r->word); n; n--)
        step(r);
}

static bool try_word(struct reader *r, const char *word)
{
    if (strcmp(peek(r), word) != 0)
        return false;
    take_word(r);
    return true;
}

static bool try_sign(struct reader *r, const char *sign)
{
    size_t n = strlen(sign);
    skip(r);
    r->token = r->here;
    if ((size_t)(r->end - r->at) < n || memcmp(r->at, sign, n) != 0)
        return false;
    while (n--)
        step(r);
    return true;
}

static void expect_sign(struct reader *r, const char *sign, const char *remedy)
{
    if (!try_sign(r, sign))
        FAULT(r, r->here, remedy, "expected `%s`", sign);
}

static void expect_word(struct reader *r, const char *word, const char *remedy)
{
    if (!try_word(r, word))
        FAULT(r, r->here, remedy, "expected `%s`", word);
}

/* A name, which stands in r->word. */
static const char *expect_name(struct reader *r, const char *remedy)
{
    if (!peek(r)[0])
        FAULT(r, r->here, remedy, "expected a name");
    if (strlen(r->word) == MOST_NAME)
        FAULT(r, r->token, "names have fewer than 40 letters", "this name is too long");
    take_word(r);
    return r->word;
}

/* Which of the words comes next? -1: none. */
static int try_words(struct reader *r, const char *const *words, int n)
{
    peek(r);
    for (int i = 0; i < n; i++)
        if (words[i] && strcmp(words[i], r->word) == 0) {
            take_word(r);
            return i;
        }
    return -1;
}

static char *expect_text(struct reader *r)
{
    static const char *const remedy = "an axiom has its reason in quotes: axiom fifo \"first in, first out\"";
    expect_sign(r, "\"", remedy);
    const char *from = r->at;
    while (r->at < r->end && *r->at != '"' && *r->at != '\n')
        step(r);
    if (r->at == r->end || *r->at != '"')
        FAULT(r, r->here, remedy, "the text does not end");
    char *text = mem_text(r->mem, from, (size_t)(r->at - from));
    step(r);
    return text;
}

/* ---- labels ---- */

enum { ROLES = 5, OUTCOMES = OUTCOME_NEVER + 1 };

static const char ROLE_REMEDY[] = "roles are adds, removes, sees, misses and swaps";

static unsigned expect_role(struct reader *r)
{
    int role = try_words(r, theory_roles, ROLES);
    if (role < 0)
        FAULT(r, r->token, ROLE_REMEDY, "expected a role");
    return 1u << role;
}

static unsigned method_id(struct reader *r, const char *name, bool argument)
{
    const assay_method *m = r->own->like ? r->own->like->methods : r->methods;
    while (m->name && strcmp(m->name, name) != 0)
        m++;
    if (m->name && !method_takes(m, argument))
        FAULT(r, r->token, "a call has one argument or none, always as many", "%s takes %s argument", name,
              argument ? "no" : "an");
    if (m->name)
        return m->id;
    if (r->own->like)
        FAULT(r, r->token, "`assay list objects` shows its calls; a new object has a name of its own",
              "the object %s has no method '%s'", r->own->like->name, name);
    if (r->method_n == MOST_METHODS)
        FAULT(r, r->token, "an object has at most 32", "too many methods");
    struct text signature = text_in(r->mem);
    text_printf(&signature, "%s(%s)", name, argument ? "value" : "");
    r->methods[r->method_n] = (assay_method){mem_text(r->mem, name, strlen(name)),
                                             text_get(&signature),
                                             (unsigned char)r->method_n,
                                             argument,
                                             ASSAY_NO_KEY,
                                             ASSAY_RESULT_NONE};
    return r->method_n++;
}

/* Results are needed as soon as a label tells them apart. */
static void note_result(struct reader *r, unsigned method, bool named, enum theory_outcome outcome)
{
    if (r->own->like)
        return;
    assay_method *m = &r->methods[method];
    bool tells = named || (outcome != OUTCOME_RETURNED && outcome != OUTCOME_NEVER && outcome != OUTCOME_NONE);
    bool silent = outcome == OUTCOME_NONE || (outcome == OUTCOME_RETURNED && !named);
    if (tells)
        m->result = m->result == ASSAY_RESULT_OPTIONAL || (silent && m->result == ASSAY_RESULT_NONE)
                        ? ASSAY_RESULT_OPTIONAL
                        : ASSAY_RESULT_REQUIRED;
    if (silent && m->result == ASSAY_RESULT_REQUIRED)
        m->result = ASSAY_RESULT_OPTIONAL;
}

/* The value that a role speaks of: the name of the argument, of the result, or `?`, a result that is not known. */
static enum theory_value read_value(struct reader *r, const char *argument, const char *result)
{
    if (try_sign(r, "?"))
        return VALUE_RESULT;
    if (argument[0] && try_word(r, argument))
        return VALUE_ARGUMENT;
    return result[0] && try_word(r, result) ? VALUE_RESULT : VALUE_NONE;
}

static void read_call(struct reader *r)
{
    static const char remedy[] = "a call reads `call deq() => v: removes v`";
    struct theory_label l = {.outcome = OUTCOME_RETURNED};
    char name[MOST_NAME + 1], argument[MOST_NAME + 1] = "", result[MOST_NAME + 1] = "";
    struct place place = r->token;
    if (r->label_n + 1 == MOST_LABELS)
        FAULT(r, place, "a theory has at most 63", "too many calls");
    strcpy(name, expect_name(r, remedy));
    struct place named = r->token;
    expect_sign(r, "(", remedy);
    if (!try_sign(r, ")")) {
        strcpy(argument, expect_name(r, remedy));
        expect_sign(r, ")", "a call has one argument or none");
    }
    if (try_sign(r, "=>")) {
        int outcome = try_sign(r, "?") ? (int)OUTCOME_NEVER : try_words(r, theory_outcomes, OUTCOMES);
        if (outcome < 0)
            strcpy(result, expect_name(r, remedy));
        else
            l.outcome = (enum theory_outcome)outcome;
    }
    expect_sign(r, ":", remedy);
    r->token = named;
    l.method = method_id(r, name, argument[0]);
    bool first = true;
    do {
        l.roles |= expect_role(r);
        enum theory_value value = read_value(r, argument, result);
        if (!first && value != l.value)
            FAULT(r, r->token, "all roles of a call speak of the same value", "this role speaks of another value");
        l.value = value;
        first = false;
    } while (try_sign(r, ","));
    for (uint32_t i = 0; i < r->label_n; i++)
        if (r->labels[i].method == l.method && r->labels[i].outcome == l.outcome)
            FAULT(r, place, "give all roles in one line: `call add(v) => true: adds v, misses v`",
                  "this outcome of %s has roles already", name);
    note_result(r, l.method, result[0], l.outcome);
    r->label_place[r->label_n] = place;
    r->labels[r->label_n++] = l;
}

/* ---- axioms ---- */

static enum theory_variable expect_variable(struct reader *r)
{
    static const char remedy[] = "variables are named behind `for all` and `some`";
    expect_name(r, remedy);
    for (int i = 0; i <= THEORY_VARIABLES; i++)
        if (r->variable[i][0] && strcmp(r->variable[i], r->word) == 0)
            return (enum theory_variable)i;
    FAULT(r, r->token, remedy, "the axiom has no variable '%s'", r->word);
}

static unsigned new_variable(struct reader *r, int v)
{
    expect_name(r, "a variable and its role read `x adds`");
    for (int i = 0; i <= THEORY_VARIABLES; i++)
        if (strcmp(r->variable[i], r->word) == 0)
            FAULT(r, r->token, "give it another name", "the axiom has a variable '%s' already", r->word);
    strcpy(r->variable[v], r->word);
    unsigned roles = expect_role(r);
    while (try_word(r, "or"))
        roles |= expect_role(r);
    return roles;
}

static struct theory_atom read_atom(struct reader *r)
{
    static const char remedy[] = "atoms are before(x, y), match(x, y), less(x, y), same(x, y) and x != y";
    struct theory_atom a;
    int predicate = try_words(r, theory_predicates, OTHER);
    a.predicate = predicate < 0 ? OTHER : (enum theory_predicate)predicate;
    if (predicate >= 0)
        expect_sign(r, "(", remedy);
    a.x = expect_variable(r);
    expect_sign(r, predicate < 0 ? "!=" : ",", remedy);
    a.y = expect_variable(r);
    if (predicate >= 0)
        expect_sign(r, ")", remedy);
    return a;
}

static bool try_between(struct reader *r, bool by_or)
{
    return by_or ? try_word(r, "or") : try_sign(r, ",");
}

static void read_atoms(struct reader *r, struct theory_atom out[THEORY_ATOMS], bool by_or)
{
    int n = 0;
    if (out[0].predicate)
        FAULT(r, r->token, "put all atoms into one list", "the axiom has this part already");
    do {
        if (n == THEORY_ATOMS)
            FAULT(r, r->here, "a list has at most 4: split the axiom", "too many atoms");
        out[n++] = read_atom(r);
    } while (try_between(r, by_or));
}

static void read_forall(struct reader *r, struct theory_axiom *a)
{
    int n = 0;
    expect_word(r, "all", "an axiom begins `for all x adds`");
    do {
        if (n == THEORY_VARIABLES)
            FAULT(r, r->here, "an axiom has at most 3 variables", "too many variables");
        a->forall[n] = new_variable(r, n);
        n++;
    } while (try_sign(r, ","));
}

/* The atom that names the match of a finder comes first. */
static void put_match_first(struct theory_axiom *a)
{
    for (int i = 1; i < THEORY_ATOMS; i++)
        if (a->such[i].predicate == MATCH && a->such[i].x == W && a->such[0].predicate != MATCH) {
            struct theory_atom first = a->such[0];
            a->such[0] = a->such[i];
            a->such[i] = first;
        }
}

static bool read_clause(struct reader *r, struct theory_axiom *a)
{
    if (try_word(r, "given")) {
        read_atoms(r, a->given, false);
    } else if (try_word(r, "then")) {
        read_atoms(r, a->then, true);
    } else if (try_word(r, "some")) {
        a->exists = new_variable(r, W);
        expect_word(r, "with", "a witness reads `some w adds with match(w, x), before(w, x)`");
        read_atoms(r, a->such, false);
        put_match_first(a);
    } else {
        int bound = try_words(r, theory_bounds, BOUND_HELD + 1);
        if (bound > 0)
            a->bound = (enum theory_bound)bound;
        return bound > 0 || try_word(r, "never");
    }
    return true;
}

static void read_axiom(struct reader *r)
{
    struct place place = r->token;
    struct theory_axiom *a = mem_new_zero(r->mem, struct theory_axiom, 1);
    memset(r->variable, 0, sizeof r->variable);
    if (r->axiom_n + 1 == MOST_AXIOMS)
        FAULT(r, place, "a theory has at most 31", "too many axioms");
    expect_name(r, "an axiom has a name: axiom fifo \"first in, first out\"");
    a->name = mem_text(r->mem, r->word, strlen(r->word));
    a->tagged = try_word(r, "tagged");
    a->says = expect_text(r);
    expect_word(r, "for", "an axiom begins `for all x adds`");
    read_forall(r, a);
    bool more = read_clause(r, a);
    if (!more)
        FAULT(r, r->token, "given, then, some, never, room, full or held",
              "expected what the axiom says of its variables");
    while (more)
        more = read_clause(r, a);
    r->axiom_place[r->axiom_n] = place;
    r->axioms[r->axiom_n++] = a;
}

/* ---- conditions ---- */

static unsigned roles_of(const struct theory_axiom *a, enum theory_variable v)
{
    return v == W ? a->exists : a->forall[v];
}

/* May a call that never returned have the role, with a value that is not known? */
static bool unknown_value(const struct reader *r, unsigned roles)
{
    for (uint32_t i = 0; i < r->label_n; i++)
        if (r->labels[i].value == VALUE_RESULT && r->labels[i].outcome == OUTCOME_NEVER && (r->labels[i].roles & roles))
            return true;
    return false;
}

static void check_atoms(struct reader *r, const struct theory_axiom *a, const struct theory_atom *atoms, struct place p)
{
    unsigned matched = theory_matched(&r->own->theory, true) | ROLE_SWAP;
    for (int i = 0; i < THEORY_ATOMS && atoms[i].predicate; i++) {
        enum theory_predicate predicate = atoms[i].predicate;
        unsigned x = roles_of(a, atoms[i].x), y = roles_of(a, atoms[i].y);
        if (predicate == MATCH && (x & ~(unsigned)(ROLE_ADD | ROLE_SWAP)))
            FAULT(r, p, "the first of match(x, y) added the value that the second found",
                  "axiom %s: the first of a match must add", a->name);
        if (predicate == MATCH && (y & ~matched))
            FAULT(r, p, "add an axiom: for all y removes some w adds with match(w, y), before(w, y)",
                  "axiom %s: no axiom says that the second of this match finds something", a->name);
        if ((predicate == LESS || predicate == SAME) && unknown_value(r, x | y))
            FAULT(r, p, "compare values of arguments only, or leave out its line `=> ?`",
                  "axiom %s: the value of a call that never returned is unknown", a->name);
    }
}

/* A checker judges each return. So a witness must have been called by then: it comes before one of the others, or (of
 * intervals) is their match. */
static bool comes_in_time(const struct theory *t, const struct theory_axiom *a)
{
    for (int i = 0; i < THEORY_ATOMS && a->such[i].predicate; i++)
        if (a->such[i].x == W && (a->such[i].predicate == BEFORE || (t->interval && a->such[i].predicate == MATCH)))
            return true;
    return false;
}

static bool speaks_of_witness(const struct theory_atom *atoms)
{
    for (int i = 0; i < THEORY_ATOMS && atoms[i].predicate; i++)
        if (atoms[i].x == W || atoms[i].y == W)
            return true;
    return false;
}

static void check_axiom(struct reader *r, const struct theory_axiom *a, struct place p)
{
    check_atoms(r, a, a->given, p);
    check_atoms(r, a, a->then, p);
    check_atoms(r, a, a->such, p);
    if (speaks_of_witness(a->given) || speaks_of_witness(a->then))
        FAULT(r, p, "only the atoms behind `with` speak of it", "axiom %s: `given` or `then` names the witness",
              a->name);
    if (a->exists && !comes_in_time(&r->own->theory, a))
        FAULT(r, p, "add before(w, x): the future is unknown when a call returns",
              "axiom %s: the witness may be called later", a->name);
    if (a->bound && (a->exists || a->given[0].predicate || a->then[0].predicate || a->forall[1]))
        FAULT(r, p, "room, full and held speak of one variable alone", "axiom %s: a bound and other parts", a->name);
}

static void check_theory(struct reader *r)
{
    struct place end = r->here;
    if (!r->label_n)
        FAULT(r, end, "add lines such as `call deq() => v: removes v`", "the theory has no calls");
    if (!r->axiom_n)
        FAULT(r, end, "add axioms: docs/guides/theories.md", "the theory has no axioms");
    for (uint32_t i = 0; i < r->label_n; i++)
        if (r->own->theory.by_value && r->labels[i].value != VALUE_ARGUMENT)
            FAULT(r, r->label_place[i], "leave out `values apart`", "values are apart only if all are arguments");
    for (uint32_t i = 0; i < r->axiom_n; i++)
        check_axiom(r, r->axioms[i], r->axiom_place[i]);
}

/* ---- the whole ---- */

static void read_statement(struct reader *r)
{
    struct theory *t = &r->own->theory;
    static const char remedy[] = "statements begin with order, values, initially, call or axiom";
    if (try_word(r, "call")) {
        read_call(r);
    } else if (try_word(r, "axiom")) {
        read_axiom(r);
    } else if (try_word(r, "order")) {
        expect_word(r, "intervals", "the order is total unless the theory says `order intervals`");
        t->interval = true;
    } else if (try_word(r, "values")) {
        t->by_value = try_word(r, "apart");
        if (!t->by_value)
            expect_word(r, "overwritten", "values are apart, or overwritten");
        t->overwrites |= !t->by_value;
    } else if (try_word(r, "initially")) {
        int initial = try_words(r, theory_initials, INITIAL_ONE + 1);
        if (initial < 0)
            FAULT(r, r->token, "initially nothing, sequence, values or one", "expected the initial values");
        t->initial = (enum theory_initial)initial;
    } else {
        FAULT(r, r->here, remedy, "this is no statement");
    }
}

/* The marker of these objects. A new object takes a parameter, the n of its bounds, and the initial values that its
 * theory has. */
static const char *refuse(const assay_setting *s)
{
    (void)s;
    return NULL;
}

const struct own_theory *theory_of_spec(const assay_spec *spec)
{
    return spec->refuse == refuse ? (const struct own_theory *)(const void *)spec : NULL;
}

struct own_theory *theory_read(const char *file, const char *text, size_t n, struct mem *m, assay_error *e)
{
    struct reader r = {.file = file, .at = text, .end = text + n, .here = {1, 1}, .mem = m, .error = e};
    r.own = mem_new_zero(m, struct own_theory, 1);
    r.labels = mem_new_zero(m, struct theory_label, MOST_LABELS);
    r.methods = mem_new_zero(m, assay_method, MOST_METHODS + 1);
    r.axioms = mem_new_zero(m, struct theory_axiom *, MOST_AXIOMS);
    expect_word(&r, "theory", "a theory begins with its object: theory queue");
    expect_name(&r, "a theory begins with its object: theory queue");
    const char *name = mem_text(m, r.word, strlen(r.word));
    r.own->like = spec_find(name, strlen(name));
    r.own->theory = (struct theory){.name = name,
                                    .labels = r.labels,
                                    .axioms = (const struct theory_axiom *const *)(const void *)r.axioms,
                                    .ambiguous = true};
    for (skip(&r); r.at < r.end; skip(&r))
        read_statement(&r);
    check_theory(&r);
    r.own->theory.ambiguous = !theory_is_matched(&r.own->theory);
    r.own->spec = (assay_spec){.version = ASSAY_SPEC_VERSION,
                               .name = name,
                               .title = "a theory of the user's own",
                               .methods = r.own->like ? r.own->like->methods : r.methods,
                               .refuse = refuse};
    return r.own;
}
