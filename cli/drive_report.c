/* SPDX-License-Identifier: Apache-2.0 */
#include "drive_report.h"

#include "command.h"
#include "interrupt.h"
#include "output.h"
#include "settings.h"

#include <string.h>

static double rate(const struct drive_summary *s)
{
    return s->seconds > 0 ? (double)s->driven / s->seconds : 0;
}

/* Three digits, and no exponent. */
static void print_ms(const char *before, double ms)
{
    printf(ms < 1000 ? "%s%.3g ms" : "%s%.0f ms", before, ms);
}

static void print_latency(const struct latency *l, const char *before, double share)
{
    print_ms(before, (double)latency_percentile(l, share) / 1e6);
}

static void print_operations(const struct driven *x)
{
    const struct drive_summary *s = x->summary;
    const struct drive_settings *d = &x->campaign->drive;
    uint64_t all = drive_operations(&s->counts);
    printf("%s (%s), workload %s, ", d->driver->name, s->server[0] ? s->server : d->driver->title, d->workload->name);
    if (d->isolation) /* READ UNCOMMITTED permits reads that no model of transactions permits */
        printf("isolation %s%s, ", d->isolation, strcmp(d->isolation, "read-uncommitted") == 0 ? " (below rc)" : "");
    printf("%u session%s\n", d->sessions, plural(d->sessions));
    printf("%llu histor%s", (unsigned long long)s->histories, s->histories == 1 ? "y" : "ies");
    if (s->earlier)
        printf(" (%llu of them earlier)", (unsigned long long)s->earlier);
    if (s->cut)
        printf(" (%llu cut short)", (unsigned long long)s->cut);
    printf(", %llu operations: %llu committed, %llu aborted, %llu unknown\n", (unsigned long long)all,
           (unsigned long long)s->counts.committed, (unsigned long long)s->counts.aborted,
           (unsigned long long)s->counts.unknown);
    if (!s->latency.count)
        return;
    printf("%.0f operations a second; latency", rate(s));
    print_latency(&s->latency, " p50 ", 0.5);
    print_latency(&s->latency, ", p90 ", 0.9);
    print_latency(&s->latency, ", p99 ", 0.99);
    print_latency(&s->latency, ", max ", 1);
    putchar('\n');
}

static void print_faults(const struct drive_faults *f)
{
    for (size_t i = 0; i < f->kinds; i++)
        printf("%s%llu %s%s", i ? ", " : "faults: ", (unsigned long long)f->of[i].count, f->of[i].kind,
               i + 1 < f->kinds ? "" : "\n");
}

static void print_staleness(const struct driven *x)
{
    const struct drive_staleness *b = &x->summary->staleness;
    if (!b->reads)
        return;
    printf("%llu reads, %.3g %% of them stale", (unsigned long long)b->reads,
           100 * (double)b->stale / (double)b->reads);
    if (b->stale) {
        printf(": up to %llu version%s", (unsigned long long)b->versions, plural(b->versions));
        print_ms(" and ", (double)b->ns / 1e6);
        printf(" behind (`assay stale %s` shows them)", spoken(x->folder));
    }
    putchar('\n');
}

/* The balances of accounts, and counters with unknown increments, give a least number. */
static const char *least(const struct driven *x)
{
    assay_action changes = x->campaign->drive.workload->changes;
    return changes == ASSAY_ACTION_TRANSFER || (changes == ASSAY_ACTION_ADD && x->summary->counts.unknown) ? "at least "
                                                                                                           : "";
}

