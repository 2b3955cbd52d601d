/* SPDX-License-Identifier: Apache-2.0 */
/* Which objects a history speaks of, and whether its operations are calls of theirs. */
#include "spec/spec.h"

#include "base/notation.h"
#include "base/text.h"
#include "history/token.h"
#include "spec/any_initial.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- kinds: a name, perhaps with a parameter ---- */

struct kind {
    const char *text;
    const assay_spec *spec;
    assay_value parameter;
};

/* `atomic-queue` and the like are other names. */
static const char *without_alias(const char *text)
{
    return strncmp(text, "atomic-", 7) == 0 ? text + 7 : text;
}

/* The parameter of "semaphore(3)" or "pqueue(min)"; there may be none. False: malformed. */
static bool parse_parameter(const char *text, struct mem *m, assay_value *out)
{
    const char *open = strchr(text, '(');
    *out = (assay_value){0};
    if (!open)
        return true;
    const char *from = open + 1, *to = text + strlen(text) - 1;
    if (to <= from || *to != ')' || to - from > 32)
        return false;
    if (notation_is_hex(from, to)) {
        uint32_t notation;
        *out = assay_int(0);
        return notation_read(from, to, &out->integer, &notation);
    }
    char *copy = mem_text(m, from, (size_t)(to - from)), *end;
    long long number = strtoll(copy, &end, 10);
    *out = *end ? assay_word(copy) : assay_int(number);
    return true;
}

/* `queue(3)` is the short name of `bounded-queue(3)`. */
static const assay_spec *spec_named(const char *text)
{
    return strncmp(text, "queue(", 6) == 0 ? &spec_bounded_queue : spec_find(text, strcspn(text, "("));
}

/* "queue", "semaphore(3)", "pqueue(min)". False: malformed, or no such object. */
static bool parse(const char *text, struct mem *m, struct kind *out)
{
    text = without_alias(text);
    *out = (struct kind){.text = text, .spec = spec_named(text)};
    return out->spec && parse_parameter(text, m, &out->parameter);
}

/* A specification of the user's own, with the parameter that `text`, if it names it, gives it. */
static struct kind own_kind(const assay_spec *spec, const char *text, struct mem *m)
{
    struct kind kind = {.text = spec->name, .spec = spec};
    size_t length = strlen(spec->name);
    if (text && strncmp(text, spec->name, length) == 0 && text[length] == '(' &&
        parse_parameter(text, m, &kind.parameter))
        kind.text = text;
    return kind;
}

static void unknown_kind(assay_error *e, assay_error_code code, const char *kind)
{
    char known[230] = "";
    for (size_t i = 0; spec_table[i]; i++)
        error_list(known, sizeof known, spec_table[i]->name);
    error_set(e, code, "this version knows no object '%s'", kind);
    error_remedy(e, "the objects are: %s", known);
}

/* ---- one object and its calls ---- */

struct fitting {
    const history *h;
    struct mem *m;
    struct objects *out;
    uint32_t valid;       /* so many operations are */
    assay_binding *init;  /* NULL: not yet gathered */
    struct idmap methods; /* object and name -> index in methods, or NOT_THERE */
    struct recent {       /* found there a short while ago */
        uint32_t object, name, at;
        bool is_there;
    } recent[8];
    VEC(assay_value) args; /* of the call at hand */
    bool words_known;      /* of transactions: */
    uint32_t word_read, word_write, word_append;
    assay_error *e;
};

enum { NOT_THERE = 0xFFFF };

static uint32_t look_up_new(struct fitting *f, uint32_t object, uint32_t name)
{
    uint32_t *at = idmap_at(f->m, &f->methods, (uint64_t)object << 32 | name);
    if (*at == ID_NONE) {
        const assay_method *methods = f->out->at[object].spec->methods, *m = methods;
        while (m->name && strcmp(m->name, history_text(f->h, name)) != 0)
            m++;
        *at = m->name ? (uint32_t)(m - methods) : NOT_THERE;
    }
    return *at;
}

static inline uint32_t look_up(struct fitting *f, uint32_t object, uint32_t name)
{
    struct recent *r = &f->recent[name % 8];
    if (!r->is_there || r->name != name || r->object != object)
        *r = (struct recent){object, name, look_up_new(f, object, name), true};
    return r->at;
}

