/* SPDX-License-Identifier: Apache-2.0 */
/* Reading a line of evidence: its form only.
 *
 * Each object is a table of fields, in any order, each at most once; which of them must be there
 * depends on the verdict. A field is a list of items, or a value with its place in the struct of the
 * object. Steps and operations are appended to the evidence where they stand in the text. */
#include "base/json.h"
#include "evidence/evidence.h"
#include "history/token.h"
#include "model/aliases.h"
#include "model/axioms.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    struct json json;
    struct mem *mem;
    struct evidence_line *line;
    bool in_case;
};

struct items { /* of a list: one of these */
    bool (*item)(struct reading *r);
    void (*number)(struct evidence *ev, uint32_t number);
    void (*pair)(struct evidence *ev, uint32_t first, uint32_t second);
};

struct field {
    const char *name;
    struct items list;
    bool (*value)(struct reading *r, void *to); /* NULL: it is a list */
    size_t offset;                              /* of *to */
};

/* ---- lists ---- */

static bool read_item(struct reading *r, struct items of)
{
    struct json *j = &r->json;
    uint32_t first, second;
    if (of.item)
        return of.item(r);
    if ((of.pair && !json_expect(j, '[')) || !json_number(j, &first))
        return false;
    if (of.number) {
        of.number(&r->line->evidence, first);
        return true;
    }
    if (!json_expect(j, ',') || !json_number(j, &second) || !json_expect(j, ']'))
        return false;
    of.pair(&r->line->evidence, first, second);
    return true;
}

static bool read_list(struct reading *r, struct items of)
{
    if (!json_expect(&r->json, '['))
        return false;
    for (bool first = true;; first = false) {
        enum json_next next = json_next(&r->json, ']', first);
        if (next != JSON_ITEM)
            return next == JSON_END;
        if (!read_item(r, of))
            return false;
    }
}

/* ---- values ---- */

static bool number(struct reading *r, void *to)
{
    return json_number(&r->json, to);
}

/* An operation, or "initial": ASSAY_NO_OPERATION. */
static bool number_or_initial(struct reading *r, void *to)
{
    char name[JSON_NAME];
    const char *start = json_peek(&r->json);
    if (*start != '"')
        return json_number(&r->json, to);
    if (!json_name(&r->json, name, "an operation"))
        return false;
    *(uint32_t *)to = ASSAY_NO_OPERATION;
    return strcmp(name, "initial") == 0 ||
           json_fail(&r->json, start, "expected an operation or \"initial\", found \"%s\"", name);
}

static bool truth(struct reading *r, void *to)
{
    bool *out = to;
    *out = json_literal(&r->json, "true");
    return *out || json_literal(&r->json, "false") ||
           json_fail(&r->json, json_peek(&r->json), "expected true or false");
}

/* ---- objects as tables of fields ---- */

static bool one_field(struct reading *r, const struct field *fields, void *object, uint32_t *seen)
{
    char name[JSON_NAME];
    const char *start = json_peek(&r->json);
    if (!json_name(&r->json, name, "a key"))
        return false;
    for (uint32_t i = 0; fields[i].name; i++) {
        if (strcmp(fields[i].name, name) != 0)
            continue;
        if (*seen >> i & 1)
            return json_fail(&r->json, start, "expected no second \"%s\"", name);
        *seen |= 1u << i;
        if (!json_expect(&r->json, ':'))
            return false;
        return fields[i].value ? fields[i].value(r, (char *)object + fields[i].offset) : read_list(r, fields[i].list);
    }
    return json_fail(&r->json, start, "expected a known key, found \"%s\"", name);
}

/* Reads an object into a struct; *seen tells which fields it had. */
static bool read_object(struct reading *r, const struct field *fields, void *object, uint32_t *seen)
{
    *seen = 0;
    if (!json_expect(&r->json, '{'))
        return false;
    for (bool first = true;; first = false) {
        enum json_next next = json_next(&r->json, '}', first);
        if (next != JSON_ITEM)
            return next == JSON_END;
        if (!one_field(r, fields, object, seen))
            return false;
    }
}

