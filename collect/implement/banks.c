/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/implement/banks.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

enum { TRANSFER, BALANCE, BALANCES };

const assay_adapter_method bank_methods[] = {
    [TRANSFER] = {"transfer", 3, NULL}, [BALANCE] = {"balance", 1, NULL}, [BALANCES] = {"balances", 1, NULL}, {0}};

struct account {
    pthread_mutex_t lock;
    int64_t balance;
};

struct bank {
    enum bank_care care;
    void (*point)(void);
    int64_t sum; /* at first */
    size_t n;
    int64_t *seen; /* a list of all balances for each thread */
    struct account accounts[];
};

void *bank_create(const assay_adapter_setting *setting, enum bank_care care, void (*point)(void))
{
    size_t n = setting->initial_count;
    struct bank *b = calloc(1, sizeof *b + n * sizeof *b->accounts);
    int64_t *seen = calloc(n * setting->threads + 1, sizeof *seen);
    if (!b || !seen) {
        free(b);
        free(seen);
        return NULL;
    }
    *b = (struct bank){.care = care, .point = point, .n = n, .seen = seen};
    for (size_t i = 0; i < n; i++) {
        pthread_mutex_init(&b->accounts[i].lock, NULL);
        b->accounts[i].balance = setting->initial[i].value;
        b->sum += setting->initial[i].value;
    }
    return b;
}

void bank_destroy(void *object)
{
    struct bank *b = object;
    for (size_t i = 0; i < b->n; i++)
        pthread_mutex_destroy(&b->accounts[i].lock);
    free(b->seen);
    free(b);
}

static void pause_here(const struct bank *b)
{
    if (b->point)
        b->point();
}

static void lock_both(struct bank *b, int64_t from, int64_t to)
{
    int64_t low = from < to ? from : to, high = from < to ? to : from;
    if (b->care == BANK_UNLOCKED)
        return;
    pthread_mutex_lock(&b->accounts[low].lock);
    if (low != high)
        pthread_mutex_lock(&b->accounts[high].lock);
}

static void unlock_both(struct bank *b, int64_t from, int64_t to)
{
    if (b->care == BANK_UNLOCKED)
        return;
    pthread_mutex_unlock(&b->accounts[from].lock);
    if (from != to)
        pthread_mutex_unlock(&b->accounts[to].lock);
}

/* Without locks, an amount that another thread moves meanwhile is lost, or comes from nowhere. */
static void move(struct bank *b, int64_t account, int64_t amount)
{
    int64_t balance = __atomic_load_n(&b->accounts[account].balance, __ATOMIC_RELAXED);
    pause_here(b);
    __atomic_store_n(&b->accounts[account].balance, balance + amount, __ATOMIC_RELAXED);
}

static assay_answer transfer(struct bank *b, int64_t from, int64_t to, int64_t amount)
{
    lock_both(b, from, to);
    bool covered = __atomic_load_n(&b->accounts[from].balance, __ATOMIC_RELAXED) >= amount;
    if (covered) {
        move(b, from, -amount);
        move(b, to, amount);
    }
    unlock_both(b, from, to);
    return assay_answer_word(covered ? "ok" : "refused");
}

static int64_t balance(struct bank *b, size_t account)
{
    pthread_mutex_lock(&b->accounts[account].lock);
    int64_t balance = __atomic_load_n(&b->accounts[account].balance, __ATOMIC_RELAXED);
    pthread_mutex_unlock(&b->accounts[account].lock);
    return balance;
}

static assay_answer balances(struct bank *b, unsigned thread)
{
    int64_t *seen = b->seen + thread * b->n;
    for (size_t i = 0; b->care == BANK_CAREFUL && i < b->n; i++)
        pthread_mutex_lock(&b->accounts[i].lock);
    for (size_t i = 0; i < b->n; i++) {
        seen[i] = b->care == BANK_CAREFUL ? b->accounts[i].balance : balance(b, i);
        pause_here(b);
    }
    for (size_t i = 0; b->care == BANK_CAREFUL && i < b->n; i++)
        pthread_mutex_unlock(&b->accounts[i].lock);
    return assay_answer_list(seen, b->n);
}

const char *bank_invariant(void *object)
{
    const struct bank *b = object;
    int64_t sum = 0;
    for (size_t i = 0; i < b->n; i++)
        sum += b->accounts[i].balance;
    return sum == b->sum ? NULL : "the sum of all balances has changed";
}

assay_answer bank_call(void *object, unsigned thread, unsigned method, const int64_t *args)
{
    switch (method) {
    case TRANSFER: return transfer(object, args[0], args[1], args[2]);
    case BALANCE: return assay_answer_int(balance(object, (size_t)args[0]));
    default: return balances(object, thread);
    }
}
