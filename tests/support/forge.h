/* SPDX-License-Identifier: Apache-2.0 */
/* Forging a line of evidence: one change at random. A line that has no place for it stays as it is. */
#ifndef ASSAY_TESTS_SUPPORT_FORGE_H
#define ASSAY_TESTS_SUPPORT_FORGE_H

#include <assay.h>

#include <stdbool.h>
#include <stddef.h>

void forge_replace(char **line, size_t at, size_t length, const char *by);

/* Where the proof begins, behind the names of the history and the model. */
size_t forge_body(const char *line);

/* A number of the proof becomes another one, 0 to most; or now and then the word, if there is one. */
void forge_number(char **line, int most, const char *word);
/* Two numbers change places, mostly neighbours. */
void forge_swap(char **line);
/* An element of a list, or a field of an object, goes or is there twice. */
void forge_element(char **line, bool twice);
/* The word behind one of the places where `before` stands becomes one of these. */
void forge_word(char **line, const char *before, const char *const *words, int count);
void forge_verdict(char **line);

/* The line speaks of this history. */
void forge_history(char **line, const assay_history *a);

/* Which of these models the line is about, or -1. */
int forge_claimed(const char *line, const char *const *models, int count, bool *consistent);

#endif
