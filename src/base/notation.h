/* SPDX-License-Identifier: Apache-2.0 */
/* Reading integers, and how an integer was written.
 *
 * 0x1f is the integer 31. The integer is compared, hashed and computed with; the user's spelling is shown. So an
 * integer has a notation beside it, a number that only printing reads. 0 is decimal. The notation of a hexadecimal
 * integer has the sign, the letter x, the number of digits and the places of capitals. */
#ifndef ASSAY_BASE_NOTATION_H
#define ASSAY_BASE_NOTATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { NOTATION_DECIMAL = 0, NOTATION_DIGITS = 64, NOTATION_TEXT = NOTATION_DIGITS + sizeof "-0x" };

/* The decimal digits at *p, behind a minus if there is one, up to `to` or another character; *p moves behind them.
 * False: they are more than 64 bits. */
bool notation_decimal(const char **p, const char *to, int64_t *integer);

/* Is the text 0x, perhaps behind a minus, and then nothing but hexadecimal digits? */
bool notation_is_hex(const char *from, const char *to);

/* The integer that such a text is: up to 64 bits in two's complement without a sign, a magnitude with one. False: it
 * has more bits, or more than NOTATION_DIGITS digits. */
bool notation_read(const char *from, const char *to, int64_t *integer, uint32_t *notation);

/* The notation of 0x43c, as programs print addresses. */
uint32_t notation_hex(uint64_t integer);

/* Prints the integer; it need not be the one that was written so. Returns the length, without the NUL. */
size_t notation_print(char out[NOTATION_TEXT], int64_t integer, uint32_t notation);

/* Of a number that the library did not make: the same, or decimal if it is none. */
uint32_t notation_checked(size_t notation);

#endif