/* Of all objects. */
static void unknown_to_all(const struct fitting *f, uint32_t op)
{
    const char *typed = history_text(f->h, f->h->method[op]), *near = NULL;
    for (size_t i = 0; spec_table[i]; i++)
        near = spec_nearer_method(spec_table[i], typed, near);
    *f->e = (assay_error){0};
    history_fault(f->h, op, f->e, ASSAY_ERROR_INPUT, "no object has a method '%s'", typed);
    error_remedy(f->e, "%s%s%s`assay list objects --json` shows the methods", near ? "did you mean " : "",
                 near ? near : "", near ? "? " : "");
}

static void unknown_method(struct fitting *f, uint32_t op, const assay_spec *s)
{
    uint32_t object = history_object_of(f->h, op);
    bool named = object != ID_NONE;
    history_fault(f->h, op, f->e, ASSAY_ERROR_INPUT, "the object %s%s%s has no method '%s'", s->name,
                  named ? " called " : "", named ? history_text(f->h, object) : "",
                  history_text(f->h, f->h->method[op]));
    const char *near = spec_nearer_method(s, history_text(f->h, f->h->method[op]), NULL);
    char list[200] = "";
    for (const assay_method *m = s->methods; m->name; m++)
        error_list(list, sizeof list, m->name);
    if (near)
        error_remedy(f->e, "did you mean %s? its methods are %s; -o names another object", near, list);
    else
        error_remedy(f->e, "its methods are %s; -o names another object", list);
}

static bool is_word(const history *h, uint32_t at, uint32_t name)
{
    return h->value_kind[at] == ASSAY_WORD && (uint32_t)h->value_bits[at] == name;
}

/* A transaction in its common form, to which there is no objection. Histories of transactions are long rows of values:
 * the columns tell this without a copy of each value for the specification. */
static bool is_plain_transaction(struct fitting *f, uint32_t op)
{
    const history *h = f->h;
    uint32_t from = h->values_at[op], result = h->values_at[op + 1] - 1;
    if (!f->words_known) {
        f->word_read = names_find(&h->names, "r", 1);
        f->word_write = names_find(&h->names, "w", 1);
        f->word_append = names_find(&h->names, "append", 6);
        f->words_known = true;
    }
    if ((result - from) % 3 || h->value_kind[result] != ASSAY_NONE)
        return false;
    for (uint32_t at = from; at < result; at += 3) {
        bool writes = is_word(h, at, f->word_write) || is_word(h, at, f->word_append);
        uint8_t kind = h->value_kind[at + 2] & (uint8_t)~VALUE_WIDE;
        if (!(writes ? kind == ASSAY_INT : is_word(h, at, f->word_read)))
            return false;
    }
    return true;
}

const char *spec_objection(const assay_spec *s, const assay_setting *setting, const assay_call *call)
{
    const char *why = s->refuse_call ? s->refuse_call(call) : NULL;
    return why || !s->refuse_use ? why : s->refuse_use(setting, call);
}

/* The objection of the specification itself to the call, or NULL. */
static const char *objection(struct fitting *f, uint32_t op, const struct object_use *use, const assay_method *m)
{
    const history *h = f->h;
    const assay_spec *s = use->spec;
    if ((!s->refuse_call && !s->refuse_use) || (s == &spec_multi_register && is_plain_transaction(f, op)))
        return NULL;
    vec_clear(&f->args);
    for (uint32_t i = 0; i < history_arity(h, op); i++)
        vec_push(f->m, &f->args, value_public(h, history_arg(h, op, i)));
    assay_call call = {.method = m->id,
                       .arg_count = f->args.n,
                       .args = f->args.at,
                       .result = value_public(h, history_result(h, op)),
                       .operation = op,
                       .thread = h->thread[op]};
    return spec_objection(s, &use->setting, &call);
}

