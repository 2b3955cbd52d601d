/* SPDX-License-Identifier: Apache-2.0 */
/* Random streams of events, judged by the oracle, go through the monitors. */
#ifndef ASSAY_TESTS_ORACLE_OBJECTS_STREAM_H
#define ASSAY_TESTS_ORACLE_OBJECTS_STREAM_H

extern const char *const monitors[];

void random_stream(void);

#endif