static void print_durability(const struct driven *x)
{
    const struct drive_summary *s = x->summary;
    const struct drive_durability *d = &s->durability;
    char file[4096];
    if (!s->judged)
        return;
    printf("%llu acknowledged write%s: %s%llu lost%s, %llu duplicated, %llu unexpected\n",
           (unsigned long long)d->acknowledged, plural(d->acknowledged), d->lost ? least(x) : "",
           (unsigned long long)d->lost, d->lost && x->may_lose ? " (allowed)" : "", (unsigned long long)d->duplicated,
           (unsigned long long)d->unexpected);
    for (uint64_t i = 0; i < d->example_count; i++)
        printf("  %s\n", d->examples[i]);
    if (s->first_loss) {
        drive_path(x->folder, s->first_loss, ".hist", file, sizeof file);
        printf("  in %s\n", spoken(file));
    }
    if (d->missed)
        printf("%llu node%s could not be read in the end\n", (unsigned long long)d->missed, plural(d->missed));
    if (s->differ > 0 && d->missed < s->differ)
        printf("nodes had different values in the end of %llu histor%s, after %g seconds (--settle)\n",
               (unsigned long long)s->differ, s->differ == 1 ? "y" : "ies", x->campaign->drive.settle);
}

/* No final reads: what they wrote is not among the acknowledged writes. */
static void print_cut(const struct driven *x)
{
    const struct drive_summary *s = x->summary;
    char file[4096];
    if (!s->cut)
        return;
    printf("%llu histor%s interrupted: %s writes were not read back (", (unsigned long long)s->cut,
           s->cut == 1 ? "y was" : "ies were", s->cut == 1 ? "its" : "their");
    for (uint64_t i = 0; i < s->cut && i < DRIVE_CUT_NAMED; i++) {
        drive_path(x->folder, s->cut_numbers[i], ".hist", file, sizeof file);
        printf("%s%s", i ? ", " : "", spoken(file));
    }
    puts(s->cut > DRIVE_CUT_NAMED ? ", ...)" : ")");
}

static uint64_t consistent(const struct driven *x, const struct drive_model_count *m)
{
    return x->summary->histories - m->violations - m->undecided - m->errors;
}

/* `serializable (ser-plain)`; the text is good until the next call. */
static const char *label(const char *model)
{
    static char text[2 * DRIVE_MODEL_NAME];
    const char *meant = settings_meant(model);
    bool same = strcmp(meant, model) == 0;
    snprintf(text, sizeof text, "%s%s%s%s", model, same ? "" : " (", same ? "" : meant, same ? "" : ")");
    return text;
}

static void print_models(const struct driven *x)
{
    const struct drive_summary *s = x->summary;
    int width = 12;
    if (!x->campaign->model_count || !s->histories)
        return;
    for (size_t i = 0; i < x->campaign->model_count; i++)
        width = (int)strlen(label(x->campaign->models[i])) > width ? (int)strlen(label(x->campaign->models[i])) : width;
    printf("\n%-*s  %10s  %10s  %10s\n", width, "model", "consistent", "violations", "undecided");
    for (size_t i = 0; i < x->campaign->model_count; i++) {
        const struct drive_model_count *m = &s->models[i];
        printf("%-*s  %10llu  %10llu  %10llu", width, label(m->model), (unsigned long long)consistent(x, m),
               (unsigned long long)m->violations, (unsigned long long)m->undecided);
        if (m->errors)
            printf("  (%llu could not be checked)", (unsigned long long)m->errors);
        putchar('\n');
    }
}

/* What was promised, if it was checked; else NULL. */
static const struct drive_model_count *promised(const struct driven *x)
{
    const char *model = x->promise ? x->promise->model : NULL;
    for (size_t i = 0; model && i < x->campaign->model_count; i++)
        if (strcmp(settings_meant(x->campaign->models[i]), model) == 0)
            return &x->summary->models[i];
    return NULL;
}

/* Is a violation of this model a failure? Without --check only one of what the level promises. */
static bool matters(const struct driven *x, const char *model)
{
    bool by_promise = !x->chosen && (promised(x) || (x->promise && !x->promise->model)) &&
                      x->campaign->drive.workload->transactions;
    return !by_promise || (x->promise->model && assay_model_implies(x->promise->model, model));
}

