/* SPDX-License-Identifier: Apache-2.0 */
/* Forms of EDN, the notation of Clojure, for the formats that are written in it.
 *
 * A form is read into a row of nodes in the order of the text. A node is followed by its descendants, and `end` is the
 * index behind the last of them. So the children of node i are i + 1, end of that, and so on up to the end of i. There
 * is no recursion: open forms lie on a stack of EDN_DEPTH frames. The nodes live until edn_clear. Clearing them between
 * the operations of a log keeps memory constant. */
#ifndef ASSAY_FORMAT_EDN_FORM_H
#define ASSAY_FORMAT_EDN_FORM_H

#include "base/text.h"
#include "format/cursor.h"

enum { EDN_DEPTH = 64 };

enum edn_kind {
    EDN_NIL,
    EDN_INT,
    EDN_SYMBOL, /* also true, false, and numbers that are no integers */
    EDN_KEYWORD,
    EDN_STRING, /* also a character */
    EDN_VECTOR,
    EDN_LIST,
    EDN_MAP,
    EDN_SET,
    EDN_TAG, /* its one child is the form behind the tag; a record is a tagged map */
};

struct edn_node {
    enum edn_kind kind;
    uint32_t end;
    uint32_t text, length; /* in edn.text: without colon, quotation marks or # */
    int64_t integer;
    uint32_t notation; /* how it was written: base/notation.h */
    struct place at;
};

struct edn {
    struct cursor *c;
    bool one_line; /* a form ends within its line */
    bool json;     /* the text is JSON, whose strings are read as keywords, and null as nil */
    bool over;     /* the input has ended */
    VEC(struct edn_node) nodes;
    struct text text;
    struct mem *mem; /* of nodes and text */
};

/* Skips white space, commas and comments. False at the end of the input, or of the line. */
bool edn_space(struct edn *e);

/* The next form, behind the last one; ID_NONE when a closing bracket or the end comes first. */
uint32_t edn_read(struct edn *e);
void edn_clear(struct edn *e);
/* Goes behind the tag that comes next, as in `#tag [1 2]`. */
void edn_skip_tag(struct edn *e);

uint32_t edn_untag(const struct edn *e, uint32_t node);   /* the form behind all tags */
bool edn_is_sequence(const struct edn *e, uint32_t node); /* a vector or list */
/* The i-th child, or ID_NONE. */
uint32_t edn_child(const struct edn *e, uint32_t node, uint32_t i);
uint32_t edn_count(const struct edn *e, uint32_t node);
/* The value behind this key of a map; a fault if there is none. */
uint32_t edn_behind(const struct edn *e, uint32_t map, uint32_t key);
/* A fault: the map has had this key before. */
_Noreturn void edn_second(const struct edn *e, uint32_t key);
/* The value of this keyword in a map; ID_NONE: there is none, or it is no map. */
uint32_t edn_lookup(const struct edn *e, uint32_t map, const char *keyword);

/* A node without a text, behind the others. */
static inline struct edn_node *edn_add(struct edn *e, enum edn_kind kind, const char *where)
{
    struct edn_node node = {.kind = kind, .at = place_of(e->c, where), .end = e->nodes.n + 1};
    vec_push(e->mem, &e->nodes, node);
    return &vec_last(&e->nodes);
}

static inline const char *edn_text(const struct edn *e, uint32_t node)
{
    return e->text.at + e->nodes.at[node].text;
}

/* The text is not empty. Its first letter is compared first: most nodes differ there. */
static inline bool edn_is(const struct edn *e, uint32_t node, enum edn_kind kind, const char *text)
{
    const struct edn_node *n = &e->nodes.at[node];
    return n->kind == kind && n->length && *edn_text(e, node) == *text && n->length == strlen(text) &&
           memcmp(edn_text(e, node), text, n->length) == 0;
}

/* A single value as the history has them: integers; nil, true, false, keywords and symbols as
 * words; strings. Anything else is a fault that says that `what` was expected. */
struct value edn_value(const struct edn *e, uint32_t node, history *h, const char *what);
/* The list of the single values in a vector, list or set. */
struct value edn_list(const struct edn *e, uint32_t node, history *h);

#define EDN_FAULT(e, node, ...) FAULT_AT((e)->c, (e)->nodes.at[node].at, __VA_ARGS__)
#define EDN_FAULT_REMEDY(e, node, remedy, ...) FAULT_AT_REMEDY((e)->c, (e)->nodes.at[node].at, remedy, __VA_ARGS__)

#endif
