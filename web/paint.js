// SPDX-License-Identifier: Apache-2.0
// Draws the picture on a canvas, and finds the operation under a pointer. Only what is seen is drawn: the first bar of
// a lane is found by bisection, and bars of less than a pixel are skipped a pixel at a time. So a frame costs as much
// as there are pixels, not operations.
import { accessTexts, textOf } from "./data.js";
import { lowerBound } from "./layout.js";

export const AXIS = 30;
const LEAST = 1.5, THIN = 4; // pixels of a bar; a thinner one has no outline
const STATES = 26, BAR = 26, BOX = 42, ROUND = 5, FONT = "12px ui-monospace, SFMono-Regular, Menlo, monospace";
const NAMES = "600 12px system-ui, sans-serif", SMALL = "11px system-ui, sans-serif";

// Names of threads stand in it. A narrow picture needs its room for bars.
export const gutterOf = (width) => (width < 560 ? 60 : 104);
export const leastLane = (h) => (h.accesses ? 66 : 50);
export const headHeight = (scene) => AXIS + (scene.states ? STATES : 0);

function cut(text, room, letter) {
  const most = Math.floor(room / letter);
  if (text.length <= most) return text;
  return most < 3 ? "" : `${text.slice(0, most - 1)}…`;
}

const barHeight = (h) => (h.accesses ? BOX : BAR);
const laneTop = (s, lane) => headHeight(s) + lane * s.lane - s.view.top;
const barTop = (s, lane) => laneTop(s, lane) + (s.lane - barHeight(s.h)) / 2 + 4;

function barOf(s, op) {
  const lane = s.layout.laneOf[s.h.thread[op]];
  const left = s.gutter + s.view.x(s.layout.x0[op]), right = s.gutter + s.view.x(s.layout.x1[op]);
  return { lane, left, width: Math.max(right - left, LEAST), top: barTop(s, lane), height: barHeight(s.h) };
}

// ---- bars ----

function kindOf(h, op) {
  if (h.aborted[op]) return "aborted";
  return h.put[op] >= 0 ? "write" : "read";
}

function fillBar(c, s, op, bar, mark) {
  const p = s.palette, kind = kindOf(s.h, op);
  c.beginPath();
  const corners = s.h.pending[op] ? [ROUND, 0, 0, ROUND] : ROUND;
  if (bar.width > 6) c.roundRect(bar.left, bar.top, bar.width, bar.height, corners);
  else c.rect(bar.left, bar.top, bar.width, bar.height);
  c.fillStyle = p[`${mark ?? kind}${bar.width < THIN ? "Line" : "Fill"}`];
  if (s.h.pending[op] && bar.width > 6) {
    const fade = c.createLinearGradient(bar.left, 0, bar.left + bar.width, 0);
    fade.addColorStop(0.4, c.fillStyle);
    fade.addColorStop(1, p.paper);
    c.fillStyle = fade;
  }
  c.fill();
  if (bar.width < THIN && !mark) return;
  c.strokeStyle = p[`${mark ?? kind}Line`];
  c.lineWidth = mark ? 2 : 1;
  c.setLineDash(kind === "aborted" ? [4, 3] : s.h.pending[op] ? [6, 3] : []);
  c.stroke();
  c.setLineDash([]);
}

function nameBar(c, s, op, bar, mark) {
  const left = Math.max(bar.left, s.gutter) + 7, room = Math.min(bar.left + bar.width, s.width) - left - 5;
  if (room < 18) return;
  c.font = FONT;
  c.textBaseline = "middle";
  c.fillStyle = mark ? s.palette[`${mark}Ink`] : s.palette.ink;
  if (!s.h.accesses) {
    c.fillText(cut(textOf(s.h, op), room, s.letter), left, bar.top + bar.height / 2 + 0.5);
    return;
  }
  c.globalAlpha *= 0.75;
  c.font = SMALL;
  c.fillText(cut(s.h.labelText(s.h.label[op]), room, s.letter), left, bar.top + 10);
  c.globalAlpha /= 0.75;
  c.font = FONT;
  nameAccesses(c, s, op, bar, left, room);
}

