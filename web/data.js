// SPDX-License-Identifier: Apache-2.0
// The history of the page: its data block (src/report/html_data.c writes it) in typed columns.
// Operations are numbers from 0; a number of a table is an index into `labels`, `keys` or `methods`, -1 is none.

function flags(n, list) {
  const out = new Uint8Array(n);
  for (const op of list) out[op] = 1;
  return out;
}

// Calls are differences to the call before; a return is a duration, -1 where there is none.
function readTimes(d, n) {
  if (!d.call) return { call: null, ret: null };
  const call = new Float64Array(n), ret = new Float64Array(n);
  let at = 0;
  for (let op = 0; op < n; op++) {
    at += d.call[op];
    call[op] = at;
    ret[op] = d.took[op] < 0 ? Infinity : at + d.took[op];
  }
  return { call, ret };
}

function readAccesses(d, n) {
  if (!d.accesses) return null;
  const at = new Uint32Array(n + 1);
  for (let op = 0; op < n; op++) at[op + 1] = at[op] + d.accesses[op];
  return {
    at, label: d.accessLabel, key: d.accessKey, writes: d.accessWrites, value: d.accessValue, line: d.accessLine,
  };
}

export function readHistory(text) {
  const d = JSON.parse(text), n = d.thread.length;
  const h = {
    ...d, n, ...readTimes(d, n),
    thread: Uint32Array.from(d.thread), label: Uint32Array.from(d.label), method: Uint32Array.from(d.method),
    key: Int32Array.from(d.key), put: Int32Array.from(d.put), got: Int32Array.from(d.got),
    pending: flags(n, d.pending), aborted: flags(n, d.aborted), accesses: readAccesses(d, n),
    isInvolved: flags(n, d.involved),
  };
  h.lineOf = (op) => (typeof d.line === "number" ? (d.line ? d.line + op : 0) : d.line[op]);
  return h;
}

export function accessTexts(h, op) {
  const out = [];
  if (h.accesses)
    for (let i = h.accesses.at[op]; i < h.accesses.at[op + 1]; i++) out.push(h.labels[h.accesses.label[i]]);
  return out;
}

// The operation as it stands in the file, without its thread.
export function textOf(h, op) {
  const label = h.labels[h.label[op]];
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
