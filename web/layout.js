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
    x0[op] = place(h.call[op]);
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

// Longest paths over program order and reads-from. Reads that close a cycle wait for nobody.
function byLevels(h, ops, relations, x0, x1) {
  const next = new Map(), waits = new Map(), last = new Map();
  const edge = (from, to) => {
    if (!next.has(from)) next.set(from, []);
    next.get(from).push(to);
    waits.set(to, (waits.get(to) ?? 0) + 1);
  };
  const shown = new Set(ops);
  for (const op of ops) {
    const before = last.get(h.thread[op]);
    if (before !== undefined) edge(before, op);
    last.set(h.thread[op], op);
    const sources = relations.sources(op);
    if (sources.length === 1 && shown.has(sources[0])) edge(sources[0], op);
  }
  const ready = ops.filter((op) => !waits.get(op)), done = new Set();
  let width = 0, stuck = 0;
  while (done.size < ops.length) {
    const op = ready.pop() ?? ops[stuck++];
    if (done.has(op)) continue;
    done.add(op);
    x1[op] = x0[op] + 1 - GAP;
    width = Math.max(width, x0[op] + 1);
    for (const to of next.get(op) ?? []) {
      if (!done.has(to)) x0[to] = Math.max(x0[to], x0[op] + 1);
      waits.set(to, waits.get(to) - 1);
      if (!waits.get(to)) ready.push(to);
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

// ops: those to show, in the order of the history.
export function makeLayout(h, ops, axis, relations) {
  const x0 = new Float64Array(h.n), x1 = new Float64Array(h.n), shown = new Uint8Array(h.n);
  for (const op of ops) shown[op] = 1;
  const timed = h.call !== null;
  let placed = { width: 0 };
  if (timed && ops.length) placed = byTimes(h, ops, axis, x0, x1);
  else if (!timed && h.orders.length === 1 && h.orders[0].ops.length >= h.n)
    placed = byOrder(h.orders[0].ops, shown, x0, x1);
  else if (!timed) placed = byLevels(h, ops, relations, x0, x1);
  const laneOf = new Int32Array(h.threads.length).fill(-1), lanes = [];
  const busy = new Uint8Array(h.threads.length);
  for (const op of ops) busy[h.thread[op]] = 1;
  busy.forEach((is, thread) => {
    if (is) laneOf[thread] = lanes.push({ thread, ops: [] }) - 1;
  });
  for (const op of ops) lanes[laneOf[h.thread[op]]].ops.push(op);
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
  let base = -1, run = [];
  const spread = () => {
    run.forEach((i, j) => (points[i] = layout.between(base, (0.9 * (j + 1)) / (run.length + 1))));
    run = [];
  };
  order.forEach((op, i) => {
    if (!layout.shown[op]) return;
    if (layout.event[op] > base) {
      spread();
      base = layout.event[op];
    }
    run.push(i);
  });
  spread();
  return points;
}