// The accesses of a transaction, as chips within its box.
function nameAccesses(c, s, op, bar, left, room) {
  const texts = accessTexts(s.h, op), first = s.h.accesses.at[op];
  let x = left;
  for (let i = 0; i < texts.length; i++) {
    const width = texts[i].length * s.letter + 8, isLast = i + 1 === texts.length;
    if (x + width + (isLast ? 0 : 14) > left + room) {
      c.fillText("…", x, bar.top + 28);
      return;
    }
    const kind = s.h.accesses.writes[first + i] ? "write" : "read", ink = c.fillStyle;
    c.beginPath();
    c.roundRect(x, bar.top + 19, width, 18, 4);
    c.fillStyle = s.palette[`${kind}Chip`];
    c.fill();
    c.strokeStyle = s.palette[`${kind}Line`];
    c.lineWidth = 1;
    c.stroke();
    c.fillStyle = s.palette.ink;
    c.fillText(texts[i], x + 4, bar.top + 28.5);
    c.fillStyle = ink;
    x += width + 5;
  }
}

function drawOne(c, s, op, alpha) {
  const bar = barOf(s, op), mark = s.marks.get(op);
  c.globalAlpha = alpha;
  if (mark && alpha === 1 && mark !== "part") {
    c.shadowColor = s.palette[`${mark}Line`];
    c.shadowBlur = 9;
  }
  fillBar(c, s, op, bar, mark);
  c.shadowBlur = 0;
  nameBar(c, s, op, bar, mark);
  c.globalAlpha = 1;
}

function outline(c, s, op, color, grow) {
  if (op < 0 || !s.layout.shown[op]) return;
  const bar = barOf(s, op);
  c.beginPath();
  c.roundRect(bar.left - grow, bar.top - grow, bar.width + 2 * grow, bar.height + 2 * grow, ROUND + grow);
  c.strokeStyle = color;
  c.lineWidth = 2;
  c.stroke();
}

// Bars too narrow for an outline, by kind and opacity: a colour is set once for all of them.
function drawThin(c, thin, s, top) {
  for (const [name, xs] of thin) {
    const [kind, alpha] = name.split(" ");
    c.fillStyle = s.palette[`${kind}Line`]; // what is narrow must stand out
    c.globalAlpha = Number(alpha);
    for (let i = 0; i < xs.length; i += 2) c.fillRect(xs[i], top, xs[i + 1], barHeight(s.h));
  }
  c.globalAlpha = 1;
}

function alphaOf(s, op) {
  if (s.dim) return s.neighbours.has(op) ? 0.75 : 0.45;
  return s.found && !s.found.has(op) ? 0.3 : 1;
}

function drawLane(c, s, lane) {
  const { ops, starts } = s.layout.lanes[lane], { view } = s, thin = new Map();
  const right = view.unit(s.width - s.gutter);
  let drawn = 0;
  for (let i = Math.max(lowerBound(starts, view.left) - 1, 0); i < ops.length && starts[i] <= right;) {
    const op = ops[i], end = s.layout.x1[op];
    if (!s.marks.has(op) && end >= view.left) {
      const alpha = alphaOf(s, op), width = (end - starts[i]) * view.scale;
      if (width < THIN) {
        const name = `${kindOf(s.h, op)} ${alpha}`;
        if (!thin.has(name)) thin.set(name, []);
        thin.get(name).push(s.gutter + view.x(starts[i]), Math.max(width, LEAST));
      } else {
        drawOne(c, s, op, alpha);
      }
      drawn++;
    }
    const nextPixel = view.unit(view.x(starts[i]) + LEAST);
    i = end < nextPixel ? Math.max(lowerBound(starts, nextPixel), i + 1) : i + 1;
  }
  drawThin(c, thin, s, barTop(s, lane));
  return drawn;
}

// ---- the ground: lanes, faults, axis ----

