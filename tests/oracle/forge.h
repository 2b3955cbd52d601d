/* SPDX-License-Identifier: Apache-2.0 */
/* Forging a line of evidence: one change at random. A line that has no place for it stays as it is. And forged evidence,
 * which may be accepted only where its claim is true. */
#ifndef ASSAY_TESTS_ORACLE_FORGE_H
#define ASSAY_TESTS_ORACLE_FORGE_H

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

/* What is known of a history: models[i] holds if ok[i]. */
struct truth {
    const assay_history *history;
    const char *text;
    const char *const *models;
    int count;
    const bool *ok;
};

/* A line that claims what is false. */
void must_refuse(const assay_history *h, const char *line, const char *text);

void try_forged(const struct truth *t, const char *line);

/* The line speaks of this model. */
void forge_model(char **line, const struct truth *t, int m);

/* Proofs about one history are refused for another one, and as proofs about it only accepted where they are true. lines[m]
 * may be NULL. */
void transplant_proofs(const struct truth *t, char *const *lines);

/* Each of these lines is forged in so many rounds, of this history or of another: some changes by `once`, which knows the
 * words of its proofs, and another model. */
typedef void forge_once(char **line, int operations);
void forge_proofs(const struct truth *t, char *const *lines, int rounds, forge_once *once);

#endif
