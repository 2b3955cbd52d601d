/* SPDX-License-Identifier: Apache-2.0 */
/* The journal of a campaign: JSON Lines, appended line by line (docs/guides/databases.md). The first line describes the
 * campaign, every other one a history that was checked. A campaign that is started again in its folder goes on behind
 * the last line. */
#ifndef ASSAY_COLLECT_DRIVE_JOURNAL_H
#define ASSAY_COLLECT_DRIVE_JOURNAL_H

#include "collect/drive/drive.h"

enum { DRIVE_MOST_MODELS = 40, DRIVE_MODEL_NAME = 64, DRIVE_PATTERN = 48 };

enum drive_finding { DRIVE_CONSISTENT, DRIVE_VIOLATION, DRIVE_UNDECIDED, DRIVE_ERROR };

struct drive_verdict {
    char model[DRIVE_MODEL_NAME];
    enum drive_finding finding;
    char pattern[DRIVE_PATTERN]; /* of a violation, or "" */
    double seconds;
};

/* How far behind reads were (assay_stale); no reads: not measured. */
struct drive_staleness {
    uint64_t reads, stale;
    uint64_t versions, ns; /* the most */
};

/* A history that was driven and checked. */
struct drive_record {
    uint64_t number, seed; /* number: from 1 */
    bool kept;             /* its file is there: NUMBER.hist */
    struct drive_tally tally;
    struct drive_verdict verdicts[DRIVE_MOST_MODELS];
    size_t verdict_count;
    struct drive_staleness staleness;
};

struct drive_journal {
    int file;
    char *path;
    bool *has;  /* the histories, by number */
    bool begun; /* its first line was written by this run */
    uint64_t has_count;
};

/* Is the file one, by its name and its beginning? A folder of histories has it among them. */
bool drive_journal_recognised(const char *path);

/* Opens the folder's journal, or begins one with this description, a JSON object. `seen` is told of every history that
 * it has. False with an error: it cannot be read or written, or is that of another campaign. */
bool drive_journal_open(struct drive_journal *j, const char *folder, const char *campaign,
                        void (*seen)(void *arg, const struct drive_record *r), void *arg, assay_error *e);
bool drive_journal_has(const struct drive_journal *j, uint64_t number);
bool drive_journal_add(struct drive_journal *j, const struct drive_record *r, assay_error *e);
void drive_journal_close(struct drive_journal *j);
/* The same; a journal that this run has begun is removed: no history came of it. */
void drive_journal_discard(struct drive_journal *j);

/* A JSON string, in quotation marks. */
void drive_journal_string(FILE *to, const char *text);

const char *drive_finding_name(enum drive_finding f);

#endif