static bool valid_call(struct fitting *f, uint32_t op)
{
    const history *h = f->h;
    const char *wrong;
    uint32_t object = f->out->of ? f->out->of[op] : 0;
    const assay_spec *s = f->out->at[object].spec;
    uint32_t at = look_up(f, object, h->method[op]);
    if (at == NOT_THERE) {
        unknown_method(f, op, s);
        return false;
    }
    f->out->method[op] = (uint8_t)at;
    const assay_method *m = &s->methods[at];
    bool has_result = history_result(h, op).kind != ASSAY_NONE;
    char takes[WORDS_OF_ARITY];
    if (!method_takes(m, history_arity(h, op)))
        history_fault(h, op, f->e, ASSAY_ERROR_INPUT, "%s takes %s, not %u", m->name, method_arity(m, takes),
                      history_arity(h, op));
    else if (m->result == ASSAY_RESULT_REQUIRED && !has_result && !history_pending(h, op))
        history_fault(h, op, f->e, ASSAY_ERROR_INPUT, "this %s has no result", m->name);
    else if (m->result == ASSAY_RESULT_NONE && has_result)
        history_fault(h, op, f->e, ASSAY_ERROR_INPUT, "this %s has a result, but %s returns none", m->name, m->name);
    else if ((wrong = objection(f, op, &f->out->at[object], m)))
        history_fault(h, op, f->e, ASSAY_ERROR_INPUT, "%s", wrong);
    else
        return true;
    error_remedy(f->e, "it is written %s%s", m->signature,
                 m->result == ASSAY_RESULT_REQUIRED && !has_result ? ", or `=> ?` if it never returned" : "");
    return false;
}

static const char *objection_to_setting(const assay_spec *s, const assay_setting *setting)
{
    enum any_kind any = spec_any_kind(s);
    if (setting_has_any(setting) && any == ANY_NEVER)
        return "its initial state must be known: docs/guides/formats.md lists the objects that have `@init ?`";
    if (setting_has_any(setting) && any == ANY_CONTENT && setting->init_count > 1)
        return "`@init ?` is all of its initial content: leave out the other values";
    if (s->refuse)
        return s->refuse(setting);
    return setting->parameter.kind != ASSAY_NONE ? "it takes no parameter"
           : setting->init_count                 ? "it takes no initial value"
                                                 : NULL;
}

/* The line that declares an object of this kind, or 0. */
static uint32_t line_of_kind(const history *h, const char *kind)
{
    for (uint32_t i = 0; i < h->objects.n; i++)
        if (strcmp(without_alias(history_text(h, h->objects.at[i].kind)), kind) == 0)
            return h->objects.at[i].line;
    return 0;
}

/* The first whole list that a call of the object returned, or ID_NONE: accounts with their balances. */
static uint32_t first_list(const struct fitting *f, const struct object_use *use)
{
    for (uint32_t op = 0; op < f->h->n; op++)
        if (history_result(f->h, op).kind == ASSAY_LIST && history_object_of(f->h, op) == use->name)
            return op;
    return ID_NONE;
}

enum { MOST_SHOWN = 60 }; /* letters of a list */

/* A bank without balances: the log shows which accounts there are. */
static void ask_for_balances(struct fitting *f, const struct object_use *use)
{
    uint32_t op = first_list(f, use);
    struct text list = text_in(f->m);
    if (op != ID_NONE)
        token_print(&list, f->h, history_written_result(f->h, op));
    error_set(f->e, ASSAY_ERROR_INPUT, "the object bank: its initial balances are not known");
    if (list.n > strlen("[]") && list.n < MOST_SHOWN)
        error_remedy(f->e,
                     "--init '%s' or a line `# @init %s`, if the balances that were read first, in line %" PRIu32
                     ", are the initial ones",
                     text_get(&list), text_get(&list), history_line(f->h, op));
    else
        error_remedy(f->e, "--init '[10, 10, 10]' or a line `# @init [10, 10, 10]`; or bank(3,10) for 3 accounts with "
                           "10 each");
    mem_free(f->m, list.at);
}

static bool valid_setting(struct fitting *f, const struct object_use *use)
{
    const char *wrong = objection_to_setting(use->spec, &use->setting);
    if (!wrong)
        return true;
    if (use->spec == &spec_bank && !use->setting.init_count && use->setting.parameter.kind == ASSAY_NONE)
        ask_for_balances(f, use);
    else
        error_set(f->e, ASSAY_ERROR_INPUT, "the object %s: %s", use->kind, wrong);
    assay_setting bare = {.parameter = use->setting.parameter};
    bool by_init = use->setting.init_count && !objection_to_setting(use->spec, &bare);
    uint32_t line = by_init ? f->h->headers.at[vec_last(&f->h->init).header].line : line_of_kind(f->h, use->kind);
    error_place(f->e, history_source(f->h), line, line ? 1 : 0);
    return false;
}

static bool valid_calls(struct fitting *f)
{
    for (f->valid = 0; f->valid < f->h->n; f->valid++)
        if (!valid_call(f, f->valid))
            return false;
    f->valid++; /* one more than those of which one is not */
    return true;
}

