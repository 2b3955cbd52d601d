/* SPDX-License-Identifier: Apache-2.0 */
/* The engine `auto` for sc and tso: from the cheap to the certain.
 *
 * Gradually: what every model forbids, the causal models that sc and tso imply (cc and ccv; cm and ccm are not
 * implied by tso), the recorded order as a first guess, an execution with repair as a second one, the forced store
 * orders (wsc, wtso), and what is left open by search with backjumping. Each step either decides or hands on what it
 * has found. The variant `weave` leaves the second guess out, so that the last steps can be seen at work.
 * Source: gradual consistency checking (Zennou, Bouajjani, Enea, Erradi, CAV'19). */
#include "engine/serial.h"

#include <string.h>

static void run_auto(struct job *job)
{
    bool tso = job->model->conditions == COND_TSO;
    bool guess = !job->variant || strcmp(job->variant, "weave") != 0;
    struct causal c;
    struct weave w;
    if (serial_thin_air(job) || serial_recorded_order(job))
        return;
    causal_build(&c, job->rw, job->mem, job->budget, &job->out->stats);
    if (serial_causal_violation(job, &c) || (guess && serial_repaired(job, &c, tso)) || serial_weave(job, &c, tso, &w))
        return;
    serial_complete(job, &w);
}

const struct engine engine_auto = {
    .name = "auto",
    .title = "gradually: weak models, executions, forced orders, search",
    .conditions = COND_SC | COND_TSO,
    .variants = (const char *const[]){"repair", "weave", NULL},
    .run = run_auto,
};
