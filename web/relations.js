// SPDX-License-Identifier: Apache-2.0
// Who reads from whom, who sees whom, and which steps of the argument order an operation: the relations of one
// operation, each a phrase with operations. Values have numbers (data.js), so the object need not be known.

function add(map, value, op) {
  if (value < 0) return;
  const list = map.get(value);
  if (!list) map.set(value, [op]);
  else if (list[list.length - 1] !== op) list.push(op);
}

function index(h) {
  const putters = new Map(), getters = new Map();
  for (let op = 0; op < h.n; op++) {
    add(putters, h.put[op], op);
    add(getters, h.got[op], op);
  }
  const a = h.accesses;
  for (let op = 0; a && op < h.n; op++)
    for (let i = a.at[op]; i < a.at[op + 1]; i++) add(a.writes[i] ? putters : getters, a.value[i], op);
  return { putters, getters };
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

function chosenSources(h, op) {
  const out = [];
  for (let i = 0; i < h.sources.length; i += 2) if (h.sources[i + 1] === op) out.push(h.sources[i]);
  return out;
}

export function makeRelations(h) {
  let known = null; // made when first asked for
  const edges = edgesOf(h);
  const among = (map, values, self) => {
    const all = new Set();
    for (const v of values) for (const op of map.get(v) ?? []) if (op !== self) all.add(op);
    return [...all].sort((a, b) => a - b);
  };
  const of = (op) => {
    known ??= index(h);
    const out = [];
    const tell = (phrase, ops) => ops.length && out.push({ phrase, ops });
    const chosen = chosenSources(h, op);
    tell("reads from", chosen.length ? chosen.filter((o) => o >= 0) : among(known.putters, valuesOf(h, op, false), op));
    tell("its value is read by", among(known.getters, valuesOf(h, op, true), op));
    tell("its value is also written by", among(known.putters, valuesOf(h, op, true), op));
    const sees = [], seenBy = [];
    for (let i = 0; i < h.visible.length; i += 2) {
      if (h.visible[i + 1] === op) sees.push(h.visible[i]);
      if (h.visible[i] === op) seenBy.push(h.visible[i + 1]);
    }
    tell("sees", sees);
    tell("is seen by", seenBy);
    for (const [from, to, rule] of edges) {
      if (from === op) tell(`${rule}: before`, [to]);
      if (to === op) tell(`${rule}: after`, [from]);
    }
    return out;
  };
  return { of, sources: (op) => among((known ??= index(h)).putters, valuesOf(h, op, false), op) };
}
