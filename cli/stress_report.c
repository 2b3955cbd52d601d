/* SPDX-License-Identifier: Apache-2.0 */
#include "stress_report.h"

#include "output.h"
#include "settings.h"

#include <stdlib.h>

static double rate(const struct stress_outcome *o)
{
    return o->seconds > 0 ? (double)o->runs / o->seconds : 0;
}

/* Of a campaign that found nothing: how much of a chance it had. */
static void print_doubts(const struct stress_settings *s, const struct stress_outcome *o)
{
    unsigned long long runs = o->runs - o->waits;
    if (o->violations || o->casualties || !o->runs)
        return;
    if (o->never && !s->replay)
        printf("  never called: %s\n", o->never);
    if (s->threads < 2)
        return;
    if (!o->overlapping && runs)
        puts("  calls of different threads never overlapped: no race had a chance to show");
    else if (runs)
        printf("  calls of different threads overlapped in %llu of %llu runs\n", (unsigned long long)o->overlapping,
               runs);
    if (!o->points)
        puts("  no ASSAY_POINT was reached: schedules differ only by chance");
}

static void print_initial(const struct stress_settings *s)
{
    const char *initial = s->initial ? s->initial : s->adapter->initial;
    if (initial)
        printf("  initial content: %s\n", initial);
}

static void print_counts(const struct stress_settings *s, const struct stress_outcome *o)
{
    printf("  %llu program%s of %u thread%s and %u call%s, %llu runs, %llu distinct histories, "
           "%llu violation%s",
           (unsigned long long)o->programs, plural(o->programs), s->threads, plural(s->threads), s->invocations,
           plural(s->invocations), (unsigned long long)o->runs, (unsigned long long)o->distinct,
           (unsigned long long)o->violations, plural(o->violations));
    if (o->undecided)
        printf(", %llu undecided", (unsigned long long)o->undecided);
    if (o->waits)
        printf(", %llu run%s ended in calls that wait", (unsigned long long)o->waits, plural(o->waits));
    if (o->casualties)
        printf(", %llu process%s ended early", (unsigned long long)o->casualties, o->casualties == 1 ? "" : "es");
    putchar('\n');
    if (o->left_out)
        printf("  left out: %s\n", o->left_out);
    if (o->calls_failed)
        printf("  %llu of %llu calls failed without an effect; no history has them\n",
               (unsigned long long)o->calls_failed, (unsigned long long)o->calls_made);
    print_doubts(s, o);
    if (o->left_threads)
        printf("  %u threads were left when all objects had been destroyed: does `destroy` join its threads?\n",
               o->left_threads);
    printf("  %.2f seconds, %.0f runs a second\n", o->seconds, rate(o));
}

static void print_casualty(const struct stress_settings *s, const struct stress_casualty *c, struct stress_files *x)
{
    printf("%s: %s: %s\n", s->adapter->name, c->broken ? "INVARIANT" : c->hung ? "HANG" : "CRASH", c->how);
    if (c->waits)
        printf(
            "  in every state that the other calls allow, those that did not return can only answer so; if they wait "
            "instead: --waits %s\n",
            c->waits);
    if (!c->program) {
        printf("  seed %llu; a sanitizer or a function of atexit made it so\n", (unsigned long long)s->seed);
        return;
    }
    print_initial(s);
    printf("  after %.2f seconds, in program %llu of seed %llu, run %llu:\n", c->after, (unsigned long long)c->program,
           (unsigned long long)s->seed, (unsigned long long)c->run);
    fputs(c->client, stdout);
    if (c->history && assay_history_size(c->history)) {
        printf("  the calls that ran (`?`: it did not return; `after`: what had returned before in other threads):\n");
        stress_show(c->history, stdout);
    } else {
        printf(c->history ? "  no call had begun\n" : "  the record of the calls is damaged\n");
    }
    fputs(c->where, stdout);
    if (c->waits)
        printf(
            "  the calls that did not return could only have answered as in `%s`, whatever the order of the others;\n"
            "  if they wait instead, say so: --waits %s\n",
            c->waits, c->waits);
    printf("  the client program is in %s; to run it again, also under gdb --args:\n    ",
           stress_files_path(x, CRASH_CLIENT));
    stress_files_replay(stdout, x, CRASH_CLIENT);
}

static void print_files(const struct stress_outcome *o, struct stress_files *x)
{
    printf("  the whole history of this program is in %s, ", stress_files_path(x, VIOLATION_HISTORY));
    printf("the program in %s; to run it again:\n    ", stress_files_path(x, VIOLATION_CLIENT));
    stress_files_replay(stdout, x, VIOLATION_CLIENT);
    if (!o->found_whole)
        return;
    printf("  before shrinking it had %u calls: its whole history is in %s, ", o->found_calls,
           stress_files_path(x, FOUND_HISTORY));
    printf("the program in %s\n", stress_files_path(x, FOUND_CLIENT));
}

