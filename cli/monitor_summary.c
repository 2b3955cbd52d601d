/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor_summary.h"

#include "interrupt.h"
#include "output.h"

#include <inttypes.h>
#include <string.h>

/* Since when the monitor is not exact, " from event 12 on (line 13)", or "". */
static const char *since(const assay_monitor_use *use, char room[80])
{
    room[0] = '\0';
    if (use->weakened_event)
        snprintf(room, 80, " from event %" PRIu64 " on", use->weakened_event);
    if (use->weakened_line)
        snprintf(room + strlen(room), 80 - strlen(room), " (line %" PRIu64 ")", use->weakened_line);
    return room;
}

static const char *guarantee(const struct monitor_summary *s, const assay_monitor_use *use)
{
    if (use->unchecked)
        return s->all ? "exact until the violation of an object that is not checked after it"
                      : "exact until a violation: its object is not checked after it (--all goes on with it)";
    if (use->deferred)
        return "exact: every violation is reported, when its window is checked";
    return use->prompt ? "exact: every violation is reported, at the event that makes it certain"
                       : "exact: every violation is reported, once the operations that overlap it have returned";
}

void monitor_summary_print(const struct monitor_summary *s, const char *reason, bool fault)
{
    const assay_monitor_stats all = assay_monitor_statistics(s->monitor), *stats = &all;
    printf("%s: ", spoken(s->file));
    if (stats->violations)
        printf("%" PRIu64 " violation%s", stats->violations, plural(stats->violations));
    else
        fputs("no violation", stdout);
    printf(" in %" PRIu64 " event%s", stats->events, plural(stats->events));
    fputs(interrupted() ? " so far (interrupted)\n" : fault ? " before the fault\n" : "\n", stdout);
    assay_monitor_use use;
    for (size_t i = 0; (use = assay_monitor_used(s->monitor, i)).kind; i++) {
        char room[80];
        printf("  %s: %s, ", use.kind, use.engine);
        if (use.exact)
            fputs(guarantee(s, &use), stdout);
        else
            printf("sound only%s: what it reports is a violation, but it may miss some", since(&use, room));
        if (use.weakened) {
            fputs(" (", stdout);
            show(stdout, use.weakened);
            if (use.objects > 1)
                printf("; %" PRIu64 " of %" PRIu64 " objects", use.weak, use.objects);
            putchar(')');
        }
        putchar('\n');
    }
    if (!stats->violations && reason && !fault)
        fputs("  undecided: ", stdout), show(stdout, reason), putchar('\n');
    if (stats->kept)
        printf("  %" PRIu64 " transaction%s forgotten, at most %" PRIu64 " kept after a check\n", stats->forgotten,
               plural(stats->forgotten), stats->kept);
    if (stats->open)
        printf("  %" PRIu64 " call%s open, the oldest for %" PRIu64 " event%s; %" PRIu64
               " event%s for such a call, and %s not judged yet\n",
               stats->open, stats->open == 1 ? " is" : "s are", stats->oldest, plural(stats->oldest), stats->waiting,
               stats->waiting == 1 ? " waits" : "s wait", stats->waiting == 1 ? "is" : "are");
    for (size_t i = 0; (use = assay_monitor_used(s->monitor, i)).kind; i++)
        if (use.unknown)
            printf("  %" PRIu64 " %s%s not checked: no event has told yet what it holds\n", use.unknown, use.kind,
                   use.unknown == 1 ? " is" : "s are");
    if (stats->abandoned)
        printf("  %" PRIu64 " call%s never returned: the client is taken for dead\n", stats->abandoned,
               plural(stats->abandoned));
    if (stats->unchecked)
        printf("  %" PRIu64 " event%s of objects that are not checked any more\n", stats->unchecked,
               plural(stats->unchecked));
    if (stats->malformed)
        printf("  %" PRIu64 " malformed line%s skipped%s\n", stats->malformed, plural(stats->malformed),
               stats->violations ? ": a violation behind one may rest on it" : "");
    if (stats->from_before)
        printf("  %" PRIu64 " return%s of calls from before the start\n", stats->from_before,
               plural(stats->from_before));
    if (stats->late)
        printf("  %" PRIu64 " of them came after %" PRIu64 " events: a report before may rest on such a call\n",
               stats->late, s->settle);
    if (s->command->failed || s->command->passed_over)
        printf("  the command failed for %" PRIu64 " violation%s, and was not run for %" PRIu64 "\n",
               s->command->failed, plural(s->command->failed), s->command->passed_over);
    if (stats->left_out)
        printf("  %" PRIu64 " operation%s omitted: what held before the cut is unknown\n", stats->left_out,
               plural(stats->left_out));
}
