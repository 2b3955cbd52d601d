/* SPDX-License-Identifier: Apache-2.0 */
/* An object that counts something, in words: the possible amounts where the culprit tells another one. */
#include "report/describe_part.h"

#include "history/token.h"

/* "can have had 2 to 5", or "had 2". The bounds count removals that may have found nothing, too, but nothing is there
 * less often than never, nor is a balance below 0. */
static void had(struct text *t, const struct explanation *x, const char *possibly, const char *surely)
{
    int64_t least = x->least < 0 && x->most >= 0 ? 0 : x->least;
    text_puts(t, x->most > least ? possibly : surely);
    text_int(t, least);
    if (x->most > least) {
        text_puts(t, " to ");
        text_int(t, x->most);
    }
}

static void first_argument(struct text *t, const result *r)
{
    token_print(t, r->h, history_written(r->h, r->evidence.culprit, 0));
}

/* The call released it. Unless it is to blame alone, another one that overlaps it may have come later. */
static void released(struct text *t, const result *r)
{
    bool rw = r->facts->counts == COUNTS_RWLOCK, writer = rw && r->explanation.counted;
    if (r->explanation.alone)
        text_printf(t, ": %s can have held it then", !rw ? "nobody" : writer ? "no writer" : "no reader");
    else
        text_printf(t, ": with it, more calls have released it%s than can have taken it",
                    !rw      ? ""
                    : writer ? " for writing"
                             : " for reading");
}

static void of_lock(struct text *t, const result *r)
{
    enum pattern p = r->evidence.pattern;
    bool rw = r->facts->counts == COUNTS_RWLOCK;
    if (p == PATTERN_ReleasedTooOften)
        released(t, r);
    else if (p == PATTERN_RefusedWhileFree)
        text_puts(t, rw ? ": nobody who excludes it can have held it then" : ": nobody can have held it then");
    else if (r->explanation.alone)
        text_puts(t, ": another call held it, and none that releases it had begun");
    else
        text_puts(t, rw ? ": with it, calls hold it that exclude each other" : ": with it, two calls hold it");
}

static void of_semaphore(struct text *t, const result *r)
{
    const struct evidence *ev = &r->evidence;
    bool taken = ev->pattern == PATTERN_TakenTooOften, counting = r->facts->counts == COUNTS_PLACES;
    if (ev->pattern == PATTERN_ReleasedTooOften)
        released(t, r);
    else if (counting && taken)
        text_puts(t, ": with it, more calls have taken it than its value and the posts allow");
    else if (counting)
        text_printf(t, ": its value was at least %lld then", (long long)r->explanation.least);
    else if (taken)
        text_printf(t, ": with it, at least %lld hold the semaphore", (long long)r->explanation.least);
    else
        text_printf(t, ": at most %lld can have held it then", (long long)r->explanation.most);
}

static void of_bank(struct text *t, const result *r)
{
    if (r->explanation.most < 0) { /* the bounds behind the call */
        text_printf(t, ": with it, account %u would have at most %lld", (unsigned)r->explanation.counted,
                    (long long)r->explanation.most);
        return;
    }
    text_printf(t, ": account %u", (unsigned)r->explanation.counted);
    had(t, &r->explanation, " can have had ", " had ");
    text_puts(t, " then");
}

static void of_multiset(struct text *t, const result *r)
{
    const struct evidence *ev = &r->evidence;
    if (ev->pattern == PATTERN_RemovedTwice) {
        text_puts(t, ": by then it was taken out more often than it can have been put in");
    } else if (ev->pattern == PATTERN_SeenAfterRemoved) {
        text_puts(t, ": by then it had been taken out as often as it can have been put in");
    } else {
        text_puts(t, ": ");
        first_argument(t, r);
        had(t, &r->explanation, " can have been in ", " was in ");
        text_puts(t, r->explanation.most == 1 ? " time then" : " times then");
    }
}

static void of_map(struct text *t, const result *r)
{
    const struct evidence *ev = &r->evidence;
    if (ev->pattern == PATTERN_CountOutOfReach) {
        had(t, &r->explanation, ": the map can have had ", ": the map had ");
        text_puts(t, r->explanation.most == 1 ? " key then" : " keys then");
        return;
    }
    text_puts(t, ev->pattern == PATTERN_MissedWhileIn ? ": at each moment some key had "
                                                      : ": by then no key can have had ");
    first_argument(t, r);
    text_puts(t, ev->pattern == PATTERN_MissedWhileIn ? "" : " any more");
}

bool describe_amount(struct text *t, const result *r)
{
    const struct evidence *ev = &r->evidence;
    bool known = r->explanation.least <= r->explanation.most, absent = ev->pattern == PATTERN_RemovedNeverAdded;
    if (!known || absent || ev->pattern == PATTERN_RemovedBeforeAdded) /* no call of it, which has its own sentence */
        return false;
    switch (r->facts->counts) {
    case COUNTS_LOCK:
    case COUNTS_RWLOCK: of_lock(t, r); return true;
    case COUNTS_HOLDERS:
    case COUNTS_PLACES: of_semaphore(t, r); return true;
    case COUNTS_BALANCES: of_bank(t, r); return true;
    case COUNTS_COPIES: of_multiset(t, r); return true;
    case COUNTS_KEYS: of_map(t, r); return true;
    default: return false;
    }
}
