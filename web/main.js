// SPDX-License-Identifier: Apache-2.0
// The page: puts the parts together. One scene is drawn at most once a frame, when something has changed.
import { readHistory, textOf } from "./data.js";
import { showDetails } from "./details.js";
import { makeFilters } from "./filters.js";
import { frameOpening } from "./framing.js";
import { listen, listenKeys, zoomFactor } from "./gestures.js";
import { showLadder } from "./ladder.js";
import { showLegend } from "./legend.js";
import { makeLayout, pointsOf } from "./layout.js";
import { boxOf, draw, gutterOf, headHeight, leastLane, measure, operationAt } from "./paint.js";
import { makeTheme, readPalette } from "./palette.js";
import { makeRelations, recordedEdges } from "./relations.js";
import { makeStepper, sceneOfStep } from "./steps.js";
import { makeViewport } from "./viewport.js";

const GLIDE = 220; // milliseconds of a move of the view

const $ = (id) => document.getElementById(id);
const h = readHistory($("data").textContent);
const relations = makeRelations(h, () => (stepper.order() ?? h.orders[0])?.ops ?? null);
const canvas = $("canvas"), context = canvas.getContext("2d");
const calm = matchMedia("(prefers-reduced-motion: reduce)");

const scene = {
  h, view: makeViewport(), palette: readPalette(), axis: "events", axisTitle: "",
  width: 1, height: 1, gutter: 104, lane: 50, letter: 7,
  marks: new Map(), recorded: recordedEdges(h), edges: [], dim: false, found: null, hover: -1, pinned: -1, points: null,
  states: Boolean(h.states?.texts.length), neighbours: new Set(h.neighbours),
};
const counts = { frames: 0, bars: 0 };
let asked = false;

// ---- drawing ----

function paint() {
  asked = false;
  const ratio = devicePixelRatio || 1;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  counts.bars = draw(context, scene);
  if (!counts.frames++) performance.mark("first-frame");
  canvas.dataset.frames = String(counts.frames);
  canvas.dataset.bars = String(counts.bars);
  canvas.dataset.shown = String(scene.layout.count);
}

function repaint() {
  if (!asked) requestAnimationFrame(paint);
  asked = true;
}

function resize() {
  const most = Math.max(260, innerHeight * 0.62), least = leastLane(h);
  const room = (most - headHeight(scene) - 26) / Math.max(scene.layout.lanes.length, 1);
  scene.lane = Math.min(Math.max(room, least), 2 * least); // few lanes stand apart: arrows need room
  const lanes = headHeight(scene) + scene.layout.lanes.length * scene.lane + 26;
  scene.width = Math.max($("frame").clientWidth, 200);
  scene.gutter = gutterOf(scene.width);
  scene.height = Math.min(Math.max(lanes, 170), most);
  const ratio = devicePixelRatio || 1;
  canvas.width = Math.round(scene.width * ratio);
  canvas.height = Math.round(scene.height * ratio);
  canvas.style.height = `${scene.height}px`;
  scene.view.resize(scene.width - scene.gutter, scene.height, scene.layout.width, lanes);
  repaint();
}

// ---- what is shown ----

// The points of an order, unless they stand already.
function placePoints(order) {
  if (!order) {
    scene.points = null;
    return;
  }
  const { points } = scene;
  if (points?.order === order.ops && points.layout === scene.layout) {
    points.to = order.ops.length;
    return;
  }
  const all = pointsOf(scene.layout, order.ops), xs = new Float64Array(all.length), index = new Uint32Array(all.length);
  let n = 0;
  for (let i = 0; i < all.length; i++)
    if (!Number.isNaN(all[i])) {
      index[n] = i;
      xs[n++] = all[i];
    }
  scene.points = {
    layout: scene.layout, order: order.ops, xs: xs.subarray(0, n), index, from: 0, to: order.ops.length,
  };
}

function layOut() {
  scene.axis = $("axis").value;
  scene.layout = makeLayout(h, filters.shown(), scene.axis, relations);
  scene.layout.inOrder = !scene.layout.timed && h.orders.length === 1;
  scene.axisTitle = scene.layout.timed ? "real time, one place for each event"
    : scene.layout.inOrder ? "the order of the witness" : "program order; reads stand behind their writes";
  placePoints(stepper.order() ?? (h.verdict === "violation" ? h.orders[0] : null));
  resize();
  canvas.setAttribute("aria-label", `${scene.layout.count} operations on ${scene.layout.lanes.length} timelines`);
}