/* A record whose verdict was changed has not what the other verdict needs: it is no proof, hence unreadable, and not
 * refused. */
static bool wrong_field(struct reading *r, const char *close, const char *field, bool lacks, const char *what)
{
    const char *kind = r->line->verdict == ASSAY_CONSISTENT ? "consistent history" : "violation";
    bool decides = strcmp(field, "orders") == 0 || strcmp(field, "pattern") == 0;
    if (decides && strcmp(what, "verdict") == 0)
        return json_fail(&r->json, close,
                         lacks ? "expected the key \"%s\": a record of a %s has it"
                               : "expected no key \"%s\": a record of a %s has none",
                         field, kind);
    return lacks ? json_fail(&r->json, close, "expected the key \"%s\" in this object", field)
                 : json_fail(&r->json, close, "expected no key \"%s\" with this %s", field, what);
}

/* The object just read has all the needed fields, and none beyond needed and allowed. `what`
 * decides which those are. */
static bool has_fields(struct reading *r, const struct field *fields, uint32_t seen, uint32_t needed, uint32_t allowed,
                       const char *what)
{
    const char *close = r->json.at - 1;
    for (uint32_t i = 0; fields[i].name; i++) {
        uint32_t bit = 1u << i;
        if ((needed & bit) && !(seen & bit))
            return wrong_field(r, close, fields[i].name, true, what);
        if ((seen & bit) && !((needed | allowed) & bit))
            return wrong_field(r, close, fields[i].name, false, what);
    }
    return true;
}

/* ---- steps ---- */

static bool read_rule(struct reading *r, assay_rule *rule)
{
    char name[JSON_NAME];
    const char *start = json_peek(&r->json);
    if (!json_name(&r->json, name, "a rule"))
        return false;
    for (int i = ASSAY_PO; i <= ASSAY_VO; i++)
        if (strcmp(assay_rule_name((assay_rule)i), name) == 0) {
            *rule = (assay_rule)i;
            return true;
        }
    return json_fail(&r->json, start, "expected one of the rules po, wr, rw, cf, hb, ppo, loc, ww, case, rt, vo");
}

static bool read_step(struct reading *r)
{
    struct json *j = &r->json;
    assay_step step = {.reason = ASSAY_NO_REASON};
    if (!json_expect(j, '[') || !read_rule(r, &step.rule) || !json_expect(j, ',') || !json_number(j, &step.from) ||
        !json_expect(j, ',') || !number_or_initial(r, &step.to))
        return false;
    if (!rule_needs_no_reason(step.rule) && !(json_expect(j, ',') && json_number(j, &step.reason)))
        return false;
    vec_push(r->mem, &r->line->evidence.steps, step);
    return json_expect(j, ']');
}

static bool read_steps(struct reading *r, uint32_t *at, uint32_t *count)
{
    *at = r->line->evidence.steps.n;
    bool fine = read_list(r, (struct items){.item = read_step});
    *count = r->line->evidence.steps.n - *at;
    return fine;
}

/* ---- reasons ---- */

static bool reason_rule(struct reading *r, void *to)
{
    const char *start = json_peek(&r->json);
    if (!read_rule(r, to))
        return false;
    return !rule_needs_no_reason(*(assay_rule *)to) ||
           json_fail(&r->json, start, "expected one of the rules rw, cf, hb, ww");
}

static bool reason_path(struct reading *r, void *reason)
{
    struct reason *to = reason;
    return read_steps(r, &to->path_at, &to->path_count);
}

static const struct field reason_fields[] = {
    {"rule", .value = reason_rule, offsetof(struct reason, rule)},
    {"from", .value = number, offsetof(struct reason, from)},
    {"to", .value = number_or_initial, offsetof(struct reason, to)},
    {"path", .value = reason_path},
    {"read", .value = number, offsetof(struct reason, read)},
    {0},
};

enum { /* bits in the order of reason_fields */
       ALL_BUT_READ = 0x0f,
       READ = 0x10
};

