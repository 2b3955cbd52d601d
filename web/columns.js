// SPDX-License-Identifier: Apache-2.0
// Columns of numbers: texts of digits (src/report/html_column.h has the code) into typed arrays.

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const DIGIT = new Uint8Array(128);
[...LETTERS].forEach((letter, digit) => (DIGIT[letter.charCodeAt(0)] = digit));

// Calls take(number) for each number of the text. Sums of products, not shifts: times have more than 32 bits.
function eachNumber(text, take) {
  let number = 0, unit = 1;
  for (let i = 0; i < text.length; i++) {
    const digit = DIGIT[text.charCodeAt(i)];
    number += (digit & 31) * unit;
    if (digit < 32) {
      take(number);
      number = 0;
      unit = 1;
    } else {
      unit *= 32;
    }
  }
}

// Numbers of a table; -1 is none.
export function readEntries(text, count) {
  const out = new Int32Array(count);
  let next = -1, at = 0;
  eachNumber(text, (code) => {
    if (next < 0) next = code;
    else out[at++] = code ? next - code + 1 : -1;
    if (at && code === 1) next++;
  });
  return out;
}

export function readNumbers(text, count) {
  const out = new Float64Array(count);
  let at = 0;
  eachNumber(text, (code) => (out[at++] = code % 2 ? -(code + 1) / 2 : code / 2));
  return out;
}

// Differences to the number before, as numbers.
export function readSums(text, count) {
  const out = readNumbers(text, count);
  for (let i = 1; i < count; i++) out[i] += out[i - 1];
  return out;
}
