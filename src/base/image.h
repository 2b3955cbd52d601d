/* SPDX-License-Identifier: Apache-2.0 */
/* Images: the state of a checker as bytes, to be saved and to be loaded into a fresh one.
 *
 * One function for both ways. A function visits the parts of a structure in a fixed order. A visit appends the part to
 * the image, or sets it from there. So saving and loading cannot disagree about the order.
 *
 * Plain data goes as it lies in memory. So an image is for programs with the same layout, which its owner has to see to
 * (monitor/saved.c). Hash tables go by their contents, since their places depend on a key that each process draws. An
 * image that ends too soon raises ESCAPE_ERROR. */
#ifndef ASSAY_BASE_IMAGE_H
#define ASSAY_BASE_IMAGE_H

#include "base/ring.h"
#include "base/text.h"
#include "base/vec.h"

#include <stdbool.h>

struct image {
    bool loads;
    struct text *out;     /* saving */
    const char *at, *end; /* loading */
};

void image_bytes(struct image *x, void *part, size_t n);
/* A number of parts of this size that are to follow; loading, so many bytes must be left. */
uint32_t image_count(struct image *x, uint32_t n, size_t size);
/* A text of m with a final NUL, or NULL. */
void image_text(struct image *x, struct mem *m, char **text);

#define image_plain(x, part) image_bytes((x), (part), sizeof *(part))

/* A vector or a ring of plain elements. */
#define image_vec(x, m, v)                                                                                             \
    do {                                                                                                               \
        uint32_t image_n = image_count((x), (v)->n, sizeof *(v)->at);                                                  \
        if ((x)->loads) {                                                                                              \
            vec_free((m), (v));                                                                                        \
            vec_reserve((m), (v), image_n + 1);                                                                        \
            (v)->n = image_n;                                                                                          \
        }                                                                                                              \
        image_bytes((x), (v)->at, image_n * sizeof *(v)->at);                                                          \
    } while (0)

#define image_ring(x, m, r)                                                                                            \
    do {                                                                                                               \
        uint32_t image_n = image_count((x), (r)->n, sizeof *(r)->at);                                                  \
        if ((x)->loads)                                                                                                \
            ring_free((m), (r));                                                                                       \
        for (uint32_t image_i = 0; image_i < image_n; image_i++) {                                                     \
            if ((x)->loads) {                                                                                          \
                while ((r)->n == (r)->room)                                                                            \
                    (r)->at = ring_grow((m), (r)->at, &(r)->first, &(r)->room, sizeof *(r)->at);                       \
                (r)->n++;                                                                                              \
            }                                                                                                          \
            image_bytes((x), &ring_at((r), image_i), sizeof *(r)->at);                                                 \
        }                                                                                                              \
    } while (0)

#endif
