/* SPDX-License-Identifier: Apache-2.0 */
/* A JSON array of objects, as lines: each object is gathered into one line of text, wherever its line ends are in the
 * file. So the reader of JSON Lines reads arrays, too. Faults are named at their places in the file: the gathered line
 * knows the pieces that it was made of. */
#ifndef ASSAY_FORMAT_JSON_ARRAY_H
#define ASSAY_FORMAT_JSON_ARRAY_H

#include "base/text.h"
#include "format/cursor.h"

struct json_array {
    struct cursor raw;    /* the lines of the file */
    struct text object;   /* the object that was gathered last */
    struct pieces pieces; /* of it */
    struct place start;   /* of the array */
    bool any;             /* an object has been read */
};

/* The array that is next in the input; false: there is none. The cursor c reads its objects; their text lies in mem. */
bool json_array_begin(struct json_array *a, struct cursor *c, struct mem *mem);
/* The next object as the line of c; false behind the last one, when the rest of the file's line is empty. */
bool json_array_next(struct json_array *a, struct cursor *c);
void json_array_free(struct json_array *a);

#endif
