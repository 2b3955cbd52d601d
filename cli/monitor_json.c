/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor_json.h"

#include "outfile.h"
#include "output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { COUNTS = 16, ALWAYS = 14 };

struct count {
    const char *name, *help;
    bool grows;
    uint64_t number;
};

static void counts_of(const assay_monitor_stats *s, struct count out[COUNTS])
{
    const struct count all[COUNTS] = {
        {"events", "Events that were read.", true, s->events},
        {"unchecked", "Events that were not checked, since their object no longer is.", true, s->unchecked},
        {"lines", "Lines that were read.", true, s->lines},
        {"histories", "Histories that have ended.", true, s->histories},
        {"violations", "Violations that were reported.", true, s->violations},
        {"malformed", "Malformed lines that were skipped.", true, s->malformed},
        {"left_out", "Operations that could not be judged.", true, s->left_out},
        {"undecided", "Histories that were left undecided.", true, s->undecided},
        {"open", "Calls that have not returned.", false, s->open},
        {"oldest_open", "Events since the oldest of them.", false, s->oldest},
        {"waiting", "Events that wait for such a call and are not judged yet.", false, s->waiting},
        {"abandoned", "Calls whose clients died.", true, s->abandoned},
        {"live", "Operations that are remembered.", false, s->live},
        {"bytes", "Peak of memory.", false, s->peak},
        {"sound_only", "Objects whose monitor is not exact.", false, s->weak},
        {"sound_only_from", "The event at which the first of them gave up exactness.", false, s->weakened},
    };
    memcpy(out, all, sizeof all);
}

static void json_counts(FILE *to, const assay_monitor_stats *stats)
{
    struct count counts[COUNTS];
    counts_of(stats, counts);
    for (size_t i = 0; i < (stats->weak ? COUNTS : ALWAYS); i++)
        print_json_number(to, counts[i].name, counts[i].number, true);
}

void json_violation(FILE *to, const char *file, uint64_t before, const assay_monitor_violation *v)
{
    fputs("{\"type\":\"violation\"", to);
    print_json_text(to, ',', "file", file);
    print_json_number(to, "index", v->index, true);
    print_json_number(to, "event", v->event, true);
    print_json_number(to, "line", v->line, v->line);
    if (before)
        print_json_number(to, "file_line", v->line - before, v->line > before);
    print_json_text(to, ',', "id", v->id);
    print_json_number(to, "noticed", v->noticed, true);
    print_json_text(to, ',', "name", v->object);
    print_json_text(to, ',', "object", v->kind);
    print_json_text(to, ',', "model", v->model);
    print_json_text(to, ',', "engine", v->engine);
    if (v->anomaly)
        print_json_text(to, ',', "anomaly", v->anomaly);
    if (v->pattern)
        print_json_text(to, ',', "pattern", v->pattern);
    if (v->sentence)
        print_json_text(to, ',', "sentence", v->sentence);
    if (v->time)
        print_json_text(to, ',', v->time_given ? "happened" : "arrived", v->time);
    if (v->skipped)
        print_json_number(to, "skipped", v->skipped, true);
    fputs(",\"operations\":[", to);
    for (size_t i = 0; i < v->operation_count; i++) {
        const assay_monitor_operation *o = &v->operations[i];
        fputs(i ? "," : "", to);
        print_json_text(to, '{', "operation", o->text);
        print_json_text(to, ',', "id", o->id);
        print_json_number(to, "called", o->called, true);
        print_json_number(to, "returned", o->returned, o->returned);
        print_json_number(to, "call_line", o->call_line, o->call_line);
        print_json_number(to, "return_line", o->return_line, o->return_line);
        fputc('}', to);
    }
    fputs("],\"why\":[", to);
    for (size_t i = 0; i < v->why_count; i++) {
        if (i)
            fputc(',', to);
        print_json(to, v->why[i]);
    }
    fputs("]}\n", to);
}

void json_summary(FILE *to, const char *file, assay_monitor *m, bool interrupted)
{
    assay_monitor_stats now = assay_monitor_statistics(m), *stats = &now;
    assay_verdict verdict = assay_monitor_verdict(m);
    const char *reason = assay_monitor_undecided(m);
    fputs("{\"type\":\"summary\"", to);
    print_json_text(to, ',', "file", file);
    print_json_text(to, ',', "verdict", assay_verdict_name(verdict));
    print_json_text(to, ',', "reason", reason);
    fprintf(to, ",\"interrupted\":%s", interrupted ? "true" : "false");
    json_counts(to, stats);
    if (stats->from_before) {
        print_json_number(to, "from_before", stats->from_before, true);
        print_json_number(to, "late", stats->late, true);
    }
    if (stats->kept) {
        print_json_number(to, "forgotten", stats->forgotten, true);
        print_json_number(to, "kept", stats->kept, true);
    }
    fputs(",\"monitors\":[", to);
    assay_monitor_use use;
    for (size_t i = 0; (use = assay_monitor_used(m, i)).kind; i++) {
        fputs(i ? "," : "", to);
        print_json_text(to, '{', "object", use.kind);
        print_json_text(to, ',', "engine", use.engine);
        fprintf(to, ",\"exact\":%s,\"prompt\":%s", use.exact ? "true" : "false", use.prompt ? "true" : "false");
        print_json_text(to, ',', "weakened", use.weakened);
        if (use.weakened) {
            print_json_number(to, "weakened_event", use.weakened_event, use.weakened_event);
            print_json_number(to, "weakened_line", use.weakened_line, use.weakened_line);
        }
        print_json_number(to, "objects", use.objects, true);
        print_json_number(to, "weak", use.weak, true);
        if (use.unchecked)
            print_json_number(to, "unchecked", use.unchecked, true);
        if (use.unknown)
            print_json_number(to, "unknown", use.unknown, true);
        fputc('}', to);
    }
    fputs("]}\n", to);
}

/* ---- statistics ---- */

static void prometheus(FILE *to, const assay_monitor_stats *stats)
{
    struct count counts[COUNTS];
    counts_of(stats, counts);
    for (size_t i = 0; i < COUNTS; i++) {
        char name[64];
        snprintf(name, sizeof name, "assay_monitor_%s%s", counts[i].name, counts[i].grows ? "_total" : "");
        fprintf(to, "# HELP %s %s\n# TYPE %s %s\n%s %" PRIu64 "\n", name, counts[i].help, name,
                counts[i].grows ? "counter" : "gauge", name, counts[i].number);
    }
}

bool statistics_write(const char *name, assay_monitor *m, const char *last)
{
    assay_monitor_stats stats = assay_monitor_statistics(m);
    size_t length = strlen(name), size;
    char *text = NULL;
    FILE *f = memory_stream(&text, &size);
    if (length > 5 && strcmp(name + length - 5, ".prom") == 0) {
        prometheus(f, &stats);
    } else {
        fputs("{\"type\":\"statistics\"", f);
        print_json_text(f, ',', "verdict", assay_verdict_name(assay_monitor_verdict(m)));
        print_json_text(f, ',', "reason", assay_monitor_undecided(m));
        json_counts(f, &stats);
        if (*last)
            print_json_text(f, ',', "last_violation", last);
        fputs("}\n", f);
    }
    memory_close(f, &text);
    bool fine = outfile_write(name, text, size);
    free(text);
    return fine;
}