function drawGround(c, s) {
  const p = s.palette, height = s.lane;
  c.fillStyle = p.paper;
  c.fillRect(0, 0, s.width, s.height);
  s.layout.lanes.forEach((_, i) => {
    const top = laneTop(s, i);
    if (top > s.height || top + height < 0) return;
    c.fillStyle = i % 2 ? p.stripe : p.paper;
    c.fillRect(0, top, s.width, height);
  });
}

function drawFaults(c, s) {
  if (!s.layout.timed || !s.h.faults || !s.layout.count) return;
  c.font = SMALL;
  c.textBaseline = "middle";
  for (const [name, from, to] of s.h.faults) {
    const left = Math.max(s.gutter + s.view.x(s.layout.place(from)), s.gutter);
    const right = Math.min(to === null ? s.width : s.gutter + s.view.x(s.layout.place(to)), s.width);
    if (right <= left || left > s.width) continue;
    c.fillStyle = s.palette.fault;
    c.fillRect(left, 0, Math.max(right - left, 2), s.height);
    c.fillStyle = s.palette.faultInk;
    c.fillText(cut(name, Math.max(right - left, 90) - 8, 6), left + 5, s.height - 10);
  }
}

function niceStep(rough) {
  const power = 10 ** Math.floor(Math.log10(rough)), digit = rough / power;
  return (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10) * power;
}

function drawAxis(c, s) {
  const p = s.palette;
  c.fillStyle = p.paper;
  c.fillRect(0, 0, s.width, AXIS);
  c.strokeStyle = p.line;
  c.lineWidth = 1;
  c.beginPath();
  c.moveTo(0, AXIS - 0.5);
  c.lineTo(s.width, AXIS - 0.5);
  c.stroke();
  c.font = SMALL;
  c.textBaseline = "middle";
  c.fillStyle = p.soft;
  if (!s.layout.timed || s.axis !== "time" || !s.layout.count) {
    c.fillText(cut(s.axisTitle, s.width - s.gutter - 10, 5.6), s.gutter + 6, AXIS / 2);
    return;
  }
  const first = s.layout.time(s.view.left), last = s.layout.time(s.view.unit(s.width - s.gutter));
  const step = niceStep(((last - first) * 110) / (s.width - s.gutter));
  for (let t = Math.ceil(first / step) * step; t <= last; t += step) {
    const x = s.gutter + s.view.x(s.layout.place(t));
    c.fillRect(x, AXIS - 5, 1, 5);
    c.fillText(`${Number(t.toPrecision(12))}${s.h.unit ? ` ${s.h.unit}` : ""}`, x + 4, AXIS / 2);
  }
}

function drawNames(c, s) {
  const p = s.palette, height = s.lane, head = headHeight(s);
  c.save();
  c.beginPath();
  c.rect(0, head, s.gutter, s.height - head);
  c.clip();
  c.fillStyle = p.gutter;
  c.fillRect(0, head, s.gutter, s.height - head);
  c.font = NAMES;
  c.textBaseline = "middle";
  s.layout.lanes.forEach((lane, i) => {
    const top = laneTop(s, i);
    if (top > s.height || top + height < head) return;
    c.fillStyle = p.ink;
    c.fillText(cut(s.h.threads[lane.thread], s.gutter - 18, 7.2), 10, top + height / 2 + 4);
  });
  c.restore();
  c.fillStyle = p.line;
  c.fillRect(s.gutter - 1, 0, 1, s.height);
}

// ---- edges ----

function anchor(s, op) {
  const bar = barOf(s, op);
  const left = Math.max(bar.left, s.gutter), right = Math.min(bar.left + bar.width, s.width);
  const x = right > left ? (left + right) / 2 : bar.left < s.gutter ? s.gutter : s.width;
  return { x, top: bar.top, bottom: bar.top + bar.height, lane: bar.lane };
}