static void print_kept(const struct driven *x, const struct drive_model_count *m)
{
    uint64_t kept = consistent(x, m), of = x->summary->histories;
    if (m->violations)
        printf("BROKEN in %llu of %llu histor%s", (unsigned long long)m->violations, (unsigned long long)of,
               of == 1 ? "y" : "ies");
    else
        printf("kept in %llu of %llu histor%s", (unsigned long long)kept, (unsigned long long)of,
               of == 1 ? "y" : "ies");
    if (!m->violations && kept < of)
        printf(", the others are undecided");
    putchar('\n');
}

static void print_promise(const struct driven *x)
{
    const struct drive_settings *d = &x->campaign->drive;
    const struct drive_model_count *m = promised(x);
    if (!x->promise)
        return;
    printf("\n%s promises ", d->isolation);
    if (!x->promise->model) {
        printf("none of these models here\n");
    } else if (!m) {
        printf("%s here, which was not checked\n", x->promise->model);
    } else {
        printf("%s here: ", x->promise->model);
        print_kept(x, m);
    }
}

/* Why the history violates the model. */
static void explain(const char *file, const char *model)
{
    assay_error e = {0};
    assay_options options = {ASSAY_OPTIONS_INIT, .interrupt = stop_asked};
    assay_reader *reader = assay_reader_open(file, NULL, &e);
    assay_history *h = reader ? assay_reader_next(reader, &e) : NULL;
    assay_result *r = h ? assay_check(h, model, &options, &e) : NULL;
    assay_report_options how = {ASSAY_REPORT_OPTIONS_INIT, .explain = true, .color = wants_color(),
                                .width = terminal_width(), .file = file};
    if (r)
        put_report(r, "text", &how, stdout);
    else if (e.code != ASSAY_OK)
        print_error(stderr, file, &e);
    assay_result_free(r);
    assay_history_free(h);
    assay_reader_close(reader);
}

static void print_violation(const struct driven *x)
{
    const struct drive_summary *s = x->summary;
    char file[4096];
    if (!s->first_violation)
        return;
    drive_path(x->folder, s->first_violation, ".hist", file, sizeof file);
    if (matters(x, s->first_model))
        printf("\nthe first violation:\n\n");
    else
        printf("\nno failure, as %s does not promise it: the first violation of %s\n\n", x->campaign->drive.isolation,
               s->first_model);
    explain(file, s->first_model);
    printf("\n`assay grade %s` shows all models, `assay check -m %s --shrink --explain %s` a smaller history.\n",
           spoken(file), s->first_model, spoken(file));
}

void driven_text(const struct driven *x)
{
    print_operations(x);
    print_faults(&x->summary->faults);
    print_staleness(x);
    print_durability(x);
    print_cut(x);
    print_models(x);
    print_promise(x);
    print_violation(x);
}

static void print_promise_object(const struct driven *x)
{
    const struct drive_model_count *m = promised(x);
    if (!x->promise)
        return;
    print_json_text(stdout, ',', "promise", x->promise->model);
    fputs(m ? m->violations               ? ",\"kept\":false"
              : m->undecided || m->errors ? ",\"kept\":null"
                                          : ",\"kept\":true"
            : ",\"kept\":null",
          stdout);
}

static void print_faults_object(const struct drive_faults *f)
{
    fputs(",\"faults\":{", stdout);
    for (size_t i = 0; i < f->kinds; i++)
        printf("%s\"%s\":%llu", i ? "," : "", f->of[i].kind, (unsigned long long)f->of[i].count);
    putchar('}');
}

