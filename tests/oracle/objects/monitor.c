/* SPDX-License-Identifier: Apache-2.0 */
#include "oracle/objects/monitor.h"

#include "oracle/compare.h"
#include "oracle/finding.h"
#include "oracle/objects/counts.h"
#include "oracle/objects/history.h"
#include "oracle/objects/value.h"
#include "oracle/objects/write.h"

#include <assay.h>
#include <assay_monitor.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int strict;

void on_violation(void *context, const assay_monitor_violation *v)
{
    struct reports *r = context;
    if (r->count == MAX_REPORTS)
        return;
    int thread = !v->id ? NONE : atoi(v->id + (*v->id == 'w'));
    r->list[r->count++] = (struct report){v->event, v->noticed, v->index, v->line, v->object ? atoi(v->object + 1) : 0,
                                          thread};
}

/* The first event from `event` on after which no call is open. */
static int next_quiet(const struct stream *s, int part, int event)
{
    const struct history *h = s->h[part];
    for (int e = event - s->first[part]; e <= last_event(h); e++) {
        bool quiet = true;
        for (int i = 0; i < h->ops; i++)
            quiet = quiet && !(h->op[i].call_event <= e && (!h->op[i].ret_event || h->op[i].ret_event > e));
        if (quiet)
            return e + s->first[part];
    }
    return 0;
}

bool is_weakened(assay_monitor *m, bool *exact, bool *prompt)
{
    bool weak = false;
    *exact = *prompt = true;
    for (size_t i = 0; assay_monitor_used(m, i).kind; i++) {
        assay_monitor_use u = assay_monitor_used(m, i);
        weak = weak || u.weakened;
        *exact = *exact && u.exact && !u.weakened;
        *prompt = *prompt && u.prompt && !u.weakened;
    }
    return weak;
}

/* Do line and id of a report belong to its event? */
static bool place_fits(const struct stream *s, const struct report *v)
{
    uint64_t line = 0, event = 0;
    for (const char *at = s->text.bytes; *at && event < v->event; at = strchr(at, '\n') + 1) {
        line++;
        event += at[strspn(at, " \t")] == '[';
    }
    const struct history *h = s->h[v->index];
    int local = (int)v->event - s->first[v->index];
    for (int i = 0; i < h->ops; i++)
        if (h->op[i].ret_event == local)
            return (!v->line || v->line == line) && (v->thread == NONE || v->thread == h->op[i].thread);
    return false;
}

static void compare_reports(const struct stream *s, assay_monitor *m, const struct reports *r, const char *name,
                            bool all)
{
    bool exact, prompt, seen[MAX_PARTS][MAX_OBJECTS] = {{0}};
    bool weak = is_weakened(m, &exact, &prompt);
    const char *text = s->text.bytes;
    counts.weakened += weak;
    for (int i = 0; i < r->count; i++) {
        const struct report *v = &r->list[i];
        counts.reports++;
        if (v->index >= (uint64_t)s->parts) {
            finding(text, "%s names history %d", name, (int)v->index);
            return;
        }
        if (!place_fits(s, v))
            finding(text, "%s: line %d and thread %d are not those of a return at event %d", name, (int)v->line,
                    v->thread, (int)v->event);
        if (seen[v->index][v->object])
            continue; /* after a violation: not judged here */
        seen[v->index][v->object] = true;
        int wrong = s->wrong[v->index][v->object];
        if (!wrong)
            finding(text, "%s%s: false alarm at event %d (noticed %d), object %d", name, all ? " --all" : "",
                    (int)v->event, (int)v->noticed, v->object);
        else if (v->event < (uint64_t)wrong || v->noticed < v->event ||
                 (exact && v->event != (uint64_t)wrong && (strict || s->h[v->index]->ops <= 10)))
            finding(text, "%s%s: reports event %d, the contradiction of object %d is complete at %d (noticed %d)%s",
                    name, all ? " --all" : "", (int)v->event, v->object, wrong, (int)v->noticed,
                    weak ? " weakened" : "");
        else if (prompt && v->noticed != v->event)
            finding(text, "%s%s: event %d noticed at %d only", name, all ? " --all" : "", (int)v->event,
                    (int)v->noticed);
        int quiet = wrong ? next_quiet(s, (int)v->index, wrong) : 0;
        if (exact && quiet && v->noticed > (uint64_t)quiet)
            finding(text, "%s%s: event %d noticed at %d, though nothing was open after %d", name, all ? " --all" : "",
                    (int)v->event, (int)v->noticed, quiet);
    }
    bool any = false, excused = !exact, missed = false;
    for (int p = 0; p < s->parts; p++)
        for (int o = 0; o < s->h[p]->objects; o++) {
            bool wrong = s->wrong[p][o];
            any = any || wrong;
            if (!wrong || seen[p][o] || (!all && r->count))
                continue;
            if (exact && (prompt || !s->open[p]))
                finding(text, "%s%s: misses the violation of object %d at event %d", name, all ? " --all" : "", o,
                        s->wrong[p][o]);
            missed = true;
            counts.missed_allowed++;
        }
    assay_verdict v = assay_monitor_verdict(m);
    if ((v == ASSAY_VIOLATION) != (r->count > 0))
        finding(text, "%s: verdict %s with %d reports", name, assay_verdict_name(v), r->count);
    if (v == ASSAY_CONSISTENT && (missed || any))
        finding(text, "%s: says consistent", name);
    bool open = false;
    for (int p = 0; p < s->parts; p++)
        open = open || s->open[p];
    if (v == ASSAY_UNDECIDED && !excused && (!open || (prompt && !open)))
        finding(text, "%s: undecided although all has returned: %s", name, assay_monitor_undecided(m));
}