function extentOf(ops) {
  let from = Infinity, to = -Infinity;
  for (const op of ops)
    if (scene.layout.shown[op]) {
      from = Math.min(from, scene.layout.x0[op]);
      to = Math.max(to, scene.layout.x1[op]);
    }
  return from <= to ? [from, to] : [0, scene.layout.width];
}

function fitAll() {
  scene.view.fit(0, scene.layout.width);
}

function glide(change) {
  const before = scene.view.state();
  change();
  const after = scene.view.state();
  if (calm.matches || before.every((x, i) => Math.abs(x - after[i]) < 1e-6)) return repaint();
  const start = performance.now();
  const frame = (now) => {
    const t = Math.min((now - start) / GLIDE, 1), eased = t * (2 - t);
    scene.view.go(...before.map((x, i) => x + (after[i] - x) * eased));
    repaint();
    if (t < 1) requestAnimationFrame(frame);
  };
  scene.view.go(...before);
  return requestAnimationFrame(frame);
}

// Brings the operations into sight, if one of them is not.
function ensureSeen(ops) {
  const known = ops.filter((op) => scene.layout.shown[op]);
  if (!known.length) return repaint();
  const [from, to] = extentOf(known), { view } = scene;
  const left = view.left, right = view.unit(view.width);
  const tops = known.map((op) => scene.layout.laneOf[h.thread[op]] * scene.lane);
  return glide(() => {
    if (from < left || to > right || (to - from) * view.scale < 30) {
      const space = Math.max(to - from, 4);
      if (space * view.scale < view.width * 0.8 && (to - from) * view.scale >= 30)
        view.pan(((from + to) / 2 - (left + right) / 2) * view.scale, 0);
      else view.fit(from - space * 0.15, to + space * 0.15);
    }
    const top = Math.min(...tops), bottom = Math.max(...tops) + scene.lane + headHeight(scene) + 26;
    if (top < view.top) view.pan(0, top - view.top);
    else if (bottom > view.top + view.height) view.pan(0, bottom - view.top - view.height);
  });
}

// ---- steps ----

function showOrder(self) {
  const order = self.order();
  if (self.at && !scene.layout.shown[order.ops[self.at - 1]]) filters.reveal(order.ops[self.at - 1]);
  placePoints(order);
  scene.points.to = self.at || order.ops.length;
  scene.points.joined = true;
  scene.marks = new Map();
  scene.edges = [];
  scene.dim = self.at > 0;
  if (self.at) {
    for (const op of order.ops.slice(Math.max(self.at - 9, 0), self.at - 1)) scene.marks.set(op, "part");
    scene.marks.set(order.ops[self.at - 1], "now");
  }
  if (h.unexplained !== undefined) scene.marks.set(h.unexplained, "culprit");
  ensureSeen(self.at ? [order.ops[self.at - 1]] : []);
}

function showStep(self) {
  if (self.order()) return showOrder(self);
  Object.assign(scene, sceneOfStep(h, self.steps, self.at));
  placePoints(h.orders[0] ?? null);
  if (scene.points) scene.points.joined = false;
  if (self.at) return ensureSeen([...scene.marks].filter(([, mark]) => mark !== "part").map(([op]) => op));
  return repaint();
}

const stepper = makeStepper(h, {
  tabs: $("tabs"), previous: $("previous"), next: $("next"), place: $("place"), play: $("play"), slider: $("slider"),
  sentence: $("sentence"), list: $("steps"),
}, (self) => scene.layout && showStep(self));

// ---- one operation ----

const place = (op) => {
  const order = (stepper.order() ?? h.orders[0])?.ops;
  const at = order ? order.indexOf(op) : -1;
  return at < 0 ? undefined : at;
};

function tell() {
  const op = scene.hover >= 0 ? scene.hover : scene.pinned, at = op >= 0 ? place(op) : undefined;
  const state = at === undefined ? undefined : h.states?.texts[at - h.states.from];
  showDetails($("details"), h, op, {
    relations, place: at, state, go: select, look: (other) => light(other), isPinned: op >= 0 && op === scene.pinned,
  });
}

function light(op) {
  scene.hover = op;
  repaint();
}

function hover(op, x, y) {
  const tip = $("tip");
  tip.hidden = op < 0;
  canvas.style.cursor = op < 0 ? "grab" : "pointer";
  if (op >= 0) {
    tip.textContent = `${h.threads[h.thread[op]]}: ${textOf(h, op)}`;
    tip.style.left = `${Math.min(x + 14, scene.width - Math.min(tip.offsetWidth, scene.width) - 4)}px`;
    tip.style.top = `${y + 18}px`;
  }
  if (op === scene.hover) return;
  light(op);
  tell();
}

