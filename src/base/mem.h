/* SPDX-License-Identifier: Apache-2.0 */
/* Memory: every byte is counted against an owner and freed with it.
 *
 * A struct mem owns blocks in a doubly linked list: mem_release frees them all, so an escape leaks
 * nothing. An allocation never returns NULL; it raises an escape (see escape.h) when the system refuses
 * or the owner's limit would be passed. Small short-lived pieces go into an arena (arena.h) on top. */
#ifndef ASSAY_BASE_MEM_H
#define ASSAY_BASE_MEM_H

#include <stddef.h>

struct mem_block;

struct mem {
    struct mem_block *blocks;
    size_t used, peak;
    size_t limit; /* bytes; 0: none */
};

void *mem_alloc(struct mem *m, size_t bytes);               /* uninitialised */
void *mem_zero(struct mem *m, size_t bytes);                /* zeroed */
void *mem_resize(struct mem *m, void *block, size_t bytes); /* block may be NULL */
void mem_free(struct mem *m, void *block);                  /* NULL is fine */
void mem_release(struct mem *m);                            /* frees every block; m can be used again */

/* n objects of type T; the product is checked. */
#define mem_new(m, T, n) ((T *)mem_alloc((m), mem_product((n), sizeof(T))))
#define mem_new_zero(m, T, n) ((T *)mem_zero((m), mem_product((n), sizeof(T))))
size_t mem_product(size_t n, size_t size); /* escapes when it overflows */

char *mem_text(struct mem *m, const char *text, size_t length); /* a copy with a final NUL */

/* For the hostile build: after `n` further successful allocations of this thread every one fails;
 * a negative n never fails. Does nothing unless built with ASSAY_FAILING_ALLOCATOR. */
void mem_fail_after(long n);

#endif
