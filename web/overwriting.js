// SPDX-License-Identifier: Apache-2.0
// Which write overwrites which, where a key holds the value of its last write (`cells`).
//
// With an order on display, the next write of the key in it. Else only what is certain: a write follows another one of
// its key if it is later in its thread, or was called after the other had returned. The next ones of those are told: no
// further write lies between.

function keysWritten(h, op) {
  const a = h.accesses;
  if (!a) return h.put[op] >= 0 ? [h.key[op]] : [];
  const out = new Set();
  for (let i = a.at[op]; i < a.at[op + 1]; i++) if (a.writes[i]) out.add(a.key[i]);
  return [...out];
}

function writersByKey(h, ops) {
  const out = new Map();
  for (const op of ops)
    for (const key of h.aborted[op] ? [] : keysWritten(h, op))
      if (out.has(key)) out.get(key).push(op);
      else out.set(key, [op]);
  return out;
}

const follows = (h, first, second) => (h.thread[first] === h.thread[second] ? first < second
  : h.call !== null && h.ret[first] < h.call[second]);

// Of the writes that follow, those with none between; backwards, of the writes that are followed.
function nearest(h, all, op, isBackwards) {
  const before = (a, b) => (isBackwards ? follows(h, b, a) : follows(h, a, b));
  let out = [];
  for (const other of isBackwards ? all.toReversed() : all)
    if (before(op, other) && !out.some((o) => before(o, other)))
      out = [...out.filter((o) => !before(other, o)), other];
  return out.sort((a, b) => a - b);
}

export function makeOverwriting(h, order) {
  let byHistory = null, byOrder = null, known = null;
  const neighbours = (op, by) => {
    if (!h.cells) return [];
    const shown = order();
    if (shown && shown !== known) {
      known = shown;
      byOrder = writersByKey(h, shown);
    }
    byHistory ??= writersByKey(h, Array(h.n).keys());
    const out = new Set();
    for (const key of keysWritten(h, op)) {
      const placed = (shown && byOrder.get(key)) ?? [], at = placed.indexOf(op);
      if (at >= 0 && placed[at + by] !== undefined) out.add(placed[at + by]);
      else if (at < 0) for (const o of nearest(h, byHistory.get(key) ?? [], op, by < 0)) out.add(o);
    }
    return [...out];
  };
  return { overwrites: (op) => neighbours(op, -1), overwrittenBy: (op) => neighbours(op, 1) };
}
