/* SPDX-License-Identifier: Apache-2.0 */
/* Files that are cut within their last line, against the files they were cut from: no violation of a cut file is one
 * that the whole file does not have. Each random file (draw.h) is cut behind each byte of its last line.
 *
 * Evidence of such a violation is not refused by recheck, and what shrinking leaves violates the model as well. */
#define _GNU_SOURCE
#include "assay.h"
#include "cross/last_line/draw.h"
#include "support/tier.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static uint32_t files, cuts, kept, refused, faults;

static assay_history *read_bytes(size_t n, const char *format, assay_error *e)
{
    char path[64];
    int fd = memfd_create("history", 0);
    if (fd < 0 || write(fd, text, n) != (ssize_t)n)
        abort();
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    assay_reader *r = assay_reader_open(path, format, e);
    assay_history *h = r ? assay_reader_next(r, e) : NULL;
    assay_reader_close(r);
    close(fd);
    return h;
}

static void fault(size_t n, const char *format, const char *model, const char *what)
{
    faults++;
    printf("---- %s, %s: %s\n%.*s<<<cut here>>>%s", format, model, what, (int)n, text, text + n);
}

static assay_verdict verdict_of(const assay_grading *g, const char *model, bool *judged)
{
    for (size_t i = 0; i < assay_grading_size(g); i++)
        if (strcmp(assay_grading_model(g, i), model) == 0) {
            *judged = assay_grading_result(g, i);
            return *judged ? assay_result_verdict(assay_grading_result(g, i)) : ASSAY_UNDECIDED;
        }
    *judged = false;
    return ASSAY_UNDECIDED;
}

static void prove(const assay_history *h, const assay_result *r, size_t n, const char *format)
{
    char *line = NULL;
    size_t size = 0;
    assay_error e = {0};
    FILE *f = open_memstream(&line, &size);
    bool proved = assay_result_write_evidence(r, 0, f);
    fclose(f);
    if (proved && !assay_recheck(h, line, NULL, &e) && e.code != ASSAY_ERROR_BUDGET) /* it says that it cannot tell */
        fault(n, format, assay_result_model(r), e.message);
    free(line);
}

/* The operations that shrinking leaves, from the whole file, violate the model without the last line as well: of those
 * that the cut may change there is at most an unfinished one. */
static void shrink(const assay_result *r, size_t n, const char *format)
{
    assay_error e = {0};
    assay_history *small = assay_shrink(r, NULL, NULL, &e);
    assay_result *again = small ? assay_check(small, assay_result_model(r), NULL, &e) : NULL;
    if (!again || assay_result_verdict(again) != ASSAY_VIOLATION)
        fault(n, format, assay_result_model(r), small ? "what shrinking leaves does not violate it" : e.message);
    assay_result_free(again);
    assay_history_free(small);
}

static void compare(const assay_grading *whole, size_t n, const char *format)
{
    assay_error e = {0};
    assay_history *h = read_bytes(n, format, &e);
    assay_options options = {ASSAY_OPTIONS_INIT};
    assay_grading *g = h ? assay_grade(h, &options, &e) : NULL;
    cuts += h != NULL;
    for (size_t i = 0; g && i < assay_grading_size(g); i++) {
        const assay_result *r = assay_grading_result(g, i);
        bool judged;
        if (!r)
            refused += strstr(assay_grading_error(g, i)->message, "rests on the last line") != NULL;
        if (!r || assay_result_verdict(r) != ASSAY_VIOLATION)
            continue;
        kept++;
        assay_verdict v = verdict_of(whole, assay_grading_model(g, i), &judged);
        if (judged && v != ASSAY_VIOLATION)
            fault(n, format, assay_grading_model(g, i), "the whole file does not violate it");
        prove(h, r, n, format);
        if (assay_result_proved(r) && !any(8))
            shrink(r, n, format);
    }
    assay_grading_free(g);
    assay_history_free(h);
}

static void try_file(const char *(*make)(void))
{
    length = 0;
    text[0] = '\0';
    const char *format = make();
    assay_error e = {0};
    assay_history *h = length ? read_bytes(length, format, &e) : NULL;
    assay_grading *g = h ? assay_grade(h, NULL, &e) : NULL;
    if (!g) {
        assay_history_free(h);
        return;
    }
    files++;
    size_t last = length - 1;
    while (last && text[last - 1] != '\n')
        last--;
    for (size_t n = last + 1; n < length; n++)
        compare(g, n, format);
    assay_grading_free(g);
    assay_history_free(h);
}

static const struct maker {
    const char *name;
    const char *(*make)(void);
} makers[] = {
    {"hist", hist_operations},
    {"events", hist_events},
    {"memory", hist_memory},
    {"event-memory", hist_events_memory},
    {"axe", axe},
    {"csv", csv},
    {"set-log", set_log},
    {"jepsen-txt", jepsen_txt},
    {"jepsen-log", jepsen_log},
    {"gem5", gem5},
    {"litmus", litmus},
    {"transactions", transactions},
};

int main(int argc, char **argv)
{
    struct request q = request_of(argc, argv);
    uint32_t count = request_count(&q, 60, 250, 6000);
    for (size_t i = 0; i < sizeof makers / sizeof *makers; i++) {
        if (q.only && strcmp(q.only, makers[i].name) != 0)
            continue;
        rng = (struct rng){q.seed + 1000 * i};
        files = cuts = kept = refused = 0;
        for (uint32_t k = 0; k < count && faults < 10; k++)
            try_file(makers[i].make);
        printf("%-14s %u files, %u cuts read: %u violations kept, %u that rest on the last line\n", makers[i].name,
               files, cuts, kept, refused);
        if (!files || !cuts || !kept || !refused) {
            printf("%s: there should be some of each\n", makers[i].name);
            faults++;
        }
    }
    return faults != 0;
}
