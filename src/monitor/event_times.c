/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor/event_times.h"

#include "base/image.h"

#include <inttypes.h>
#include <time.h>

void event_times_init(struct event_times *t, struct mem *m)
{
    t->at = mem_new_zero(m, struct event_time, TIMES_KEPT);
}

void event_times_note(struct event_times *t, uint64_t step)
{
    if (t->at)
        t->at[step % TIMES_KEPT] = (struct event_time){step, t->given ? t->next : (int64_t)time(NULL), t->given};
    t->given = false;
}

const struct event_time *event_times_find(const struct event_times *t, uint64_t step)
{
    return t->at && t->at[step % TIMES_KEPT].step == step ? &t->at[step % TIMES_KEPT] : NULL;
}

static unsigned digits_of(enum clock_unit unit) /* of a fraction of a second */
{
    switch (unit) {
    case CLOCK_NS: return 9;
    case CLOCK_US: return 6;
    case CLOCK_MS: return 3;
    default: return 0;
    }
}

void event_times_print(const struct event_time *e, enum clock_unit unit, struct text *out)
{
    unsigned digits = e->given ? digits_of(unit) : 0;
    int64_t parts = 1, seconds, rest;
    for (unsigned i = 0; i < digits; i++)
        parts *= 10;
    seconds = e->time / parts - (e->time % parts < 0);
    rest = e->time - seconds * parts;
    time_t then = (time_t)seconds;
    struct tm utc;
    char date[40];
    bool known = !e->given || unit != CLOCK_UNSAID;
    if (!known || !gmtime_r(&then, &utc) || !strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &utc)) {
        text_printf(out, "%" PRId64, e->time);
        return;
    }
    text_puts(out, date);
    if (digits)
        text_printf(out, ".%0*" PRId64, (int)digits, rest);
    text_char(out, 'Z');
}

void event_times_image(struct event_times *t, struct image *x)
{
    uint32_t used = 0, n;
    for (uint32_t i = 0; !x->loads && t->at && i < TIMES_KEPT; i++)
        used += t->at[i].step > 0;
    n = image_count(x, used, sizeof *t->at);
    for (uint32_t i = 0, saved = 0; saved < n; i++) {
        struct event_time e = x->loads ? (struct event_time){0} : t->at[i];
        if (!x->loads && !e.step)
            continue;
        image_plain(x, &e);
        saved++;
        if (x->loads && t->at)
            t->at[e.step % TIMES_KEPT] = e;
    }
}
