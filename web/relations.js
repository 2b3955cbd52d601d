// SPDX-License-Identifier: Apache-2.0
// Who reads from whom, who overwrites whom, who sees whom, and which steps of the argument order an operation: the
// relations of one operation, each a phrase with operations. Values have numbers (data.js), so the object need not be
// known.
import { makeOverwriting } from "./overwriting.js";

const MOST_DRAWN = 200; // edges

// Calls take(number, op, writes) for each value that an operation puts in or gets out.
function eachValue(h, take) {
  const a = h.accesses;
  for (let op = 0; op < h.n; op++) {
    if (h.put[op] >= 0) take(h.put[op], op, true);
    if (h.got[op] >= 0) take(h.got[op], op, false);
    for (let i = a ? a.at[op] : 0; a && i < a.at[op + 1]; i++)
      if (a.value[i] >= 0) take(a.value[i], op, Boolean(a.writes[i]));
  }
}

// The operations of each value, one list behind another: of(value) is in the order of the history.
function group(h, puts) {
  let values = 0;
  eachValue(h, (value) => (values = Math.max(values, value + 1)));
  const at = new Uint32Array(values + 2);
  eachValue(h, (value, _, writes) => writes === puts && at[value + 2]++);
  for (let v = 0; v < values; v++) at[v + 2] += at[v + 1];
  const ops = new Uint32Array(at[values + 1]);
  eachValue(h, (value, op, writes) => writes === puts && (ops[at[value + 1]++] = op));
  return { of: (value) => ops.subarray(at[value], at[value + 1]) };
}

function valuesOf(h, op, puts) {
  const out = [];
  const own = puts ? h.put[op] : h.got[op];
  if (own >= 0) out.push(own);
  const a = h.accesses;
  for (let i = a ? a.at[op] : 0; a && i < a.at[op + 1]; i++)
    if (Boolean(a.writes[i]) === puts && a.value[i] >= 0) out.push(a.value[i]);
  return out;
}

// The edges of all steps, each once.
export function edgesOf(h) {
  const seen = new Set(), out = [];
  for (const step of h.steps)
    for (const edge of [...(step.edges ?? []), ...(step.on ?? []), ...(step.cycle ?? [])]) {
      const name = edge.join();
      if (!seen.has(name)) out.push(edge);
      seen.add(name);
    }
  return out;
}

// Edges that the history itself has (`@ after`), unless they would cover the picture.
export function recordedEdges(h) {
  const out = [];
  if (h.after.length <= 2 * MOST_DRAWN)
    for (let i = 0; i < h.after.length; i += 2) out.push({ from: h.after[i], to: h.after[i + 1], rule: "after" });
  return out;
}

function chosenSources(h, op) {
  const out = [];
  for (let i = 0; i < h.sources.length; i += 2) if (h.sources[i + 1] === op) out.push(h.sources[i]);
  return out;
}

function partners(pairs, op, at) {
  const out = [];
  for (let i = 0; i < pairs.length; i += 2) if (pairs[i + at] === op) out.push(pairs[i + 1 - at]);
  return out;
}

// order(): that of the picture, as operations; null: there is none.
export function makeRelations(h, order) {
  const edges = edgesOf(h);
  let writers = null, readers = null, overwriting = null; // made when first asked for
  const among = (groups, values, self) => {
    const all = new Set();
    for (const v of values) for (const op of groups.of(v)) if (op !== self) all.add(op);
    return [...all].sort((a, b) => a - b);
  };
  const of = (op) => {
    writers ??= group(h, true);
    readers ??= group(h, false);
    overwriting ??= makeOverwriting(h, order);
    const out = [];
    const tell = (phrase, ops) => ops.length && out.push({ phrase, ops });
    const chosen = chosenSources(h, op);
    tell("reads from", chosen.length ? chosen.filter((o) => o >= 0) : among(writers, valuesOf(h, op, false), op));
    tell("its value is read by", among(readers, valuesOf(h, op, true), op));
    tell("its value is also written by", among(writers, valuesOf(h, op, true), op));
    tell("overwrites", overwriting.overwrites(op));
    tell("overwritten by", overwriting.overwrittenBy(op));
    tell("sees", partners(h.visible, op, 1));
    tell("is seen by", partners(h.visible, op, 0));
    tell("recorded as called after", partners(h.after, op, 1));
    tell("recorded as returned before", partners(h.after, op, 0));
    for (const [from, to, rule] of edges) {
      if (from === op) tell(`${rule}: before`, [to]);
      if (to === op) tell(`${rule}: after`, [from]);
    }
    return out;
  };
  // The one operation that it reads from; -1: none, or several.
  const onlySource = (op) => {
    writers ??= group(h, true);
    const values = valuesOf(h, op, false);
    const all = values.length === 1 ? writers.of(values[0]) : among(writers, values, op);
    return all.length === 1 && all[0] !== op ? all[0] : -1;
  };
  return { of, onlySource };
}
