/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/drive/etcd_keys.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { NAME = 64 }; /* bytes, with room to spare */

static void field(struct bytes *b, const char *name, const char *value, size_t n)
{
    bytes_puts(b, "\"");
    bytes_puts(b, name);
    bytes_puts(b, "\":\"");
    bytes_base64(b, value, n);
    bytes_puts(b, "\"");
}

static void name_field(struct bytes *b, const char *name, char space, uint64_t key, const char *end)
{
    char value[NAME];
    int n = snprintf(value, sizeof value, "assay/%c/%020" PRIu64 "%s", space, key, end);
    field(b, name, value, (size_t)n);
}

void etcd_key(struct bytes *b, char space, uint64_t key)
{
    name_field(b, "key", space, key, "");
}

void etcd_below(struct bytes *b, char space, uint64_t key)
{
    name_field(b, "key", space, key, "/");
    bytes_puts(b, ",");
    name_field(b, "range_end", space, key, "0"); /* the character behind the slash */
}

void etcd_between(struct bytes *b, char space, uint64_t first, uint64_t last)
{
    name_field(b, "key", space, first, "");
    bytes_puts(b, ",");
    name_field(b, "range_end", space, last, "");
}

void etcd_element(struct bytes *b, char space, uint64_t key, int64_t element)
{
    char end[NAME];
    snprintf(end, sizeof end, "/%" PRId64, element);
    name_field(b, "key", space, key, end);
}

bool etcd_element_of(const char *name, int64_t *element)
{
    struct bytes decoded = {0};
    bool found = bytes_from_base64(&decoded, name, strlen(name));
    size_t at = decoded.n;
    while (at && decoded.at[at - 1] != '/')
        at--;
    found = found && at && bytes_read_number(decoded.at + at, decoded.at + decoded.n, element);
    bytes_free(&decoded);
    return found;
}

void etcd_value(struct bytes *b, int64_t value)
{
    char digits[BYTES_NUMBER];
    bytes_puts(b, ",");
    field(b, "value", digits, bytes_decimal(digits, value));
}

void etcd_value_with(struct bytes *b, const struct bytes *list, int64_t value)
{
    struct bytes longer = {0};
    bytes_add(&longer, list->at, list->n);
    bytes_puts(&longer, list->n ? " " : "");
    bytes_number(&longer, value);
    bytes_puts(b, ",");
    field(b, "value", longer.at, longer.n);
    b->failed |= longer.failed;
    bytes_free(&longer);
}
