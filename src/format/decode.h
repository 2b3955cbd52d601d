/* SPDX-License-Identifier: Apache-2.0 */
/* Decoding: plain, gzip and zstd bytes from a file descriptor or from memory. Their first bytes tell them apart, so
 * that a compressed pipe works as well as a named file. */
#ifndef ASSAY_FORMAT_DECODE_H
#define ASSAY_FORMAT_DECODE_H

#include "assay.h"

struct decoder;

struct decoder *decoder_of_file(int fd); /* closes fd at the end; NULL: out of memory */
struct decoder *decoder_of_memory(const char *bytes, size_t n);
void decoder_close(struct decoder *d);

/* Data that asks for more memory to be decoded is refused. Before anything is read. */
void decoder_limit(struct decoder *d, size_t bytes);
size_t decoder_memory(const struct decoder *d); /* that it takes now */

/* Once something has been read: are the bytes handed on as they are? */
bool decoder_is_plain(const struct decoder *d);
/* So many of them are still to be handed on; 0: unknown, as of a pipe. */
size_t decoder_left(const struct decoder *d);

/* Up to `room` decoded bytes; 0 at the end, or on a fault, which is then in e. */
size_t decoder_read(struct decoder *d, char *to, size_t room, assay_error *e);

#endif
