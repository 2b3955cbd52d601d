/* SPDX-License-Identifier: Apache-2.0 */
/* Plain lines of JSON Lines are operations as write_jsonl writes them:
 *
 *     {"thread":"t0","object":"q","method":"push","args":[5],"call":1,"return":4}
 *     {"thread":"t1","method":"read","args":["x"],"result":1}
 *     {"thread":"t1","method":"txn","args":["r","x",1,"append","z",2,"r","z",[1,2],"r","y",{}],"result":"abort"}
 */
#ifndef ASSAY_FORMAT_JSONL_PLAIN_H
#define ASSAY_FORMAT_JSONL_PLAIN_H

#include "format/plain.h"

/* Takes the plain lines that come next, in a history of operations. Returns how many lines there were. May escape. */
uint64_t jsonl_plain_lines(struct plain_lines *s);

#endif
