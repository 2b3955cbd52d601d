/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/stress/roles.h"

#include "collect/stress/stress.h"

#include <string.h>

static bool read_number(const char **at, unsigned *out)
{
    const char *from = *at;
    for (*out = 0; **at >= '0' && **at <= '9' && *out < STRESS_MOST_THREADS; ++*at)
        *out = 10 * *out + (unsigned)(**at - '0');
    return *at > from && *out < STRESS_MOST_THREADS;
}

/* 2, 2-4 or 2- */
static bool read_range(const char **at, role *out)
{
    unsigned first, last;
    if (!read_number(at, &first))
        return false;
    last = first;
    if (**at == '-') {
        ++*at;
        last = STRESS_MOST_THREADS - 1;
        if (**at && **at != '+' && **at != ',' && !read_number(at, &last))
            return false;
    }
    for (unsigned t = first; t <= last; t++)
        *out |= (role)1 << t;
    return first <= last;
}

bool roles_next(const char **at, const char **method, size_t *length, role *out)
{
    *method = *at;
    *length = strcspn(*at, "=,");
    *at += *length;
    *out = 0;
    if (!*length || *(*at)++ != '=')
        return false;
    bool fine = read_range(at, out);
    while (fine && **at == '+') {
        ++*at;
        fine = read_range(at, out);
    }
    fine &= !**at || **at == ',';
    *at += **at == ',';
    return fine;
}

static bool is_called(const assay_adapter *a, size_t method, const char *roles, unsigned thread)
{
    const char *name, *at = roles;
    size_t length;
    role r;
    while (at && *at && roles_next(&at, &name, &length, &r))
        if (strlen(a->methods[method].name) == length && memcmp(a->methods[method].name, name, length) == 0 &&
            !role_has(r, thread))
            return false;
    return true;
}

unsigned stress_threads(const assay_adapter *a, const char *roles, unsigned most)
{
    for (unsigned t = 0; t < most; t++) {
        bool any = false;
        for (size_t i = 0; a->methods[i].name; i++)
            any |= a->methods[i].weight && is_called(a, i, a->roles, t) && is_called(a, i, roles, t);
        if (!any)
            return t ? t : 1;
    }
    return most;
}
