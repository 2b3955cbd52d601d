// SPDX-License-Identifier: Apache-2.0
// Where operations stand: a lane for each thread, and a left and a right end in units of the axis.
//
// With times, the axis `events` gives each distinct time two places (calls stand before returns of the same time), so
// that overlaps are exact and every bar can be read; `time` keeps the proportions. Without times a consistent history
// stands in its witness order. Another one stands in levels: behind its thread's previous operation, and behind the
// operation that it reads from.

const GAP = 0.18; // between neighbours without times

function distinct(values) {
  const sorted = values.sort();
  let n = 0;
  for (let i = 0; i < sorted.length; i++) if (!i || sorted[i] !== sorted[i - 1]) sorted[n++] = sorted[i];
  return sorted.subarray(0, n);
}

export function lowerBound(sorted, value) {
  let low = 0, high = sorted.length;
  while (low < high) {
    const mid = (low + high) >> 1;
    if (sorted[mid] < value) low = mid + 1;
    else high = mid;
  }
  return low;
}

function byTimes(h, ops, axis, x0, x1) {
  const raw = new Float64Array(2 * ops.length);
  let n = 0;
  for (const op of ops) {
    raw[n++] = h.call[op];
    if (h.ret[op] !== Infinity) raw[n++] = h.ret[op];
  }
  const times = distinct(raw.subarray(0, n)), last = times.length;
  const span = times[last - 1] - times[0] || 1;
  // Both axes are equally long. A place between two events is a fraction of their distance.
  const place = (t) => (axis === "time" ? ((t - times[0]) / span) * 2 * last : 2 * lowerBound(times, t));
  const between = (event, fraction) => {
    if (axis !== "time") return event + fraction;
    const i = Math.floor(event / 2);
    const t = times[i], next = i + 1 < last ? times[i + 1] : t + span * 0.01;
    return place(t + (next - t) * fraction);
  };
  const event = new Float64Array(h.n); // of the call
  for (const op of ops) {
    event[op] = 2 * lowerBound(times, h.call[op]);
    x0[op] = axis === "time" ? place(h.call[op]) : event[op];
    x1[op] = h.ret[op] === Infinity ? 2 * last + 2 : place(h.ret[op]) + (axis === "time" ? 0 : 1);
  }
  const time = (unit) => times[0] + (unit / (2 * last)) * span;
  return { width: 2 * last + 2, event, between, place, time };
}

function byOrder(order, shown, x0, x1) {
  let at = 0;
  for (const op of order)
    if (shown[op] && !x1[op]) {
      x0[op] = at++;
      x1[op] = at - GAP;
    }
  return { width: at };
}

// What waits for whom: an operation for the one before it in its thread, for the only one that it reads from, and for
// those that are recorded as returned before. Pairs of first and second.
function waitingPairs(h, ops, shown, relations) {
  const pairs = [], last = new Int32Array(h.threads.length).fill(-1);
  for (const op of ops) {
    const before = last[h.thread[op]], source = relations.onlySource(op);
    last[h.thread[op]] = op;
    if (before >= 0) pairs.push(before, op);
    if (source >= 0 && shown[source]) pairs.push(source, op);
  }
  for (let i = 0; i < h.after.length; i += 2)
    if (shown[h.after[i]] && shown[h.after[i + 1]]) pairs.push(h.after[i], h.after[i + 1]);
  return pairs;
}

// The followers of each operation, one list behind another: those of op are list[at[op]..at[op+1]).
function followersOf(n, pairs) {
  const at = new Uint32Array(n + 2), list = new Uint32Array(pairs.length / 2);
  for (let i = 0; i < pairs.length; i += 2) at[pairs[i] + 2]++;
  for (let op = 0; op < n; op++) at[op + 2] += at[op + 1];
  for (let i = 0; i < pairs.length; i += 2) list[at[pairs[i] + 1]++] = pairs[i + 1];
  return { at, list };
}