static bool valid(struct fitting *f)
{
    if (!valid_calls(f))
        return false;
    for (uint32_t i = 0; i < f->out->n; i++)
        if (!valid_setting(f, &f->out->at[i]))
            return false;
    for (uint32_t i = 0; i < f->out->n; i++)
        f->out->at[i].spec = spec_as_declared(f->out->at[i].spec, &f->out->at[i].setting);
    return true;
}

/* ---- which objects ---- */

/* The initial values are those of all objects. */
static assay_setting setting_of(struct fitting *f, assay_value parameter)
{
    const history *h = f->h;
    if (!f->init) {
        f->init = mem_new(f->m, assay_binding, h->init.n ? h->init.n : 1);
        for (uint32_t i = 0; i < h->init.n; i++)
            f->init[i] = (assay_binding){value_public(h, h->init.at[i].key), value_public(h, h->init.at[i].value),
                                         h->init.at[i].header};
    }
    return (assay_setting){parameter, f->init, h->init.n};
}

static void single(struct fitting *f, const struct kind *kind)
{
    f->out->at = mem_new(f->m, struct object_use, 1);
    f->out->at[0] = (struct object_use){
        .name = ID_NONE, .kind = kind->text, .spec = kind->spec, .setting = setting_of(f, kind->parameter)};
    f->out->n = 1;
}

/* Every name that an operation or a declaration uses is an object; kind NULL: as declared. */
static bool named(struct fitting *f, const struct kind *kind)
{
    const history *h = f->h;
    struct idmap numbers = {0};
    VEC(struct object_use) uses = {0};
    f->out->of = mem_new(f->m, uint32_t, h->n ? h->n : 1);
    for (uint32_t op = 0; op < h->n; op++) {
        uint32_t *at = idmap_at(f->m, &numbers, history_object_of(h, op));
        if (*at == ID_NONE) {
            struct kind own = {0};
            const char *text = kind ? kind->text : history_object(h, history_object_of(h, op));
            if (kind)
                own = *kind;
            else if (!text || !parse(text, f->m, &own)) {
                history_fault(h, op, f->e, ASSAY_ERROR_NOT_APPLICABLE, "the object '%s' is not declared",
                              history_object_of(h, op) == ID_NONE ? "" : history_text(h, history_object_of(h, op)));
                error_remedy(f->e, "say what it is: `# @object NAME queue`");
                return false;
            }
            *at = uses.n;
            struct object_use use = {.name = history_object_of(h, op),
                                     .kind = own.text,
                                     .spec = own.spec,
                                     .setting = setting_of(f, own.parameter)};
            vec_push(f->m, &uses, use);
            f->out->at = uses.at;
            f->out->n = uses.n;
        }
        f->out->of[op] = *at;
    }
    return true;
}

static bool has_names(const history *h)
{
    for (uint32_t op = 0; op < h->n; op++)
        if (history_object_of(h, op) != ID_NONE)
            return true;
    return false;
}

static bool as_kind(struct fitting *f, const struct kind *kind)
{
    f->methods = (struct idmap){0};
    memset(f->recent, 0, sizeof f->recent);
    f->out->n = 0;
    f->out->of = NULL;
    f->out->at = NULL;
    if (has_names(f->h))
        named(f, kind);
    if (!f->out->n)
        single(f, kind);
    return valid(f);
}

static bool declared_kinds_known(struct fitting *f)
{
    for (uint32_t i = 0; i < f->h->objects.n; i++) {
        struct kind kind;
        const struct object *o = &f->h->objects.at[i];
        if (!parse(history_text(f->h, o->kind), f->m, &kind)) {
            unknown_kind(f->e, ASSAY_ERROR_NOT_APPLICABLE, history_text(f->h, o->kind));
            error_place(f->e, history_source(f->h), o->line, o->line ? 1 : 0);
            return false;
        }
    }
    return true;
}

static bool as_declared(struct fitting *f)
{
    struct kind kind;
    const history *h = f->h;
    if (!declared_kinds_known(f))
        return false;
    bool one = h->objects.n == 1 && h->objects.at[0].name == ID_NONE;
    if (one && parse(history_text(h, h->objects.at[0].kind), f->m, &kind))
        return as_kind(f, &kind);
    if (!named(f, NULL))
        return false;
    if (!f->out->n && parse(history_text(h, h->objects.at[0].kind), f->m, &kind))
        single(f, &kind);
    return valid(f);
}

static bool extends(const assay_spec *s, const assay_spec *base)
{
    return s->extends && strcmp(s->extends, base->name) == 0;
}

