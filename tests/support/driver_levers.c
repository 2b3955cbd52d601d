/* SPDX-License-Identifier: Apache-2.0 */
/* The example's store with a lever for tests of faults. It takes its time, so that histories begin meanwhile. */
#define assay_drivers example_drivers
#include "../../examples/driver.c"
#undef assay_drivers

#include <time.h>

static bool pull(assay_campaign *c, unsigned node, const char *name, bool pulled, char *message)
{
    (void)c, (void)node, (void)name, (void)pulled, (void)message;
    nanosleep(&(struct timespec){0, 20000000}, NULL);
    return true;
}

static const assay_lever levers[] = {{"slow", "takes 20 ms"}, {0}};

static const assay_driver levered = {
    .version = ASSAY_DRIVER_VERSION,
    .name = "levered",
    .title = "the example with levers",
    .nodes = "here:1,here:2",
    .actions = ASSAY_CAN(READ) | ASSAY_CAN(WRITE),
    .most_accesses = 1,
    .settings = settings,
    .levers = levers,
    .attach = attach,
    .detach = detach,
    .prepare = prepare,
    .open = open_session,
    .run = run,
    .close = close_session,
    .lever = pull,
};

const assay_driver *const assay_drivers[] = {&levered, NULL};