static bool read_reason(struct reading *r)
{
    uint32_t seen;
    struct reason reason = {.read = ASSAY_NO_OPERATION};
    if (!read_object(r, reason_fields, &reason, &seen) ||
        !has_fields(r, reason_fields, seen, ALL_BUT_READ, READ, "rule"))
        return false;
    uint32_t read = reason.rule == ASSAY_WW ? 0 : READ; /* all others rest on a read */
    if (!has_fields(r, reason_fields, seen, ALL_BUT_READ | read, 0, "rule"))
        return false;
    vec_push(r->mem, &r->line->evidence.reasons, reason);
    return true;
}

/* ---- lemmas, and pairs of operations ---- */

static bool read_lemma(struct reading *r)
{
    struct span lemma;
    if (!read_steps(r, &lemma.at, &lemma.count))
        return false;
    vec_push(r->mem, &r->line->evidence.lemmas, lemma);
    return true;
}

static bool read_clause(struct reading *r)
{
    evidence_begin_learned(&r->line->evidence);
    return read_list(r, (struct items){.pair = evidence_pair});
}

static void close_pair(struct evidence *ev, uint32_t first, uint32_t second)
{
    vec_push(ev->mem, &ev->closed, ((assay_pair){first, second}));
}

/* [write, read] or ["initial", read]; of transactions with the access of the reader behind it. */
static bool read_source(struct reading *r)
{
    struct json *j = &r->json;
    struct evidence *ev = &r->line->evidence;
    assay_pair pair = {ASSAY_NO_OPERATION, 0};
    const char *start = json_peek(j);
    if (!json_expect(j, '[') || !number_or_initial(r, &pair.first) || !json_expect(j, ',') ||
        !json_number(j, &pair.second))
        return false;
    bool has_access = *json_peek(j) == ',';
    uint32_t access;
    if (ev->sources.n && has_access != (ev->source_access.n > 0))
        return json_fail(j, start, "expected an access in all of the sources, or in none");
    if (!has_access) {
        evidence_source(ev, pair.first, pair.second);
        return json_expect(j, ']');
    }
    if (!json_expect(j, ',') || !json_number(j, &access))
        return false;
    evidence_access_source(ev, pair.first, pair.second, access);
    return json_expect(j, ']');
}

/* ---- orders ---- */

static void add_op(struct evidence *ev, uint32_t op)
{
    vec_push(ev->mem, &ev->ops, op);
}

static bool order_ops(struct reading *r, void *order)
{
    struct order *to = order;
    to->at = r->line->evidence.ops.n;
    bool fine = read_list(r, (struct items){.number = add_op});
    to->count = r->line->evidence.ops.n - to->at;
    return fine;
}

static const struct field order_fields[] = {
    {"ops", .value = order_ops},
    {"thread", .value = number, offsetof(struct order, thread)},
    {0},
};

static bool read_order(struct reading *r)
{
    uint32_t seen;
    struct order order = {.thread = ASSAY_NO_THREAD};
    if (!read_object(r, order_fields, &order, &seen) || !has_fields(r, order_fields, seen, 1, 2, "order"))
        return false;
    vec_push(r->mem, &r->line->evidence.orders, order);
    return true;
}

/* ---- the line ---- */

static bool version(struct reading *r, void *to)
{
    (void)to;
    uint32_t found;
    const char *start = json_peek(&r->json);
    if (!json_number(&r->json, &found))
        return false;
    return found == 1 || json_fail(&r->json, start, "expected version 1 of evidence");
}

static bool digest(struct reading *r, void *to)
{
    char name[JSON_NAME];
    const char *start = json_peek(&r->json);
    if (!json_name(&r->json, name, "a digest"))
        return false;
    if (strlen(name) != 16 || strspn(name, "0123456789abcdef") != 16)
        return json_fail(&r->json, start, "expected a digest of 16 hexadecimal digits");
    memcpy(to, name, sizeof r->line->digest);
    return true;
}

