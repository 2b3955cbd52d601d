/* SPDX-License-Identifier: Apache-2.0 */
/* A skip list as a set: the values of the set are the keys of the list. */
#ifndef ASSAY_COLLECT_SKIP_SET_H
#define ASSAY_COLLECT_SKIP_SET_H

#include "collect/implement/shared.h"
#include "collect/implement/skip_list.h"

static inline assay_answer skip_set_call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    int64_t old;
    if (method == SET_ADD)
        return assay_answer_bool(!skip_list_put_if_absent(object, thread, args[0], 1, &old));
    if (method == SET_REMOVE)
        return assay_answer_bool(skip_list_remove(object, args[0], &old));
    return assay_answer_bool(skip_list_get(object, args[0], &old));
}

#endif