function curveOf(s, from, to) {
  const a = anchor(s, from), b = anchor(s, to);
  const shift = from < to ? -6 : 6; // the two directions of one pair stay apart
  if (a.lane === b.lane) {
    const rise = 16 + Math.min(Math.abs(a.x - b.x) * 0.08, 14), y = a.top - 1;
    const way = a.x < b.x ? 1 : -1;
    return [a.x + 8 * way, y, a.x + 14 * way, y - rise, b.x - 14 * way, y - rise, b.x - 8 * way, y];
  }
  const down = a.lane < b.lane;
  const y1 = down ? a.bottom : a.top, y2 = down ? b.top - 1 : b.bottom + 1, bend = (y2 - y1) * 0.45;
  return [a.x + shift, y1, a.x + shift, y1 + bend, b.x + shift, y2 - bend, b.x + shift, y2];
}

function arrowHead(c, [, , , , cx, cy, x, y]) {
  const angle = Math.atan2(y - cy, x - cx);
  c.beginPath();
  c.moveTo(x, y);
  c.lineTo(x - 9 * Math.cos(angle - 0.42), y - 9 * Math.sin(angle - 0.42));
  c.lineTo(x - 9 * Math.cos(angle + 0.42), y - 9 * Math.sin(angle + 0.42));
  c.fill();
}

const DERIVED = new Set(["rw", "cf", "hb", "ww"]);

function drawEdge(c, s, edge) {
  if (!s.layout.shown[edge.from] || !s.layout.shown[edge.to]) return;
  const p = s.palette, curve = curveOf(s, edge.from, edge.to);
  const color = edge.strong ? p.culpritLine : edge.now ? p.nowLine : p.edge;
  c.strokeStyle = c.fillStyle = color;
  c.lineWidth = edge.strong ? 2.6 : edge.now ? 2.2 : 1.3;
  c.setLineDash(edge.rule === "case" ? [2, 4] : DERIVED.has(edge.rule) ? [7, 4] : []);
  c.beginPath();
  c.moveTo(curve[0], curve[1]);
  c.bezierCurveTo(...curve.slice(2));
  c.stroke();
  c.setLineDash([]);
  arrowHead(c, curve);
  const middle = (i) => (curve[i] + 3 * curve[i + 2] + 3 * curve[i + 4] + curve[i + 6]) / 8;
  c.font = SMALL;
  c.textBaseline = "middle";
  c.lineWidth = 4;
  c.strokeStyle = p.paper;
  const beside = edge.from < edge.to ? -7 - c.measureText(edge.rule).width : 6;
  const x = middle(0) + (curve[1] === curve[7] ? 0 : beside), y = middle(1) - (curve[1] === curve[7] ? 6 : 0);
  c.strokeText(edge.rule, x, y);
  c.fillText(edge.rule, x, y);
}

// ---- linearization points and states ----

function drawPoints(c, s) {
  const { xs, order, from, to } = s.points, p = s.palette;
  const sorted = s.layout.timed || s.layout.inOrder;
  const first = sorted ? Math.max(lowerBound(xs, s.view.left) - 1, 0) : 0;
  const right = s.view.unit(s.width - s.gutter);
  const crowded = xs.length > 1 && (s.view.scale * s.layout.width) / xs.length < 5;
  if (crowded) return;
  let previous = null, drawn = 0;
  for (let i = first; i < xs.length && drawn < 3000; i++) {
    const index = s.points.index[i], op = order[index], bar = barOf(s, op), x = s.gutter + s.view.x(xs[i]);
    const y = bar.top + bar.height - 1, on = index >= from && index < to;
    drawn++;
    if (s.points.joined && previous && on) {
      c.strokeStyle = p.point;
      c.globalAlpha = 0.45;
      c.lineWidth = 1.2;
      c.beginPath();
      c.moveTo(previous.x, previous.y);
      c.lineTo(x, y);
      c.stroke();
      c.globalAlpha = 1;
    }
    previous = { x, y };
    c.beginPath();
    c.moveTo(x, y - 5.5);
    c.lineTo(x + 4.5, y);
    c.lineTo(x, y + 5.5);
    c.lineTo(x - 4.5, y);
    c.closePath();
    c.fillStyle = on ? p.point : p.paper;
    c.fill();
    c.strokeStyle = on ? p.paper : p.point;
    c.lineWidth = 1;
    c.stroke();
    if (sorted && xs[i] > right) break;
  }
}

