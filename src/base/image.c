/* SPDX-License-Identifier: Apache-2.0 */
#include "base/image.h"

#include "base/escape.h"

#include <string.h>

void image_bytes(struct image *x, void *part, size_t n)
{
    if (!n)
        return;
    if (!x->loads) {
        text_add(x->out, part, n);
        return;
    }
    if ((size_t)(x->end - x->at) < n)
        escape_raise(ESCAPE_ERROR);
    memcpy(part, x->at, n);
    x->at += n;
}

uint32_t image_count(struct image *x, uint32_t n, size_t size)
{
    image_plain(x, &n);
    if (x->loads && size && n > (size_t)(x->end - x->at) / size)
        escape_raise(ESCAPE_ERROR);
    return n;
}

void image_text(struct image *x, struct mem *m, char **text)
{
    uint32_t n = image_count(x, *text ? (uint32_t)strlen(*text) + 1 : 0, 1);
    if (x->loads) {
        mem_free(m, *text);
        *text = n ? mem_zero(m, n + 1) : NULL;
    }
    image_bytes(x, *text, n);
}
