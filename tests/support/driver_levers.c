/* SPDX-License-Identifier: Apache-2.0 */
/* The example's store with levers for tests of faults: one takes its time, so that histories begin meanwhile, one is
 * refused by the first node, and while one is pulled the store takes no keys. */
#define assay_drivers example_drivers
#include "../../examples/driver.c"
#undef assay_drivers

#include <stdatomic.h>
#include <time.h>

static atomic_bool deaf;

static bool prepare_unless_deaf(assay_campaign *c, const assay_keys *keys)
{
    if (!atomic_load(&deaf))
        return prepare(c, keys);
    snprintf(c->message, sizeof c->message, "the store is deaf");
    return false;
}

static bool pull(assay_campaign *c, unsigned node, const char *name, bool pulled, char *message)
{
    (void)c;
    if (strcmp(name, "deaf") == 0)
        atomic_store(&deaf, pulled);
    if (strcmp(name, "slow") == 0)
        nanosleep(&(struct timespec){0, 20000000}, NULL);
    if (strcmp(name, "second") != 0 || node > 0)
        return true;
    snprintf(message, ASSAY_DRIVER_MESSAGE, "the first node has no such lever");
    return false;
}

static const assay_lever levers[] = {
    {"slow", "takes 20 ms", 0}, {"second", "not of the first node", 1}, {"deaf", "no keys are taken", 0}, {0}};

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
    .prepare = prepare_unless_deaf,
    .open = open_session,
    .run = run,
    .close = close_session,
    .lever = pull,
};

const assay_driver *const assay_drivers[] = {&levered, NULL};
