/* SPDX-License-Identifier: Apache-2.0 */
#include "base/mem.h"

#include "base/escape.h"
#include "base/huge.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct mem_block {
    struct mem_block *prev, *next;
    size_t bytes;
    size_t pad; /* keeps the payload aligned to 16 */
};

_Static_assert(sizeof(struct mem_block) % 16 == 0, "payload must stay aligned");

#ifdef ASSAY_FAILING_ALLOCATOR
static _Thread_local long allocations_left = -1;

void mem_fail_after(long n)
{
    allocations_left = n;
}

static int system_refuses(void)
{
    if (allocations_left < 0)
        return 0;
    if (allocations_left == 0)
        return 1;
    allocations_left--;
    return 0;
}
#else
void mem_fail_after(long n)
{
    (void)n;
}

static int system_refuses(void)
{
    return 0;
}
#endif

/* Counts `more` bytes against the owner, or escapes. */
static void charge(struct mem *m, size_t more)
{
    if (more > SIZE_MAX / 2)
        escape_raise(ESCAPE_OUT_OF_MEMORY);
    if (m->limit && m->used + more > m->limit)
        escape_raise(ESCAPE_MEMORY_BUDGET);
    if (system_refuses())
        escape_raise(ESCAPE_OUT_OF_MEMORY);
}

static void count(struct mem *m, size_t bytes)
{
    m->used += bytes;
    if (m->used > m->peak)
        m->peak = m->used;
}

static void link_block(struct mem *m, struct mem_block *b)
{
    b->prev = NULL;
    b->next = m->blocks;
    if (b->next)
        b->next->prev = b;
    m->blocks = b;
}

static void unlink_block(struct mem *m, struct mem_block *b)
{
    if (b->prev)
        b->prev->next = b->next;
    else
        m->blocks = b->next;
    if (b->next)
        b->next->prev = b->prev;
}

/* ---- blocks and the system; sizes are with the struct mem_block ---- */

static struct mem_block *system_new(size_t size, int zero)
{
    return huge_is(size) ? huge_new(size) : zero ? calloc(1, size) : malloc(size);
}

static void system_free(struct mem_block *b)
{
    size_t size = sizeof *b + b->bytes;
    if (huge_is(size))
        huge_free(b, size);
    else
        free(b);
}

static struct mem_block *system_move(struct mem_block *b, size_t size)
{
    size_t old = sizeof *b + b->bytes;
    struct mem_block *moved = system_new(size, 0);
    if (moved) {
        memcpy(moved, b, old < size ? old : size);
        system_free(b);
    }
    return moved;
}

static struct mem_block *system_resize(struct mem_block *b, size_t size)
{
    size_t old = sizeof *b + b->bytes;
    if (huge_is(old) != huge_is(size))
        return system_move(b, size);
    return huge_is(old) ? huge_resize(b, old, size) : realloc(b, size);
}

/* ---- blocks of an owner ---- */

static void *obtain(struct mem *m, size_t bytes, int zero)
{
    charge(m, bytes);
    struct mem_block *b = system_new(sizeof(struct mem_block) + bytes, zero);
    if (!b)
        escape_raise(ESCAPE_OUT_OF_MEMORY);
    b->bytes = bytes;
    link_block(m, b);
    count(m, bytes);
    return b + 1;
}

void *mem_alloc(struct mem *m, size_t bytes)
{
    return obtain(m, bytes, 0);
}

void *mem_zero(struct mem *m, size_t bytes)
{
    return obtain(m, bytes, 1);
}

void *mem_resize(struct mem *m, void *block, size_t bytes)
{
    if (!block)
        return mem_alloc(m, bytes);
    struct mem_block *b = (struct mem_block *)block - 1;
    if (bytes > b->bytes)
        charge(m, bytes - b->bytes);
    unlink_block(m, b);
    struct mem_block *moved = system_resize(b, sizeof *b + bytes);
    if (!moved) {
        link_block(m, b);
        escape_raise(ESCAPE_OUT_OF_MEMORY);
    }
    m->used -= moved->bytes;
    moved->bytes = bytes;
    link_block(m, moved);
    count(m, bytes);
    return moved + 1;
}

void mem_free(struct mem *m, void *block)
{
    if (!block)
        return;
    struct mem_block *b = (struct mem_block *)block - 1;
    unlink_block(m, b);
    m->used -= b->bytes;
    system_free(b);
}

void mem_release(struct mem *m)
{
    for (struct mem_block *b = m->blocks, *next; b; b = next) {
        next = b->next;
        system_free(b);
    }
    m->blocks = NULL;
    m->used = 0;
}

size_t mem_product(size_t n, size_t size)
{
    if (size && n > SIZE_MAX / 2 / size)
        escape_raise(ESCAPE_OUT_OF_MEMORY);
    return n * size;
}

char *mem_text(struct mem *m, const char *text, size_t length)
{
    char *copy = mem_alloc(m, length + 1);
    memcpy(copy, text, length);
    copy[length] = '\0';
    return copy;
}
