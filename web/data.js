// SPDX-License-Identifier: Apache-2.0
// The history of the page: its data block (src/report/html_data.c writes it) in typed columns.
// Operations are numbers from 0; a number of a table is an index into its labels, `keys` or `methods`, -1 is none.
import { readEntries, readNumbers, readSums } from "./columns.js";

function flags(n, list) {
  const out = new Uint8Array(n);
  for (const op of list) out[op] = 1;
  return out;
}

// The lines of a text, cut out when they are asked for: most of many labels are never seen.
function readLines(text) {
  let starts = null;
  const index = () => {
    const all = [0];
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) all.push(at + 1);
    all.push(text.length + 1);
    return Uint32Array.from(all);
  };
  return (line) => {
    starts ??= index();
    return text.slice(starts[line], starts[line + 1] - 1);
  };
}

// Calls are differences to the call before; a return is a duration, -1 where there is none.
function readTimes(d, n) {
  if (d.call === undefined) return { call: null, ret: null };
  const call = readSums(d.call, n), took = readNumbers(d.took, n);
  return { call, ret: took.map((t, op) => (t < 0 ? Infinity : call[op] + t)) };
}

function readAccesses(d, n) {
  if (d.accesses === undefined) return null;
  const each = readNumbers(d.accesses, n), at = new Uint32Array(n + 1);
  for (let op = 0; op < n; op++) at[op + 1] = at[op] + each[op];
  const column = (text) => readEntries(text, at[n]);
  return {
    at, label: column(d.accessLabel), key: column(d.accessKey), writes: column(d.accessWrites),
    value: column(d.accessValue),
  };
}

export function readHistory(text) {
  const d = JSON.parse(text), n = d.count, column = (name) => readEntries(d[name], n);
  const line = typeof d.line === "string" ? readSums(d.line, n) : null;
  return {
    ...d, n, ...readTimes(d, n),
    thread: column("thread"), label: column("label"), method: column("method"), key: column("key"),
    put: column("put"), got: column("got"),
    pending: flags(n, d.pending), aborted: flags(n, d.aborted), accesses: readAccesses(d, n),
    isInvolved: flags(n, d.involved),
    orders: d.orders.map((o) => ({ title: o.title, ops: Uint32Array.from(readSums(o.ops, o.count)) })),
    labelText: readLines(d.labels),
    lineOf: (op) => (line ? line[op] : d.line ? d.line + op : 0),
  };
}

export function accessTexts(h, op) {
  const out = [];
  if (h.accesses)
    for (let i = h.accesses.at[op]; i < h.accesses.at[op + 1]; i++) out.push(h.labelText(h.accesses.label[i]));
  return out;
}

// The operation as it stands in the file, without its thread.
export function textOf(h, op) {
  const label = h.labelText(h.label[op]);
  if (!h.accesses) return label;
  return `txn(${accessTexts(h, op).join(", ")})${label.slice("txn".length)}`;
}

export function placeOf(h, op) {
  const line = h.lineOf(op);
  return line ? `line ${line}` : `operation ${op}`;
}

// A time as it stands in the file. The base may have more than 53 bits, so it comes as a text.
export function timeOf(h, relative) {
  return (BigInt(h.base) + BigInt(Math.round(relative))).toString() + (h.unit ? ` ${h.unit}` : "");
}
