/* SPDX-License-Identifier: Apache-2.0 */
/* Names of anomalies, of Adya and Elle: they are found by checking models, and are not models. */
#ifndef ASSAY_CLI_ANOMALIES_H
#define ASSAY_CLI_ANOMALIES_H

/* The models whose check finds the anomaly of that name, as -m takes them, the weakest first; NULL: it is no such name.
 */
const char *anomaly_models(const char *name);

#endif