function drawStates(c, s) {
  if (!s.states) return;
  const p = s.palette;
  c.fillStyle = p.gutter;
  c.fillRect(0, AXIS, s.width, STATES);
  c.font = SMALL;
  c.textBaseline = "middle";
  c.fillStyle = p.soft;
  c.fillText("state", 10, AXIS + STATES / 2);
  if (!s.points) return;
  c.save();
  c.beginPath();
  c.rect(s.gutter, AXIS, s.width - s.gutter, STATES);
  c.clip();
  c.font = FONT;
  const { xs, index } = s.points, first = Math.max(lowerBound(xs, s.view.left) - 1, 0);
  let free = -Infinity; // no text left of this
  for (let i = first; i < xs.length; i++) {
    const x = s.gutter + s.view.x(xs[i]), text = s.h.states.texts[index[i] - s.h.states.from];
    if (x > s.width) break;
    if (x < free || text === undefined) continue;
    const next = i + 1 < xs.length ? s.gutter + s.view.x(xs[i + 1]) : s.width;
    const room = Math.max(next - x, 60) - 12, shown = cut(text, room, s.letter);
    c.fillStyle = index[i] + 1 === s.points.to ? p.point : p.ink;
    c.fillRect(x - 0.5, AXIS + 4, 1, STATES - 8);
    c.fillText(shown, x + 5, AXIS + STATES / 2);
    free = x + shown.length * s.letter + 14;
  }
  c.restore();
}

// ---- the whole ----

// How wide a letter of a label is.
export function measure(c, s) {
  c.font = FONT;
  s.letter = c.measureText("0").width;
}

// The scene has: h, layout, view, palette, axis, axisTitle, width, height, gutter, lane, letter, marks (operation ->
// now, part, culprit), recorded (edges of the history itself), edges, dim, found, hover, pinned, points, states,
// neighbours. Returns how many bars were drawn.
export function draw(c, s) {
  measure(c, s);
  drawGround(c, s);
  drawFaults(c, s);
  c.save();
  c.beginPath();
  c.rect(s.gutter, AXIS, s.width - s.gutter, s.height - AXIS);
  c.clip();
  const height = s.lane, head = headHeight(s);
  const firstLane = Math.max(Math.floor((s.view.top - head) / height), 0);
  let drawn = 0;
  for (let i = firstLane; i < s.layout.lanes.length && laneTop(s, i) < s.height; i++) drawn += drawLane(c, s, i);
  for (const op of s.marks.keys()) if (s.layout.shown[op]) drawOne(c, s, op, 1);
  if (s.points) drawPoints(c, s);
  for (const edge of s.recorded) drawEdge(c, s, edge);
  for (const edge of s.edges) drawEdge(c, s, edge);
  if (s.found && s.found.size < 500) for (const op of s.found) outline(c, s, op, s.palette.found, 2);
  outline(c, s, s.pinned, s.palette.pinned, 3);
  outline(c, s, s.hover, s.palette.ink, 2);
  c.restore();
  drawAxis(c, s);
  drawStates(c, s);
  drawNames(c, s);
  return drawn;
}

// The operation at a pixel, or -1.
export function operationAt(s, x, y) {
  const lane = Math.floor((y + s.view.top - headHeight(s)) / s.lane);
  if (lane < 0 || lane >= s.layout.lanes.length || x < s.gutter || y < headHeight(s)) return -1;
  const { ops, starts } = s.layout.lanes[lane], unit = s.view.unit(x - s.gutter), near = 3 / s.view.scale;
  for (let i = Math.min(lowerBound(starts, unit + near), ops.length - 1); i >= 0 && i > -1; i--) {
    const op = ops[i];
    if (s.layout.x0[op] - near <= unit && unit <= s.layout.x1[op] + near) return op;
    if (s.layout.x1[op] < unit - near) return -1;
  }
  return -1;
}

// Where the bar of an operation stands on the canvas.
export function boxOf(s, op) {
  return barOf(s, op);
}
