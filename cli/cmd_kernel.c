/* SPDX-License-Identifier: Apache-2.0 */
/* assay kernel: the store orders that all explanations share, of sc or of tso. */
#include "each.h"
#include "output.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

enum { MOST_PRINTED = 200 }; /* pairs; --json prints all */

struct counts {
    size_t forced, saturated, by_ccm, by_ccv;
    uint64_t pairs, open;
};

static struct counts count(const assay_kernel *k)
{
    struct counts c = {
        .forced = assay_kernel_size(k), .pairs = assay_kernel_write_pairs(k), .open = assay_kernel_open_pairs(k)};
    for (size_t i = 0; i < c.forced; i++) {
        c.saturated += assay_kernel_at(k, i).saturated;
        c.by_ccm += assay_kernel_at(k, i).by_ccm;
        c.by_ccv += assay_kernel_at(k, i).by_ccv;
    }
    return c;
}

static double percent(uint64_t part, uint64_t whole)
{
    return whole ? 100.0 * (double)part / (double)whole : 100.0;
}

static void print_operation(FILE *out, const assay_history *h, uint32_t op)
{
    char text[128];
    assay_history_print(h, op, text, sizeof text);
    uint64_t line = assay_history_operation(h, op).line;
    if (line)
        fprintf(out, "line %" PRIu64 "  %s", line, text);
    else
        fprintf(out, "operation %" PRIu32 "  %s", op, text);
}

/* The pairs that saturation does not find are the interesting ones: they come first. */
static void print_text(const char *file, uint32_t index, const assay_history *h, const assay_kernel *k, FILE *out)
{
    struct counts c = count(k);
    bool tso = strcmp(assay_kernel_model(k), "tso") == 0;
    fprintf(out, index ? "%s#%" PRIu32 ": " : "%s: ", file, index);
    fprintf(out, "%" PRIu64 " pairs of writes of one variable, %zu of them forced (%.2f %%)\n", c.pairs, c.forced,
            percent(c.forced, c.pairs));
    fprintf(out, "  %s orders %zu (%.2f %% of the forced ones); %" PRIu64 " pairs (%.2f %%) stay open to it\n",
            tso ? "wtso" : "wsc", c.saturated, percent(c.saturated, c.forced), c.open, percent(c.open, c.pairs));
    fprintf(out, "  %s orders %zu (%.2f %%), ccv %zu (%.2f %%)\n", tso ? "wccm" : "ccm", c.by_ccm,
            percent(c.by_ccm, c.forced), c.by_ccv, percent(c.by_ccv, c.forced));
    size_t printed = 0;
    for (int saturated = 0; saturated <= 1; saturated++)
        for (size_t i = 0; i < c.forced && printed < MOST_PRINTED; i++) {
            assay_kernel_pair p = assay_kernel_at(k, i);
            if (p.saturated != (bool)saturated)
                continue;
            printed++;
            fputs("  ", out);
            print_operation(out, h, p.first);
            fputs("  before  ", out);
            print_operation(out, h, p.second);
            fputs(saturated ? "\n" : "  (only search finds this)\n", out);
        }
    if (printed < c.forced)
        fprintf(out, "  ... and %zu more, listed by --json\n", c.forced - printed);
}

static void print_json_line(const char *file, uint32_t index, const char *model, const assay_history *h,
                            const assay_kernel *k, FILE *out)
{
    struct counts c = count(k);
    print_json_text(out, '{', "file", file);
    if (assay_history_unended(h))
        print_json_text(out, ',', "warning", assay_history_unended(h));
    fprintf(out, ",\"index\":%" PRIu32, index);
    print_json_model(out, ',', model);
    fprintf(out,
            ",\"write_pairs\":%" PRIu64
            ",\"forced\":%zu,\"saturated\":%zu,\"by_ccm\":%zu,\"by_ccv\":%zu,\"open\":%" PRIu64 ",\"pairs\":[",
            c.pairs, c.forced, c.saturated, c.by_ccm, c.by_ccv, c.open);
    for (size_t i = 0; i < c.forced; i++) {
        assay_kernel_pair p = assay_kernel_at(k, i);
        fprintf(out, "%s[%" PRIu32 ",%" PRIu32 ",%s]", i ? "," : "", p.first, p.second, p.saturated ? "true" : "false");
    }
    fputs("]}\n", out);
}

static bool kernel_history(struct reading *reading, assay_history *h, uint32_t index)
{
    const struct each *each = reading->context;
    assay_options options = settings_options(&each->set.common);
    assay_error e = {0};
    const char *model = each->set.model ? each->set.model : "sc";
    assay_kernel *k = assay_kernel_of_model(h, model, &options, &e);
    if (!k) {
        emit_error(reading, index, model, &e);
        return true;
    }
    struct record *rec = record_new();
    FILE *out = record_stream(rec, TO_OUTPUT);
    if (each->set.common.json)
        print_json_line(reading->task->file, index, model, h, k, out);
    else
        print_text(spoken(reading->task->file), index, h, k, out);
    task_emit(reading->task, rec);
    assay_kernel_free(k);
    return true;
}

static bool begin(struct each *e)
{
    return !e->set.model || settings_model(e->set.model);
}

static int run(const struct command *self, int argc, char **argv)
{
    struct each e = {.history = kernel_history, .begin = begin};
    return each_run(&e, self, argc, argv);
}

static const struct option_row rows[] = {{'m', "model", "MODEL", "sc or tso (default: sc)", OPTION_TEXT,
                                          offsetof(struct each_settings, model), FAMILY(ASSAY_MODELS)},
                                         SETTINGS_ROWS(struct each_settings),
                                         {0}};

const struct command command_kernel = {
    .name = "kernel",
    .summary = "Print the store order that all explanations under sc (or tso) share.",
    .usage = "[options] FILE|DIR|-...",
    .notes = "exit status: 0; 2 if anything could not be read, or has no explanation;\n"
             "3 if interrupted\n",
    .examples = "  assay kernel run.hist\n"
                "  assay kernel -m tso run.hist\n"
                "  assay kernel --json --time 60 run.hist\n",
    .most = COMMAND_ANY,
    .options = rows,
    .run = run,
};
