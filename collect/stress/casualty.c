/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/stress/casualty.h"

#include "base/budget.h"
#include "collect/stress/client_file.h"
#include "collect/stress/leftovers.h"
#include "collect/stress/record_log.h"

#include <signal.h>
#include <stdlib.h>

static const char *signal_name(int number)
{
    static const struct {
        int number;
        const char *name;
    } names[] = {{SIGSEGV, "SIGSEGV"}, {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},
                 {SIGILL, "SIGILL"},   {SIGKILL, "SIGKILL"}, {SIGTRAP, "SIGTRAP"}, {SIGSYS, "SIGSYS"},
                 {SIGALRM, "SIGALRM"}, {SIGUSR1, "SIGUSR1"}, {SIGUSR2, "SIGUSR2"}, {SIGQUIT, "SIGQUIT"},
                 {SIGXCPU, "SIGXCPU"}, {SIGTERM, "SIGTERM"}, {SIGINT, "SIGINT"},   {SIGHUP, "SIGHUP"},
                 {SIGSTOP, "SIGSTOP"}, {SIGTSTP, "SIGTSTP"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].number == number)
            return names[i].name;
    return "another signal";
}

/* What an implementation says may have bytes that no terminal should see. */
static void add_plainly(struct text *out, const char *said, size_t most)
{
    for (size_t i = 0; i < most && said[i]; i++)
        text_char(out, said[i] >= ' ' && said[i] < 0x7f ? said[i] : '?');
}

static const char *describe_end(const struct runner *r, struct process_end end, const char *who, struct mem *mem)
{
    double hang = r->settings->hang;
    struct text out = text_in(mem);
    switch (end.kind) {
    case PROCESS_HUNG:
        text_printf(&out, "%sno call returned for %g seconds", who ? "lost wake-up: " : "", hang);
        if (who)
            text_printf(&out, ", and %s", who);
        break;
    case PROCESS_BROKE: add_plainly(&out, r->run->broken, sizeof r->run->broken); break;
    case PROCESS_LOST_THREAD: text_puts(&out, "a thread ended in the midst of a run"); break;
    case PROCESS_PAUSED:
        text_printf(&out, "the process was stopped by signal %d (%s)", end.number, signal_name(end.number));
        break;
    case PROCESS_LOST: text_puts(&out, "the parent of the process was killed, and the process with it"); break;
    case PROCESS_MEDDLED: text_puts(&out, "the process damaged memory or files that it shares with the harness"); break;
    case PROCESS_KILLED: text_printf(&out, "signal %d (%s)", end.number, signal_name(end.number)); break;
    case PROCESS_EXITED:
        if (end.finished && end.number == LEFTOVERS_STATUS) {
            text_puts(&out, "memory was left that nobody can free (LeakSanitizer), after all runs");
            break;
        }
        /* fall through */
    default:
        text_printf(&out, "the process ended with status %d%s", end.number,
                    end.finished ? " after all runs" : " in the midst of a run");
    }
    return text_get(&out);
}

/* ---- the calls ---- */

/* The memory is copied: reading puts texts in place of addresses. */
static assay_history *read_calls(const struct runner *r)
{
    size_t size, length = 0;
    char *bytes = record_log_copy(r->recorder, &size), *text = NULL;
    assay_history *h = NULL;
    struct record_log log;
    if (!bytes)
        return NULL;
    if (record_log_read(&log, bytes, size))
        text = judge_text(r->settings->adapter, &log.recorder, &length);
    record_log_release(&log);
    free(bytes);
    if (text)
        h = judge_read(text, length, NULL);
    free(text);
    return h;
}

static const char *describe_stages(const struct runner *r, struct mem *mem)
{
    static const char *const names[] = {[STAGE_CREATE] = "create",
                                        [STAGE_ENTER] = "enter",
                                        [STAGE_LEAVE] = "leave",
                                        [STAGE_INVARIANT] = "invariant",
                                        [STAGE_DESTROY] = "destroy"};
    struct text out = text_in(mem);
    bool inside = false;
    for (unsigned t = 0; t < r->settings->threads; t++) {
        uint8_t stage = atomic_load(&r->run->threads[t].stage);
        inside |= stage_is_inside(stage);
        if (stage < sizeof names / sizeof *names && names[stage])
            text_printf(&out, "  t%u was in `%s`\n", t, names[stage]);
    }
    if (!inside)
        text_puts(&out, "  no thread was in the implementation: an earlier call may have damaged the memory\n");
    return text_get(&out);
}

/* That of the last run; of the program's first one, if the shared memory does not have it any more. */
static uint64_t find_seed(const struct runner *r)
{
    uint64_t seed = atomic_load(&r->run->seed);
    for (unsigned i = 0; i < r->settings->repeats; i++)
        if (runner_seed(r, r->programs, i) == seed)
            return seed;
    return runner_seed(r, r->programs, 0);
}

struct stress_casualty casualty_of(const struct runner *r, struct process_end end, bool sound, const char *who,
                                   struct mem *mem)
{
    struct text client = text_in(mem), file = text_in(mem);
    struct stress_casualty c = {.how = describe_end(r, end, who, mem),
                                .hung = end.kind == PROCESS_HUNG,
                                .broken = end.kind == PROCESS_BROKE,
                                .run = r->runs,
                                .after = budget_now() - r->started,
                                .where = ""};
    if (end.finished && end.kind != PROCESS_MEDDLED && end.kind != PROCESS_BROKE)
        return c;
    c.program = r->programs;
    struct client p = runner_program(r, c.program, mem);
    client_show(&p, r->words, &client);
    client_file_write(&file, &p, r->words, find_seed(r));
    c.client = text_get(&client);
    c.file = text_get(&file);
    c.where = c.broken ? "" : describe_stages(r, mem);
    c.history = sound ? read_calls(r) : NULL;
    return c;
}