// Longest paths over program order and reads-from. Reads that close a cycle wait for nobody.
function byLevels(h, ops, shown, relations, x0, x1) {
  const { at, list } = followersOf(h.n, waitingPairs(h, ops, shown, relations));
  const waits = new Uint32Array(h.n), done = new Uint8Array(h.n);
  for (const op of list) waits[op]++;
  const ready = Array.from(ops).filter((op) => !waits[op]);
  let width = 0, stuck = 0;
  for (let left = ops.length; left;) {
    const op = ready.pop() ?? ops[stuck++];
    if (done[op]) continue;
    done[op] = 1;
    left--;
    x1[op] = x0[op] + 1 - GAP;
    width = Math.max(width, x0[op] + 1);
    for (let i = at[op]; i < at[op + 1]; i++) {
      const to = list[i];
      if (!done[to]) x0[to] = Math.max(x0[to], x0[op] + 1);
      if (--waits[to] === 0) ready.push(to);
    }
  }
  return { width };
}

// A call that stays open, though its session went on, ends where the next one begins.
function cutOpenBars(h, lane, x0, x1) {
  for (let i = 0; i + 1 < lane.ops.length; i++) {
    const op = lane.ops[i], next = lane.ops[i + 1];
    if (x1[op] > x0[next]) x1[op] = x0[next];
  }
}

function makeLanes(h, ops) {
  const count = new Uint32Array(h.threads.length), laneOf = new Int32Array(h.threads.length).fill(-1), lanes = [];
  for (const op of ops) count[h.thread[op]]++;
  count.forEach((n, thread) => {
    if (n) laneOf[thread] = lanes.push({ thread, ops: new Uint32Array(n) }) - 1;
  });
  const next = new Uint32Array(lanes.length);
  for (const op of ops) {
    const lane = laneOf[h.thread[op]];
    lanes[lane].ops[next[lane]++] = op;
  }
  return { lanes, laneOf };
}

// ops: those to show, in the order of the history.
export function makeLayout(h, ops, axis, relations) {
  const x0 = new Float64Array(h.n), x1 = new Float64Array(h.n), shown = new Uint8Array(h.n);
  for (const op of ops) shown[op] = 1;
  const timed = h.call !== null;
  let placed = { width: 0 };
  if (timed && ops.length) placed = byTimes(h, ops, axis, x0, x1);
  else if (!timed && h.orders.length === 1 && h.orders[0].ops.length >= h.n)
    placed = byOrder(h.orders[0].ops, shown, x0, x1);
  else if (!timed) placed = byLevels(h, ops, shown, relations, x0, x1);
  const { lanes, laneOf } = makeLanes(h, ops);
  for (const lane of lanes) {
    if (!timed) lane.ops.sort((a, b) => x0[a] - x0[b] || a - b);
    cutOpenBars(h, lane, x0, x1);
    lane.starts = Float64Array.from(lane.ops, (op) => x0[op]);
  }
  return { h, x0, x1, shown, laneOf, lanes, timed, count: ops.length, ...placed };
}

// The linearization points of an order: each within its bar, and from left to right. Without times the middles.
export function pointsOf(layout, order) {
  const points = new Float64Array(order.length).fill(NaN);
  if (!layout.timed) {
    order.forEach((op, i) => {
      if (layout.shown[op]) points[i] = (layout.x0[op] + layout.x1[op]) / 2;
    });
    return points;
  }
  let base = -1;
  const run = new Uint32Array(order.length);
  let length = 0;
  const spread = () => {
    for (let j = 0; j < length; j++) points[run[j]] = layout.between(base, (0.9 * (j + 1)) / (length + 1));
    length = 0;
  };
  for (let i = 0; i < order.length; i++) {
    const op = order[i];
    if (!layout.shown[op]) continue;
    if (layout.event[op] > base) {
      spread();
      base = layout.event[op];
    }
    run[length++] = i;
  }
  spread();
  return points;
}
