/* SPDX-License-Identifier: Apache-2.0 */
/* Any line as evidence for fixed histories of known verdicts: recheck answers without harm, and never
 * accepts the wrong verdict. */
#include "base/escape.h"
#include "evidence/evidence.h"
#include "fuzz/fuzz.h"
#include "support/shorthand.h"

#include <string.h>

struct known {
    const char *text;
    const char *consistent; /* models, space separated; of the others it is a violation */
};

static const struct known knowns[] = {
    {"wx1 rx2 | wx2 rx1", " cc cm "},
    {"wz1 wx1 wy1 | wx2 rz0 ry1 rx2", " cc ccv "},
    {"wx1 wy1 | ry1 wx2 | rx2 rx1", " "},
};
enum { KNOWNS = sizeof knowns / sizeof *knowns };

struct reading {
    const char *line;
    struct mem mem;
    struct evidence_line read;
};

static void read_line(void *arg)
{
    struct reading *r = arg;
    assay_error e = {0};
    FUZZ_ASSERT(evidence_read(r->line, &r->mem, &r->read, &e), "accepted, but cannot be read: %s", e.message);
}

/* Of weak models, which can be spelled out, the engines say what is true. */
static assay_verdict decided(const assay_history *h, const struct evidence_line *line)
{
    assay_options options = {ASSAY_OPTIONS_INIT, .visibility = line->visibility, .skew = line->skew};
    if (line->object[0])
        options.object = line->object;
    assay_error e = {0};
    assay_result *r = assay_check(h, line->model->name, &options, &e);
    FUZZ_ASSERT(r, "recheck accepted what cannot be checked: %s", e.message);
    assay_verdict verdict = assay_result_verdict(r);
    assay_result_free(r);
    return verdict;
}

/* Accepted: then the line's claim must be the known verdict. */
static void judge(const struct known *known, const assay_history *h, const char *line)
{
    struct reading r = {.line = line};
    char model[64];
    FUZZ_ASSERT(escape_run(read_line, &r) == ESCAPE_NONE, "out of memory");
    snprintf(model, sizeof model, " %s ", r.read.model->name);
    assay_verdict truth = strstr(known->consistent, model) ? ASSAY_CONSISTENT : ASSAY_VIOLATION;
    if (r.read.model->axioms)
        truth = decided(h, &r.read);
    FUZZ_ASSERT(r.read.verdict == truth, "recheck accepted: %s", line);
    mem_release(&r.mem);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static assay_history *histories[KNOWNS];
    char *line = malloc(size + 1);
    if (!line)
        return 0;
    memcpy(line, data, size);
    line[size] = '\0';
    for (int i = 0; i < KNOWNS; i++) {
        if (!histories[i])
            histories[i] = shorthand(knowns[i].text);
        assay_error e = {0};
        uint32_t index;
        if (assay_recheck(histories[i], line, &index, &e))
            judge(&knowns[i], histories[i], line);
        else
            FUZZ_ASSERT(e.code && e.message[0], "refused without a reason");
    }
    free(line);
    return 0;
}
