/* SPDX-License-Identifier: Apache-2.0 */
/* The output of a monitor for programs: violations and summaries as JSON, statistics as JSON or as Prometheus text. */
#ifndef ASSAY_CLI_MONITOR_JSON_H
#define ASSAY_CLI_MONITOR_JSON_H

#include "assay_monitor.h"

#include <stdio.h>

void json_violation(FILE *to, const char *file, uint64_t before, const assay_monitor_violation *v);
void json_summary(FILE *to, const char *file, assay_monitor *m, bool interrupted);

/* The statistics, written beside the file and renamed: Prometheus text if its name ends in .prom, else JSON. That has
 * the time of the last violation, too, unless it is "". False, with a message. */
bool statistics_write(const char *name, assay_monitor *m, const char *last);

#endif
