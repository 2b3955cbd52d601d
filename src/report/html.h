/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of a page (html.c), which is a template of web/ with three slots:
 *
 *   plain HTML   the verdict and the argument as lists (html_argument.c): all that a reader without scripts needs
 *   data         one JSON object in columns (html_data.c), with the steps of the argument (html_steps.c) and the states
 *                of the object along an order (html_states.c); web/data.js reads it
 *
 * Texts of others are data in both: escaped as HTML, or as JSON in which no `<` stands. */
#ifndef ASSAY_REPORT_HTML_H
#define ASSAY_REPORT_HTML_H

#include "base/text.h"
#include "evidence/evidence.h"

#include <stdbool.h>

enum { HTML_MOST_ORDERS = 20 }; /* of a witness; one that was found by key has an order for each */

void html_words(struct text *out, const char *s);
/* Escapes a sentence that was put together in a text of its own, and frees that. */
void html_sentence(struct text *out, struct text *s);

void html_argument(const result *r, struct text *out);
void html_faults(const result *r, struct text *out);
void html_witness(const result *r, struct text *out);

void html_data(const result *r, const assay_report_options *options, struct text *out);
void html_steps(const result *r, struct text *out); /* `,"steps":[...],"involved":[...],"neighbours":[...]` */
/* `,"after":[...],"cells":...`; objects may be NULL: not known. */
void html_relations(const history *h, const struct objects *objects, struct text *out);
/* `,"states":{...}` of the first order, or nothing: the object has no states, or none that can be told. */
void html_states(const result *r, const struct objects *objects, struct text *out);

/* The call as a specification sees it; args has room for the operation's arguments. */
assay_call html_call(const history *h, const struct objects *objects, uint32_t op, assay_value *args);

/* A JSON string: in a script element nothing in it ends the element. */
void html_json(struct text *out, const char *s, size_t n);
void html_json_text(struct text *out, struct text *s);                     /* frees it */
void html_json_shown(struct text *out, struct text *shown);                /* as text_shown left it; frees it */
void html_json_field(struct text *out, const char *name, const char *s);   /* `,"name":"s"`; NULL: null */
void html_json_ops(struct text *out, const uint32_t *ops, uint32_t count); /* [1,2,3] */

#endif