static bool model(struct reading *r, void *to)
{
    struct evidence_line *line = to;
    const char *start = json_peek(&r->json);
    bool spelled;
    assay_error ignored = {0};
    if (!json_text(&r->json, line->spelling, sizeof line->spelling, "a model"))
        return false;
    line->model = model_called(line->spelling);
    if (!line->model && model_spell(line->spelling, &line->spelled, &spelled, &ignored) && spelled)
        line->model = &line->spelled;
    const struct model_name *other = model_name_declined(line->spelling);
    if (other)
        return json_fail(&r->json, start, "expected a model that is checked here, found \"%s\" (the nearest is %s)",
                         line->spelling, other->model);
    return line->model || json_fail(&r->json, start, "expected a known model, found \"%s\"", line->spelling);
}

static bool inferred_from(struct reading *r, void *to)
{
    char name[MODEL_TEXT];
    const char *start = json_peek(&r->json);
    if (!json_text(&r->json, name, sizeof name, "a model"))
        return false;
    const struct model *found = model_find(name);
    *(const struct model **)to = found;
    return found || json_fail(&r->json, start, "expected a known model, found \"%s\"", name);
}

static bool verdict(struct reading *r, void *to)
{
    char name[JSON_NAME];
    const char *start = json_peek(&r->json);
    if (!json_name(&r->json, name, "a verdict"))
        return false;
    bool consistent = strcmp(name, "consistent") == 0;
    if (!consistent && strcmp(name, "violation") != 0)
        return json_fail(&r->json, start, "expected \"consistent\" or \"violation\", found \"%s\"", name);
    *(assay_verdict *)to = consistent ? ASSAY_CONSISTENT : ASSAY_VIOLATION;
    return true;
}

static bool pattern(struct reading *r, void *to)
{
    char name[JSON_NAME];
    const char *start = json_peek(&r->json);
    if (!json_name(&r->json, name, "a pattern"))
        return false;
    enum pattern found = pattern_find(name);
    *(enum pattern *)to = found;
    return found != PATTERN_NONE || json_fail(&r->json, start, "expected a known pattern, found \"%s\"", name);
}

static bool cycle(struct reading *r, void *evidence)
{
    struct evidence *ev = evidence;
    return read_steps(r, &ev->cycle_at, &ev->cycle_count);
}

static bool orders(struct reading *r, void *evidence)
{
    ((struct evidence *)evidence)->witness = true;
    return read_list(r, (struct items){.item = read_order});
}

static bool object(struct reading *r, void *to)
{
    return json_text(&r->json, to, sizeof r->line->object, "an object");
}

/* Any text: a name comes from outside. */
static bool file(struct reading *r, void *to)
{
    struct json *j = &r->json;
    struct text name = text_in(r->mem);
    const char *start = json_peek(j), *end = start + strlen(start);
    if (!json_expect(j, '"'))
        return false;
    while (*j->at != '"') {
        if ((unsigned char)*j->at < 0x20)
            return json_fail(j, j->at, "expected the end of a file's name");
        if (*j->at != '\\')
            text_char(&name, *j->at++);
        else if (j->at++, !token_unescape(&j->at, end, &name))
            return json_fail(j, j->at, "expected a JSON escape such as \\n, \\\" or \\u00e9");
    }
    j->at++;
    if (!name.n || name.n >= EVIDENCE_FILE || strlen(text_get(&name)) < name.n)
        return json_fail(j, start, "expected a file's name, of 1 to %d bytes", EVIDENCE_FILE - 1);
    *(const char **)to = text_get(&name);
    return true;
}

static bool visibility(struct reading *r, void *to)
{
    struct visibility ignored;
    assay_error unsaid = {0};
    const char *start = json_peek(&r->json);
    if (!json_text(&r->json, to, sizeof r->line->visibility, "levels by method"))
        return false;
    return visibility_parse("", to, &ignored, &unsaid) ||
           json_fail(&r->json, start, "expected levels by method, as in \"contains=weak,put=complete\"");
}

static bool skew(struct reading *r, void *to)
{
    char digits[JSON_NAME], *end;
    const char *start = json_peek(&r->json);
    if (!json_name(&r->json, digits, "a skew"))
        return false;
    errno = 0;
    *(int64_t *)to = strtoll(digits, &end, 10);
    bool plain = digits[0] >= '1' && digits[0] <= '9' && !*end && !errno; /* as it is written, no other spelling */
    return plain || json_fail(&r->json, start, "expected a skew, a whole number from 1");
}

