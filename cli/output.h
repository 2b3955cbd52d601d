/* SPDX-License-Identifier: Apache-2.0 */
/* The output of the program: standard output whose errors are noticed, messages on standard error. */
#ifndef ASSAY_CLI_OUTPUT_H
#define ASSAY_CLI_OUTPUT_H

#include "assay.h"
#include "suggest.h"

#include <stdbool.h>
#include <stdio.h>

/* Before anything else: closed standard streams are occupied. */
void program_begin(void);

/* Lines of messages on standard error. On a terminal they are broken between words; excerpts of files are not. */
void put_messages(const char *text);

/* `assay: ...` on standard error, with a line end. */
void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The ending of a noun behind its number. */
static inline const char *plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}

/* A text of others, as a terminal may show it (assay_show). */
void show(FILE *to, const char *text);

/* The name of a file in messages: "standard input" for -, else its name as a terminal may show it. JSON keeps the name
 * as it was given. */
const char *spoken(const char *file);

/* `assay: MESSAGE (did you mean NEAREST?)`, or with the remedy where no known word is near. */
void complain_unknown(const struct suggestion *s, const char *remedy, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* `assay: FILE:LINE:COL: message (remedy)`; file is used where the error names none. */
void print_error(FILE *to, const char *file, const assay_error *e);

/* A JSON string in quotation marks; NULL is null. Bytes that are no UTF-8 become U+FFFD. */
void print_json(FILE *to, const char *text);

/* A field of a JSON object, behind a brace or a comma. A number that is not known is null. */
void print_json_text(FILE *to, char before, const char *name, const char *text);
void print_json_number(FILE *to, const char *name, uint64_t number, bool known);

/* The object that stands for an error in --json output. Without an index: < 0; without a model:
 * NULL. */
void print_json_error(FILE *to, const char *file, long long index, const char *model, const assay_error *e);

/* Closes a stream that was written to: false, with a message, if anything was lost. */
bool finish(FILE *stream, const char *name);

/* Flushes standard output; EXIT_FAULT, with a message, instead of `status` if anything was lost. */
int finish_output(int status);

/* Of two exit statuses the one that counts: 2 weighs most, then 1, then 3, then 0. */
int weightier(int a, int b);

/* May output be coloured? A terminal, and the environment allows colours (NO_COLOR, TERM). */
bool wants_color(void);

/* The text in this colour, the code of an escape sequence such as "1;31"; NULL: as it is. */
void put_painted(FILE *to, const char *color, const char *text);

/* The columns of the terminal on standard output, or as COLUMNS says; 0: it is no terminal. */
size_t terminal_width(void);

/* Lines on standard output, broken between words where a terminal is narrower (assay_wrap). */
void print_wrapped(size_t indent, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* malloc and friends that end the program with a message when there is no memory. */
void *grow(void *block, size_t bytes);
char *copy_text(const char *s);

/* A stream into memory, which memory_close closes; the caller frees *text, which is never NULL then. */
FILE *memory_stream(char **text, size_t *size);
void memory_close(FILE *stream, char *const *text);

/* A report, and a history as .hist. They end the program, too: the text behind them would mean something else alone. */
/* The pattern of a violation, or why a result is undecided; else NULL. */
static inline const char *verdict_note(const assay_result *r)
{
    return assay_result_verdict(r) == ASSAY_VIOLATION ? assay_result_pattern(r) : assay_result_undecided(r);
}

void put_report(const assay_result *r, const char *kind, const assay_report_options *options, FILE *to);
void put_history(const assay_history *h, FILE *to);

#endif
