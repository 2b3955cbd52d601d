/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor_journal.h"

#include "output.h"

bool monitor_journal_begin(struct monitor_journal *j, const char *name)
{
    if (!run_journal_open(&j->lines, NULL, name))
        return false;
    FILE *line = run_journal_line(&j->lines);
    if (!line)
        return true;
    fputs("{\"campaign\":1,\"command\":\"monitor\"", line);
    print_json_text(line, ',', "file", j->file);
    print_json_text(line, ',', "object", j->object);
    print_json_text(line, ',', "model", j->model);
    fputc('}', line);
    run_journal_write(&j->lines, line);
    return true;
}

/* A verdict of NULL: none yet. */
static void journal_state(struct monitor_journal *j, uint64_t events, const char *verdict)
{
    FILE *line = run_journal_line(&j->lines);
    if (!line)
        return;
    fprintf(line, "{\"history\":1,\"running\":%s", verdict ? "false" : "true");
    print_json_number(line, "events", events, true);
    print_json_number(line, "violations", j->violations, true);
    fprintf(line, ",\"seconds\":%.3f,\"verdicts\":[", run_journal_seconds(&j->lines));
    if (j->violations) {
        print_json_text(line, '{', "model", j->first.model);
        fputs(",\"verdict\":\"violation\"", line);
        if (j->first.anomaly[0])
            print_json_text(line, ',', "pattern", j->first.anomaly);
        print_json_text(line, ',', "object", j->first.object);
        print_json_number(line, "event", j->first.event, true);
        if (j->first.time[0])
            print_json_text(line, ',', "at", j->first.time);
        fputc('}', line);
    } else if (verdict) {
        print_json_text(line, '{', "model", j->model);
        print_json_text(line, ',', "verdict", verdict);
        fputc('}', line);
    }
    fputs("]}", line);
    run_journal_write(&j->lines, line);
    j->told = events;
}

void monitor_journal_violation(struct monitor_journal *j, const assay_monitor_violation *v)
{
    if (j->violations++ == 0) {
        snprintf(j->first.object, sizeof j->first.object, "%s", v->kind);
        snprintf(j->first.model, sizeof j->first.model, "%s", v->model);
        snprintf(j->first.anomaly, sizeof j->first.anomaly, "%s", v->anomaly ? v->anomaly : "");
        snprintf(j->first.time, sizeof j->first.time, "%s", v->time ? v->time : "");
        j->first.event = v->event;
        journal_state(j, v->noticed, NULL);
    }
}

void monitor_journal_progress(struct monitor_journal *j, assay_monitor *m)
{
    uint64_t events = run_journal_due(&j->lines) ? assay_monitor_statistics(m).events : j->told;
    if (events != j->told)
        journal_state(j, events, NULL);
}

bool monitor_journal_end(struct monitor_journal *j, assay_monitor *m, bool fault)
{
    const char *verdict = fault ? "error" : assay_verdict_name(assay_monitor_verdict(m));
    journal_state(j, assay_monitor_statistics(m).events, verdict);
    return run_journal_close(&j->lines);
}
