/* SPDX-License-Identifier: Apache-2.0 */
#include "support/shorthand.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reading {
    const char *text, *at;
    history *h;
};

static void give_up(const struct reading *r)
{
    fprintf(stderr, "shorthand: cannot read '%s' from '%s' on\n", r->text, r->at);
    abort();
}

static bool take(struct reading *r, char c)
{
    if (*r->at != c)
        return false;
    r->at++;
    return true;
}

static struct value variable(struct reading *r)
{
    if (*r->at < 'a' || *r->at > 'z')
        give_up(r);
    return (struct value){history_name(r->h, r->at++, 1), ASSAY_WORD};
}

static struct value digit(struct reading *r)
{
    if (*r->at < '0' || *r->at > '9')
        give_up(r);
    return (struct value){*r->at++ - '0', ASSAY_INT};
}

static void operation(struct reading *r, uint32_t thread)
{
    struct value args[3];
    struct new_op op = {.thread = thread, .object = ID_NONE, .args = args};
    const char *method = "fence";
    if (take(r, 'w')) {
        method = "write";
        args[op.arity++] = variable(r);
        args[op.arity++] = digit(r);
    } else if (take(r, 'u')) {
        method = "rmw";
        args[op.arity++] = variable(r);
        args[op.arity++] = digit(r);
        args[op.arity++] = digit(r);
    } else if (take(r, 'r')) {
        method = "read";
        args[op.arity++] = variable(r);
        if (*r->at != '?')
            op.result = digit(r);
    } else if (!take(r, 'f')) {
        give_up(r);
    }
    op.pending = take(r, '?');
    op.method = history_name(r->h, method, strlen(method));
    history_append(r->h, &op);
}

static void read_all(void *arg)
{
    struct reading *r = arg;
    r->h = history_new();
    for (unsigned t = 0; *r->at; t++) {
        char name[16];
        int length = snprintf(name, sizeof name, "t%u", t);
        uint32_t thread = history_thread(r->h, history_name(r->h, name, (size_t)length));
        while (*r->at && !take(r, '|'))
            if (!take(r, ' '))
                operation(r, thread);
    }
}

history *shorthand(const char *text)
{
    struct reading r = {.text = text, .at = text};
    if (escape_run(read_all, &r) != ESCAPE_NONE)
        give_up(&r);
    return r.h;
}