void stress_text(const struct stress_settings *s, const struct stress_outcome *o, struct stress_files *x)
{
    const char *name = s->adapter->name, *seen = s->check.visibility;
    if (o->casualties)
        print_casualty(s, &o->casualty, x);
    if (!o->result && o->casualties) {
        print_counts(s, o);
        return;
    }
    if (!o->result) {
        printf("%s: no violation of %s%s%s\n", name, s->model, seen ? ", but " : "", seen ? seen : "");
        print_counts(s, o);
        return;
    }
    const char *pattern = assay_result_pattern(o->result);
    printf("%s: ", name);
    put_painted(stdout, wants_color() ? "1;31" : NULL, "VIOLATION");
    printf(" of %s%s%s%s%s\n", s->model, seen ? ", but " : "", seen ? seen : "", pattern ? ": " : "",
           pattern ? pattern : "");
    print_initial(s);
    printf("  found after %.2f seconds, in program %llu; ", o->found_after, (unsigned long long)o->found_in);
    if (s->replay || !(s->shrink > 0))
        printf("the program of %u call%s:\n", o->calls, plural(o->calls));
    else
        printf("shrunk in %.2f seconds to a program of %u call%s:\n", o->shrunk_in, o->calls, plural(o->calls));
    fputs(o->program, stdout);
    printf("  what it did (`after`: what had returned before in other threads):\n");
    stress_show(o->whole, stdout);
    if (assay_history_size(o->history) < assay_history_size(o->whole)) {
        printf("  the smallest part found that still violates %s:\n", s->model);
        stress_show(o->history, stdout);
    }
    if (o->one_thread)
        puts("  one thread is enough: look at the adapter or the specification first");
    if (!s->replay)
        print_files(o, x);
    print_counts(s, o);
}

static char *history_text(const assay_history *h)
{
    char *text;
    size_t size;
    FILE *f = memory_stream(&text, &size);
    put_history(h, f);
    memory_close(f, &text);
    return text;
}

static void print_casualty_object(const struct stress_casualty *c, struct stress_files *x)
{
    char *text = c->history ? history_text(c->history) : NULL;
    printf(",\"crash\":{\"hang\":%s,\"invariant\":%s,\"seconds\":%.3f,\"run\":%llu", c->hung ? "true" : "false",
           c->broken ? "true" : "false", c->after, (unsigned long long)c->run);
    print_json_text(stdout, ',', "how", c->how);
    if (c->waits)
        print_json_text(stdout, ',', "waits", c->waits);
    if (c->program) {
        print_json_number(stdout, "program", c->program, true);
        print_json_text(stdout, ',', "client", c->client);
        print_json_text(stdout, ',', "history", text);
        print_json_text(stdout, ',', "file", stress_files_path(x, CRASH_CLIENT));
    }
    putchar('}');
    free(text);
}

void stress_object(const struct stress_settings *s, const struct stress_outcome *o, struct stress_files *x,
                   const char *model)
{
    print_json_text(stdout, '{', "implementation", s->adapter->name);
    print_json_text(stdout, ',', "object", s->adapter->object);
    print_json_model(stdout, ',', model ? model : s->model);
    const char *const texts[][2] = {{"visibility", s->check.visibility},
                                    {"initial", s->initial ? s->initial : s->adapter->initial},
                                    {"never_called", o->never}};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        print_json_text(stdout, ',', texts[i][0], texts[i][1]);
    printf(",\"threads\":%u,\"invocations\":%u,\"seed\":%llu,\"programs\":%llu,\"runs\":%llu,\"distinct\":%llu,"
           "\"violations\":%llu,\"undecided\":%llu,\"failed_calls\":%llu,\"waits\":%llu,\"points\":%llu,"
           "\"overlapping\":%llu,\"crashes\":%"
           "llu,\"seconds\":%.3f,"
           "\"rate\":%.0f",
           s->threads, s->invocations, (unsigned long long)s->seed, (unsigned long long)o->programs,
           (unsigned long long)o->runs, (unsigned long long)o->distinct, (unsigned long long)o->violations,
           (unsigned long long)o->undecided, (unsigned long long)o->calls_failed, (unsigned long long)o->waits,
           (unsigned long long)o->points, (unsigned long long)o->overlapping, (unsigned long long)o->casualties,
           o->seconds, rate(o));
    if (o->left_out)
        print_json_text(stdout, ',', "left_out", o->left_out);
    if (o->casualties)
        print_casualty_object(&o->casualty, x);
    if (o->result) {
        char *text = history_text(o->history);
        printf(",\"found\":{\"seconds\":%.3f,\"program\":%llu,\"calls\":%u", o->found_after,
               (unsigned long long)o->found_in, o->calls);
        print_json_text(stdout, ',', "reason", assay_result_pattern(o->result));
        print_json_text(stdout, ',', "client", o->program);
        print_json_text(stdout, ',', "history", text);
        if (!s->replay) {
            print_json_text(stdout, ',', "whole", stress_files_path(x, VIOLATION_HISTORY));
            print_json_text(stdout, ',', "file", stress_files_path(x, VIOLATION_CLIENT));
        }
        if (!s->replay && o->found_whole) {
            print_json_text(stdout, ',', "found_whole", stress_files_path(x, FOUND_HISTORY));
            print_json_text(stdout, ',', "found_file", stress_files_path(x, FOUND_CLIENT));
        }
        putchar('}');
        free(text);
    }
    puts("}");
}