/* Until it gives up, nothing is missed; afterwards nothing is reported. */
static void compare_window(const struct stream *s, const struct reports *r, const struct watch *w, const char *name)
{
    for (int p = 0; p < s->parts; p++)
        for (int o = 0; o < s->h[p]->objects; o++) {
            const struct history *h = s->h[p];
            size_t called = 0;
            bool seen = !w->all && r->count;
            for (int i = 0; i < h->ops; i++)
                called += h->op[i].object == o && h->op[i].call_event + s->first[p] < s->wrong[p][o];
            for (int i = 0; i < r->count; i++)
                if (r->list[i].index == (uint64_t)p && r->list[i].object == o) {
                    seen = true;
                    if (r->list[i].event != (uint64_t)s->wrong[p][o])
                        finding(s->text.bytes, "%s, window %d: reports event %d instead of %d", name, (int)w->window,
                                (int)r->list[i].event, s->wrong[p][o]);
                }
            if (s->wrong[p][o] && called <= w->window && !seen)
                finding(s->text.bytes, "%s, window %d: misses event %d", name, (int)w->window, s->wrong[p][o]);
        }
}

void run_monitor(const struct stream *s, const char *engine, bool all, bool by_lines)
{
    run_watch(s, &(struct watch){.engine = engine, .all = all, .by_lines = by_lines});
}

void run_watch(const struct stream *s, const struct watch *w)
{
    static struct reports r;
    assay_error e = {0};
    memset(&r, 0, sizeof r);
    assay_monitor_options o = {ASSAY_MONITOR_OPTIONS_INIT,   .engine = w->engine, .all = w->all,
                               .on_violation = on_violation, .context = &r,       .model = w->model,
                               .visibility = w->visibility,  .window = w->window};
    assay_monitor *m = assay_monitor_open(NULL, &o, &e);
    const char *text = s->text.bytes;
    char name[1600];
    snprintf(name, sizeof name, "%s%s%s%s%s", w->engine ? w->engine : "(default)", w->model ? " -m " : "",
             w->model ? w->model : "", w->visibility ? " --visibility " : "", w->visibility ? w->visibility : "");
    if (!m) {
        finding(text, "%s: no monitor: %s", name, e.message);
        return;
    }
    bool ok = true, exact, prompt;
    for (const char *at = text; *at && ok;) {
        size_t n = w->by_lines ? (size_t)(strchr(at, '\n') - at) + 1 : strlen(at);
        ok = assay_monitor_feed(m, at, n, &e);
        at += n;
    }
    ok = ok && assay_monitor_end(m, &e);
    if (!ok && e.code == ASSAY_ERROR_NOT_APPLICABLE)
        compared.not_applicable++;
    else if (!ok)
        finding(text, "%s: monitor fails: %d line %d %s (%s)", name, (int)e.code, (int)e.line, e.message, e.remedy);
    else
        compare_reports(s, m, &r, name, w->all);
    if (ok && w->window)
        compare_window(s, &r, w, name);
    if (ok && (w->model || w->visibility) && !w->window && (is_weakened(m, &exact, &prompt) || !exact || !prompt))
        finding(text, "%s: is not exact at once", name);
    assay_monitor_close(m);
}

void run_embedded(const struct stream *s)
{
    const struct history *h = s->h[0];
    static struct reports r;
    assay_error e = {0};
    char kind[64];
    struct text init = {0};
    memset(&r, 0, sizeof r);
    for (int i = 0; i < h->init_count; i++) {
        say(&init, i ? h->init_list ? ", " : " " : h->init_list ? "[" : "");
        if (h->init_keys[i] != NONE) {
            add_value(&init, h->init_keys[i]);
            say(&init, "=");
        }
        add_value(&init, h->init_values[i]);
    }
    if (h->init_list)
        say(&init, "]");
    assay_monitor_options o = {ASSAY_MONITOR_OPTIONS_INIT, .init = init.bytes, .on_violation = on_violation,
                               .context = &r};
    snprintf(kind, sizeof kind, h->parameters[0] || h->kinds[0] == COUNTING ? "%s(%d)" : "%s", kind_names[h->kinds[0]],
             h->parameters[0]);
    assay_monitor *m = assay_monitor_open(kind, &o, &e);
    if (!m) {
        finding(s->text.bytes, "no embedded monitor: %s", e.message);
        free(init.bytes);
        return;
    }
    for (int event = 1; event <= last_event(h); event++)
        for (int i = 0; i < h->ops; i++) {
            const struct op *op = &h->op[i];
            assay_value args[MAX_ARGS + 1] = {{0}};
            for (int k = 0; k <= op->arg_count; k++) {
                int v = k < op->arg_count ? op->args[k] : op->result;
                if (v != NONE)
                    args[k] = values[v].kind == 'i'   ? assay_int(values[v].integer)
                              : values[v].kind == 'w' ? assay_word(values[v].text)
                                                      : assay_string(values[v].text, strlen(values[v].text));
            }
            if (op->call_event == event)
                assay_monitor_call(m, (uint64_t)op->thread, op->name, args, (size_t)op->arg_count);
            if (op->ret_event == event)
                assay_monitor_return(m, (uint64_t)op->thread, args[op->arg_count]);
        }
    if (!assay_monitor_end(m, &e))
        finding(s->text.bytes, "the embedded monitor fails: %s", e.message);
    else
        compare_reports(s, m, &r, "(embedded)", false);
    assay_monitor_close(m);
    free(init.bytes);
}