/* An object that needs a parameter may be meant, although the history does not name one. */
static bool lacks_parameter(const assay_spec *s)
{
    return s->refuse && s->refuse(&(assay_setting){0});
}

/* Has the object the method of the call that it did not accept? Then the fault is in the call. */
static bool has_faulty_method(const struct fitting *f, const assay_spec *s)
{
    return f->valid < f->h->n && spec_has_method(s, history_text(f->h, f->h->method[f->valid]));
}

static bool is_method_of_some(const char *name)
{
    bool is = false;
    for (size_t i = 0; spec_table[i] && !is; i++)
        is = spec_has_method(spec_table[i], name);
    return is;
}

/* Memory if it fits, else the one object that does. An object that only adds methods to a fitting one is no candidate
 * of its own. If none fits, the error is that of the object that accepts the most calls before its first fault. Of
 * several, it is one that has the method of that call. */
static bool as_inferred(struct fitting *f)
{
    const assay_spec *fitting[64];
    uint32_t n = 0;
    assay_error furthest = {0}, *e = f->e;
    uint32_t most_valid = 0;
    bool has_method = false;
    const char *first = f->h->n ? history_text(f->h, f->h->method[0]) : NULL;
    for (size_t i = 0; spec_table[i] && n < 64; i++) {
        assay_error why = {0};
        if (furthest.code && first && !spec_has_method(spec_table[i], first))
            continue; /* it accepts no call, and its error would not be the one */
        f->e = &why;
        if (as_kind(f, &(struct kind){.text = spec_table[i]->name, .spec = spec_table[i]}) ||
            (lacks_parameter(spec_table[i]) && valid_calls(f))) {
            fitting[n++] = spec_table[i];
            if (spec_table[i] == &spec_memory)
                break;
        } else if (!furthest.code || f->valid > most_valid ||
                   (f->valid == most_valid && !has_method && has_faulty_method(f, spec_table[i]))) {
            furthest = why;
            most_valid = f->valid;
            has_method = has_faulty_method(f, spec_table[i]);
        }
    }
    f->e = e;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        bool more = false;
        for (uint32_t j = 0; j < n; j++)
            more |= extends(fitting[i], fitting[j]);
        if (!more)
            fitting[kept++] = fitting[i];
    }
    if (kept == 1)
        return as_kind(f, &(struct kind){.text = fitting[0]->name, .spec = fitting[0]});
    if (!kept) {
        error_copy(e, &furthest);
        if (!most_valid && !has_method && first && !is_method_of_some(first))
            unknown_to_all(f, 0);
        return false;
    }
    char list[200] = "";
    for (uint32_t i = 0; i < kept; i++)
        error_list(list, sizeof list, fitting[i]->name);
    error_set(e, ASSAY_ERROR_NOT_APPLICABLE, "the operations fit several objects: %s", list);
    error_place(e, history_source(f->h), 0, 0);
    error_remedy(e, "say which with -o, or with a line `# @object %s`", fitting[0]->name);
    return false;
}

bool objects_of(const history *h, struct object_choice choice, struct mem *m, struct objects *out, assay_error *e)
{
    *out = (struct objects){.method = mem_new(m, uint8_t, h->n ? h->n : 1)};
    struct fitting f = {.h = h, .m = m, .out = out, .e = e};
    if (!spec_is_whole(choice.spec, e))
        return false;
    if (choice.spec) {
        const char *declared = h->objects.n ? history_text(h, h->objects.at[0].kind) : NULL;
        struct kind own = own_kind(choice.spec, choice.kind ? choice.kind : declared, m);
        return as_kind(&f, &own);
    }
    if (choice.kind) {
        struct kind kind;
        if (parse(choice.kind, m, &kind))
            return as_kind(&f, &kind);
        unknown_kind(e, ASSAY_ERROR_USAGE, choice.kind);
        return false;
    }
    return h->objects.n ? as_declared(&f) : as_inferred(&f);
}

const char *objects_kind(const struct objects *o)
{
    for (uint32_t i = 1; i < o->n; i++)
        if (strcmp(o->at[i].kind, o->at[0].kind) != 0)
            return "several objects";
    return o->at[0].kind;
}

bool objects_all(const struct objects *o, const assay_spec *spec)
{
    for (uint32_t i = 0; i < o->n; i++)
        if (o->at[i].spec != spec)
            return false;
    return true;
}