static void print_durability_object(const struct driven *x)
{
    const struct drive_summary *s = x->summary;
    const struct drive_durability *d = &s->durability;
    if (!s->judged)
        return;
    printf(
        ",\"durability\":{\"judged\":%llu,\"acknowledged\":%llu,\"lost\":%llu,\"duplicated\":%llu,\"unexpected\":%llu,"
        "\"not_read\":%llu,\"differ\":%llu,\"allowed\":%s,\"examples\":[",
        (unsigned long long)s->judged, (unsigned long long)d->acknowledged, (unsigned long long)d->lost,
        (unsigned long long)d->duplicated, (unsigned long long)d->unexpected, (unsigned long long)d->missed,
        (unsigned long long)s->differ, x->may_lose ? "true" : "false");
    for (uint64_t i = 0; i < d->example_count; i++) {
        fputs(i ? "," : "", stdout);
        drive_journal_string(stdout, d->examples[i]);
    }
    fputs("]}", stdout);
}

void driven_object(const struct driven *x)
{
    const struct drive_summary *s = x->summary;
    const struct drive_settings *d = &x->campaign->drive;
    char file[4096];
    print_json_text(stdout, '{', "driver", d->driver->name);
    print_json_text(stdout, ',', "server", s->server);
    print_json_text(stdout, ',', "workload", d->workload->name);
    if (d->isolation)
        print_json_text(stdout, ',', "isolation", d->isolation);
    printf(",\"sessions\":%u,\"histories\":%llu,\"earlier\":%llu,\"committed\":%llu,\"aborted\":%llu,\"unknown\":%llu",
           d->sessions, (unsigned long long)s->histories, (unsigned long long)s->earlier,
           (unsigned long long)s->counts.committed, (unsigned long long)s->counts.aborted,
           (unsigned long long)s->counts.unknown);
    print_json_number(stdout, "interrupted", s->cut, true);
    printf(",\"rate\":%.0f,\"latency_us\":{\"p50\":%.1f,\"p90\":%.1f,\"p99\":%.1f,\"max\":%.1f},\"models\":[", rate(s),
           (double)latency_percentile(&s->latency, 0.5) / 1e3, (double)latency_percentile(&s->latency, 0.9) / 1e3,
           (double)latency_percentile(&s->latency, 0.99) / 1e3, (double)s->latency.most / 1e3);
    for (size_t i = 0; i < x->campaign->model_count; i++) {
        const struct drive_model_count *m = &s->models[i];
        fputs(i ? "," : "", stdout);
        print_json_model(stdout, '{', m->model);
        print_json_number(stdout, "violations", m->violations, true);
        print_json_number(stdout, "undecided", m->undecided, true);
        print_json_number(stdout, "errors", m->errors, true);
        putchar('}');
    }
    fputs("]", stdout);
    print_promise_object(x);
    if (s->faults.kinds)
        print_faults_object(&s->faults);
    print_durability_object(x);
    if (s->staleness.reads)
        printf(",\"reads\":%llu,\"stale\":%llu,\"versions_behind\":%llu,\"ns_behind\":%llu",
               (unsigned long long)s->staleness.reads, (unsigned long long)s->staleness.stale,
               (unsigned long long)s->staleness.versions, (unsigned long long)s->staleness.ns);
    if (s->first_violation) {
        drive_path(x->folder, s->first_violation, ".hist", file, sizeof file);
        print_json_text(stdout, ',', "first_violation", file);
        print_json_text(stdout, ',', "violated", s->first_model);
    }
    puts("}");
}

int driven_status(const struct driven *x, bool fine)
{
    const struct drive_durability *d = &x->summary->durability;
    bool violated = d->duplicated || d->unexpected || (d->lost && !x->may_lose);
    bool open = x->summary->stopped, faulty = !fine;
    for (size_t i = 0; i < x->campaign->model_count; i++) {
        const struct drive_model_count *m = &x->summary->models[i];
        violated = violated || (m->violations && matters(x, m->model));
        open = open || (m->undecided && matters(x, m->model));
        faulty = faulty || x->summary->models[i].errors;
    }
    return faulty ? EXIT_FAULT : violated ? EXIT_VIOLATED : open ? EXIT_OPEN : EXIT_FINE;
}
