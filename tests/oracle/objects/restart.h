/* SPDX-License-Identifier: Apache-2.0 */
/* A monitor with --all goes on after a violation: how many may, and must, be reported. */
#ifndef ASSAY_TESTS_ORACLE_OBJECTS_RESTART_H
#define ASSAY_TESTS_ORACLE_OBJECTS_RESTART_H

void random_restart(void);

#endif