/* ---- sights ---- */

struct sight_reading {
    struct sight sight;
    uint32_t via_n;
};

static bool sight_path(struct reading *r, void *to)
{
    char text[JSON_NAME];
    const char *start = json_peek(&r->json);
    if (!json_name(&r->json, text, "a path"))
        return false;
    return axiom_path_parse(text, to) || json_fail(&r->json, start, "expected a path, as in \"vis;po\"");
}

static bool sight_via(struct reading *r, void *to)
{
    struct sight_reading *s = to;
    if (!json_take(&r->json, '['))
        return false;
    for (bool first = true;; first = false) {
        enum json_next next = json_next(&r->json, ']', first);
        if (next != JSON_ITEM)
            return next == JSON_END;
        if (s->via_n == AXIOM_LONGEST - 1)
            return json_fail(&r->json, json_peek(&r->json), "expected no more operations between the steps of a path");
        if (!json_number(&r->json, &s->sight.via[s->via_n++]))
            return false;
    }
}

static const struct field sight_fields[] = {
    {"by", .value = number, offsetof(struct sight_reading, sight.by)},
    {"sees", .value = number, offsetof(struct sight_reading, sight.seen)},
    {"path", .value = sight_path, offsetof(struct sight_reading, sight.path)},
    {"via", .value = sight_via},
    {0},
};

enum { /* bits in the order of sight_fields */
       BY_AND_SEES = 0x3,
       PATH_AND_VIA = 0xc
};

static bool read_sight(struct reading *r)
{
    uint32_t seen;
    struct sight_reading s = {0};
    if (!read_object(r, sight_fields, &s, &seen) ||
        !has_fields(r, sight_fields, seen, seen & PATH_AND_VIA ? BY_AND_SEES | PATH_AND_VIA : BY_AND_SEES, 0, "sight"))
        return false;
    if (s.sight.path.n && s.via_n != s.sight.path.n - 1u)
        return json_fail(&r->json, r->json.at - 1, "expected one operation between two steps of the path");
    vec_push(r->mem, &r->line->evidence.sights, s.sight);
    return true;
}

#define VALUE(read, field) .value = read, offsetof(struct evidence_line, field)
static bool read_case(struct reading *r);

static const struct field line_fields[] = {
    {"evidence", .value = version},
    {"history", VALUE(digest, digest)},
    {"index", VALUE(number, index)},
    {"model", .value = model},
    {"verdict", VALUE(verdict, verdict)},
    {"orders", VALUE(orders, evidence)},
    {"pattern", VALUE(pattern, evidence.pattern)},
    {"culprit", VALUE(number, evidence.culprit)},
    {"reasons", .list.item = read_reason},
    {"cycle", VALUE(cycle, evidence)},
    {"lemmas", .list.item = read_lemma},
    {"learned", .list.item = read_clause},
    {"closed", .list.pair = close_pair},
    {"prefix", VALUE(truth, evidence.prefix)},
    {"kept", .list.number = evidence_keep},
    {"object", VALUE(object, object)},
    {"skew", VALUE(skew, skew)},
    {"sources", .list.item = read_source},
    {"visible", .list.pair = evidence_sees},
    {"visibility", VALUE(visibility, visibility)},
    {"whole", VALUE(truth, evidence.whole)},
    {"suspects", .list.number = evidence_suspect},
    {"cases", .list.item = read_case},
    {"sights", .list.item = read_sight},
    {"file", VALUE(file, file)},
    {"inferred_from", VALUE(inferred_from, from)},
    {0},
};

enum { /* bits in the order of line_fields */
       ALWAYS = 0x001f,
       ORDERS = 0x0020,
       PATTERN = 0x0040,
       CULPRIT = 0x0080,
       REASONS = 0x0100,
       CYCLE = 0x0200,
       LEMMAS_AND_LEARNED = 0x0c00,
       CLOSED = 0x1000,
       PREFIX_AND_KEPT = 0x6000,
       OBJECT = 0x8000,
       SKEW = 0x10000,
       SOURCES = 0x20000,
       VISIBLE = 0x40000,
       VISIBILITY = 0x80000,
       WHOLE = 0x100000,
       SUSPECTS = 0x200000,
       CHOICES = 0x400000,
       SIGHTS = 0x800000,
       NAME_OF_FILE = 0x1000000,
       INFERRED_FROM = 0x2000000
};

