/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/stress/hang.h"

#include "base/budget.h"
#include "base/hash.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const double pause_between_looks = 0.1;

void hang_begin(struct hang_watch *w, const struct shared_run *run, pid_t process, double limit, double moment)
{
    *w = (struct hang_watch){.run = run, .process = process, .limit = limit, .moment = moment, .looked = budget_now()};
}

/* Changes with every step that a thread makes. */
static uint64_t progress_of(const struct shared_run *run)
{
    uint64_t sum = atomic_load(&run->runs);
    for (unsigned t = 0; t < STRESS_MOST_THREADS; t++)
        sum = hash_join(sum, atomic_load(&run->threads[t].calls) * 8 + atomic_load(&run->threads[t].stage));
    return sum;
}

/* The processor time that the thread has used, to the nanosecond; false: not to be had. */
static bool read_used(pid_t process, int32_t id, double *used)
{
    char path[64];
    unsigned long long ns;
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/schedstat", (long)process, (long)id);
    FILE *from = fopen(path, "r");
    bool read = from && fscanf(from, "%llu", &ns) == 1 && ns;
    if (from)
        fclose(from);
    if (read)
        *used = (double)ns / 1e9;
    return read;
}

/* The thread's letter in /proc and the seconds that it has used; false: not to be had. R: it runs or waits for a core.
 * S: it sleeps. Z, X: it has ended; X stands also for a thread that the system does not list any more. */
static bool read_thread(pid_t process, int32_t id, char *state, double *used)
{
    static const double ticks_a_second = 100; /* USER_HZ where sysconf does not say */
    long rate = sysconf(_SC_CLK_TCK);
    char path[64], line[512];
    unsigned long long user, system;
    snprintf(path, sizeof path, "/proc/%ld/task/%ld/stat", (long)process, (long)id);
    errno = 0;
    FILE *from = fopen(path, "r");
    size_t n = from ? fread(line, 1, sizeof line - 1, from) : 0;
    bool ended = errno == ENOENT || errno == ESRCH;
    if (from)
        fclose(from);
    line[n] = 0;
    *state = 'X';
    *used = 0;
    if (ended)
        return true;
    const char *after_name = strrchr(line, ')');
    if (!after_name ||
        sscanf(after_name, ") %c %*s %*s %*s %*s %*s %*s %*s %*s %*s %*s %llu %llu", state, &user, &system) != 3)
        return false;
    if (!read_used(process, id, used)) /* a tick may stand for much less */
        *used = (double)(user + system) / (rate > 0 ? (double)rate : ticks_a_second);
    return true;
}

static double between_looks(const struct hang_watch *w)
{
    return w->moment > 0 ? w->moment / 2 : pause_between_looks;
}

static bool has_ended(char state)
{
    return state == 'Z' || state == 'X';
}

/* How much time the thread had of the seconds that have passed. One that sleeps now, but has run meanwhile, need not
 * have slept for longer than a look takes. */
static double time_had(struct hang_watch *w, unsigned t, double passed)
{
    int32_t id = atomic_load(&w->run->threads[t].id);
    double before = w->threads[t].used, look = between_looks(w);
    char state;
    if (!id || !read_thread(w->process, id, &state, &w->threads[t].used))
        return passed;
    double used = w->threads[t].used - before;
    if (state == 'S' && used > 0)
        used = look;
    else if (state == 'S' || has_ended(state))
        used = passed;
    return used < passed ? used : passed;
}

/* The sleeper is looked for after the thread that has ended, not before. */
static bool lost_a_thread(const struct hang_watch *w)
{
    bool ended = false, sleeps = false;
    char state;
    double used;
    for (unsigned t = 0; t < STRESS_MOST_THREADS && !ended; t++) {
        int32_t id = atomic_load(&w->run->threads[t].id);
        ended = id && read_thread(w->process, id, &state, &used) && has_ended(state);
    }
    for (unsigned t = 0; ended && t < STRESS_MOST_THREADS && !sleeps; t++) {
        int32_t id = atomic_load(&w->run->threads[t].id);
        sleeps = id && read_thread(w->process, id, &state, &used) && state == 'S';
    }
    return ended && sleeps;
}

enum hang_state hang_look(struct hang_watch *w)
{
    double now = budget_now(), passed = now - w->looked;
    if (passed < between_looks(w))
        return HANG_NONE;
    if (lost_a_thread(w))
        return HANG_OF_A_LOST_THREAD;
    uint64_t progress = progress_of(w->run);
    bool moved = progress != w->progress, inside = false, hangs = w->limit > 0, settled = w->moment > 0;
    w->looked = now;
    w->progress = progress;
    w->told &= !moved;
    for (unsigned t = 0; t < STRESS_MOST_THREADS; t++) {
        uint8_t stage = atomic_load(&w->run->threads[t].stage);
        if (stage == STAGE_OUTSIDE)
            continue;
        double had = time_had(w, t, passed);
        w->threads[t].time = moved ? 0 : w->threads[t].time + had;
        inside |= stage_is_inside(stage);
        hangs &= w->threads[t].time >= w->limit;
        settled &= stage == STAGE_CALL && w->threads[t].time >= w->moment;
    }
    if (inside && hangs)
        return HANG_OF_CALLS;
    if (!inside || !settled || w->told)
        return HANG_NONE;
    w->told = true;
    return HANG_SETTLED;
}