function pin(op) {
  scene.pinned = op === scene.pinned ? -1 : op;
  tell();
  repaint();
}

function select(op) {
  if (!scene.layout.shown[op]) filters.reveal(op);
  scene.pinned = op;
  scene.hover = -1;
  ensureSeen([op]);
  tell();
}

// The next operation of the lane, or the nearest one of the next lane.
function walk(dx, dy) {
  const { lanes, laneOf, x0 } = scene.layout;
  if (!lanes.length) return undefined;
  const op = scene.pinned >= 0 && scene.layout.shown[scene.pinned] ? scene.pinned : -1;
  if (op < 0) return select(lanes[0].ops[0]);
  const lane = laneOf[h.thread[op]];
  if (dx) {
    const next = lanes[lane].ops[lanes[lane].ops.indexOf(op) + dx];
    return next === undefined ? undefined : select(next);
  }
  const other = lanes[lane + dy];
  if (!other) return undefined;
  return select(other.ops.reduce((best, o) => (Math.abs(x0[o] - x0[op]) < Math.abs(x0[best] - x0[op]) ? o : best)));
}

// ---- search and filters ----

let lastFound = -1;

function search() {
  scene.found = filters.found();
  const n = scene.found?.size ?? 0;
  $("found").textContent = scene.found ? `${n} found` : "";
  lastFound = -1;
  repaint();
}

function nextFound() {
  const all = [...(scene.found ?? [])];
  if (!all.length) return;
  lastFound = all.find((op) => op > lastFound) ?? all[0];
  select(lastFound);
}

const filters = makeFilters(h, {
  scope: $("scope"), thread: $("by-thread"), key: $("by-key"), keyLabel: $("by-key-label"), method: $("by-method"),
  axis: $("axis"), search: $("search"),
}, (again) => {
  if (again) {
    layOut();
    fitAll();
    repaint();
  }
  search();
});

// ---- begin ----

function clear() {
  if (scene.pinned >= 0) pin(scene.pinned);
  else if ($("search").value) filters.clear();
  document.activeElement?.blur?.();
}

function zoom(factor, x) {
  scene.view.zoom(factor, x ?? scene.view.width / 2);
  repaint();
}

function toggleHelp() {
  const isHidden = $("help").toggleAttribute("hidden");
  $("help-button").setAttribute("aria-expanded", String(!isHidden));
}

function begin() {
  document.documentElement.classList.add("with-scripts");
  $("axis-label").hidden = !h.call;
  layOut();
  measure(context, scene);
  frameOpening(scene);
  const theme = makeTheme($("theme"), (palette) => {
    scene.palette = palette;
    showLegend($("legend"), scene);
    repaint();
  });
  showLadder(h, $("ladder-panel"), $("ladder"), $("grade"));
  tell();
  stepper.fromAddress();
  listen(canvas, {
    pan: (dx, dy) => (scene.view.pan(dx, dy), repaint()),
    zoom: (factor, x) => zoom(factor, x - scene.gutter),
    point: (x, y) => hover(operationAt(scene, x, y), x, y),
    leave: () => hover(-1),
    pin: (x, y) => {
      const op = operationAt(scene, x, y);
      if (op >= 0) pin(op);
      else if (scene.pinned >= 0) pin(scene.pinned);
    },
    walk,
    pinHere: () => scene.pinned >= 0 && pin(scene.pinned),
  });
  $("zoom-in").addEventListener("click", () => zoom(zoomFactor));
  $("zoom-out").addEventListener("click", () => zoom(1 / zoomFactor));
  $("fit").addEventListener("click", () => glide(fitAll));
  $("help-button").addEventListener("click", toggleHelp);
  $("tools").addEventListener("submit", (e) => {
    e.preventDefault();
    nextFound();
  });
  listenKeys({
    "n": () => stepper.move(1), "p": () => stepper.move(-1), "ArrowRight": () => stepper.move(1),
    "ArrowLeft": () => stepper.move(-1), " ": stepper.play, "+": () => zoom(zoomFactor), "=": () => zoom(zoomFactor),
    "-": () => zoom(1 / zoomFactor), "0": () => glide(fitAll), "/": () => $("search").focus(), "?": toggleHelp,
    "d": theme.toggle, "Escape": clear,
  });
  addEventListener("resize", resize);
  addEventListener("beforeprint", () => {
    fitAll();
    resize();
    paint();
  });
  document.documentElement.dataset.ready = "true";
}

// Tests ask where an operation stands.
canvas.boxOf = (op) => boxOf(scene, op);
canvas.view = () => scene.view.state();
begin();
