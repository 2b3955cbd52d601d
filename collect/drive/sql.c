/* SPDX-License-Identifier: Apache-2.0 */
#include "collect/drive/sql.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

const char *const sql_table_names[SQL_TABLES] = {"assay_registers", "assay_lists", "assay_elements", "assay_queue"};

bool sql_uses(const assay_keys *keys, enum sql_table table)
{
    static const uint32_t actions[SQL_TABLES] = {
        ASSAY_CAN(READ) | ASSAY_CAN(WRITE) | ASSAY_CAN(ADD) | ASSAY_CAN(TRANSFER),
        ASSAY_CAN(LIST) | ASSAY_CAN(APPEND),
        ASSAY_CAN(ELEMENTS) | ASSAY_CAN(INSERT),
        ASSAY_CAN(ENQUEUE) | ASSAY_CAN(DEQUEUE),
    };
    return keys->actions & actions[table];
}

bool sql_has_rows(enum sql_table table)
{
    return table == SQL_REGISTERS || table == SQL_LISTS;
}

void sql_delete(const assay_keys *keys, enum sql_table table, char *text, size_t room)
{
    snprintf(text, room, "DELETE FROM %s WHERE k BETWEEN %" PRIu64 " AND %" PRIu64, sql_table_names[table], keys->first,
             keys->first + keys->count - 1);
}

void sql_count(const assay_keys *keys, enum sql_table table, char *text, size_t room)
{
    int length = snprintf(text, room, "SELECT COUNT(*) FROM %s WHERE k BETWEEN %" PRIu64 " AND %" PRIu64,
                          sql_table_names[table], keys->first, keys->first + keys->count - 1);
    if (table == SQL_REGISTERS)
        snprintf(text + length, room - (size_t)length, " AND v = %" PRId64, keys->initial);
    if (table == SQL_LISTS)
        snprintf(text + length, room - (size_t)length, " AND v = ''");
}

uint64_t sql_expected(const assay_keys *keys, enum sql_table table)
{
    return sql_has_rows(table) ? keys->count : 0;
}

bool sql_reads_only(const assay_access *accesses, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!(1u << accesses[i].action & (ASSAY_CAN(READ) | ASSAY_CAN(LIST) | ASSAY_CAN(ELEMENTS))))
            return false;
    return true;
}

void sql_isolation(const char *isolation, char *words, size_t room)
{
    snprintf(words, room, "%s", isolation);
    for (char *c = words; *c; c++)
        if (*c == '-')
            *c = ' ';
}

bool sql_elements(assay_access *a, const char *text)
{
    while (*text) {
        char *end;
        int64_t element = strtoimax(text, &end, 10);
        if (!assay_access_push(a, element))
            return false;
        text = *end ? end + 1 : end;
    }
    return true;
}

void sql_say(char *message, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(message, ASSAY_DRIVER_MESSAGE, format, args);
    va_end(args);
    char *to = message;
    for (const char *from = message; *from; from++) {
        bool space = strchr(" \t\r\n", *from);
        if (!space)
            *to++ = *from;
        else if (to > message && to[-1] != ' ')
            *to++ = ' ';
    }
    while (to > message && to[-1] == ' ')
        to--;
    *to = 0;
}

void sql_sleep(double seconds)
{
    struct timespec pause = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
    nanosleep(&pause, NULL);
}

double sql_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}
