/* SPDX-License-Identifier: Apache-2.0 */
/* Readers of Userspace RCU are known to it by name. */
#ifndef ASSAY_COLLECT_URCU_THREADS_H
#define ASSAY_COLLECT_URCU_THREADS_H

#include <urcu.h>

static inline void urcu_enter(void *object, unsigned thread)
{
    (void)object;
    (void)thread;
    rcu_register_thread();
}

static inline void urcu_leave(void *object, unsigned thread)
{
    (void)object;
    (void)thread;
    rcu_unregister_thread();
}

#endif
