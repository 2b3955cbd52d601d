/* SPDX-License-Identifier: Apache-2.0 */
/* What `assay drive` says when it has driven: the counts of a campaign, whether the store has kept its promise, and the
 * first violation explained. */
#ifndef ASSAY_CLI_DRIVE_REPORT_H
#define ASSAY_CLI_DRIVE_REPORT_H

#include "assay.h"
#include "collect/collect.h"

#include <stdbool.h>

struct driven {
    const struct drive_campaign_settings *campaign;
    const struct drive_summary *summary;
    const assay_promise *promise; /* of the isolation level; NULL: the driver does not say it */
    const char *folder;
    bool chosen;   /* the user has named the models: a violation of each of them counts */
    bool may_lose; /* the setting permits the loss of acknowledged writes */
};

void driven_text(const struct driven *x);
void driven_object(const struct driven *x); /* one object of JSON */

/* The exit status; `fine`: no fault ended the campaign. */
int driven_status(const struct driven *x, bool fine);

#endif
