/* SPDX-License-Identifier: Apache-2.0 */
#include "monitor_reported.h"

#include "output.h"

#include <stdlib.h>
#include <string.h>

void monitor_reported_add(struct monitor_reported *r, uint64_t index, uint64_t event, const char *object, size_t length)
{
    char *name = grow(NULL, length + 1);
    memcpy(name, object, length);
    name[length] = '\0';
    r->at = grow(r->at, (r->n + 1) * sizeof *r->at);
    r->at[r->n++] = (struct reported_violation){index, event, name};
}

bool monitor_reported_before(struct monitor_reported *r, const assay_monitor_violation *v, bool at_end)
{
    const char *object = v->object ? v->object : "";
    for (size_t i = 0; i < r->n; i++) {
        struct reported_violation *x = &r->at[i];
        if (x->index != v->index || x->event != v->event || strcmp(x->object, object) != 0)
            continue;
        if (!at_end) {
            free(x->object);
            *x = r->at[--r->n];
        }
        return true;
    }
    if (at_end)
        monitor_reported_add(r, v->index, v->event, object, strlen(object));
    return false;
}

void monitor_reported_free(struct monitor_reported *r)
{
    for (size_t i = 0; i < r->n; i++)
        free(r->at[i].object);
    free(r->at);
    *r = (struct monitor_reported){0};
}