/* The model that the proof is about. */
static const struct model *proved(const struct evidence_line *line)
{
    return line->from ? line->from : line->model;
}

static uint32_t proof_fields(const struct evidence_line *line)
{
    static const uint32_t proofs[] = {[PROOF_CYCLE] = REASONS | CYCLE,
                                      [PROOF_CULPRIT] = CULPRIT,
                                      [PROOF_PART] = CULPRIT | PREFIX_AND_KEPT,
                                      [PROOF_CASES] = REASONS | LEMMAS_AND_LEARNED,
                                      [PROOF_CHOICES] = CHOICES,
                                      [PROOF_NONE] = 0};
    return PATTERN | proofs[pattern_proof(line->evidence.pattern, proved(line))];
}

/* There are cases of transactions only. All their models have the same kinds of proofs. */
static const struct model *any_of_transactions(void)
{
    return model_find("ser");
}

/* Can a case be refuted by the pattern? A case has no cases itself. */
static bool refutes_case(const struct evidence_line *part)
{
    enum proof proof = pattern_proof(part->evidence.pattern, part->model);
    return proof == PROOF_CULPRIT || proof == PROOF_CYCLE || proof == PROOF_CASES;
}

/* A case is read as if it were a line of its own. */
static bool read_case(struct reading *r)
{
    uint32_t seen;
    struct evidence_line *line = r->line, part = {.model = any_of_transactions(), .evidence = evidence_in(r->mem)};
    const char *start = json_peek(&r->json);
    if (r->in_case)
        return json_fail(&r->json, start, "expected no cases in a case");
    r->line = &part;
    r->in_case = true;
    bool fine = read_object(r, line_fields, &part, &seen) &&
                has_fields(r, line_fields, seen, SOURCES | PATTERN, REASONS | CULPRIT | CYCLE | LEMMAS_AND_LEARNED,
                           "case");
    if (fine && !refutes_case(&part))
        fine = json_fail(&r->json, start, "expected a case with a proof of its own");
    fine = fine && has_fields(r, line_fields, seen, SOURCES | proof_fields(&part), 0, "pattern");
    r->line = line;
    r->in_case = false;
    if (!fine)
        return false;
    struct evidence *c = mem_new(r->mem, struct evidence, 1);
    *c = part.evidence;
    vec_push(r->mem, &line->evidence.cases, c);
    return true;
}

static uint32_t needed_fields(const struct evidence_line *line)
{
    if (line->verdict == ASSAY_CONSISTENT)
        return ALWAYS | ORDERS | (evidence_has_closed(proved(line)) ? CLOSED : 0) |
               (evidence_has_visible(proved(line)) ? VISIBLE : 0);
    return ALWAYS | proof_fields(line);
}

static uint32_t optional_fields(const struct evidence_line *line)
{
    const struct model *m = proved(line);
    bool refuted = line->verdict != ASSAY_CONSISTENT;
    uint32_t always = NAME_OF_FILE | INFERRED_FROM | (line->model->axioms ? VISIBILITY : 0);
    if (m->needs & NEED_CALLS)
        return always | OBJECT | SKEW | (!refuted ? 0 : m->axioms ? SUSPECTS | SIGHTS : WHOLE);
    return always | (refuted ? 0 : SOURCES) | (evidence_has_skew(m) ? SKEW : 0);
}

bool evidence_read(const char *line, struct mem *m, struct evidence_line *out, assay_error *e)
{
    *out = (struct evidence_line){.evidence = evidence_in(m)};
    struct reading r = {.json = {line, line, e}, .mem = m, .line = out};
    uint32_t seen;
    return read_object(&r, line_fields, out, &seen) &&
           has_fields(&r, line_fields, seen, ALWAYS, ~(uint32_t)0, "line") &&
           has_fields(&r, line_fields, seen, needed_fields(out), optional_fields(out), "verdict") && json_end(&r.json);
}
