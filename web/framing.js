// SPDX-License-Identifier: Apache-2.0
// The view that a page opens with: the whole picture, or a part of it in which the argument can be read. That part has
// the operations of a short argument and their neighbours. It is magnified until their labels fit, and no further: a
// single bar never fills the picture.
import { accessTexts, textOf } from "./data.js";

const FEW = 6;      // operations of an argument that is brought near
const SHARE = 0.4;  // of the picture that one operation may take for the sake of its label
const MARGIN = 0.92;
const PAD = 16, CHIP = 13; // pixels around a label, and around an access in it

function labelWidth(h, op, letter) {
  if (!h.accesses) return textOf(h, op).length * letter + PAD;
  return accessTexts(h, op).reduce((sum, text) => sum + text.length * letter + CHIP, PAD);
}

function spanOf(layout, ops) {
  let from = Infinity, to = -Infinity;
  for (const op of ops) {
    from = Math.min(from, layout.x0[op]);
    to = Math.max(to, layout.x1[op]);
  }
  return [from, to];
}

export function frameOpening(s) {
  const { h, layout, view, letter } = s, isShown = (op) => layout.shown[op];
  const core = h.involved.filter(isShown), around = [...core, ...h.neighbours.filter(isShown)];
  view.fit(0, layout.width);
  if (!core.length || core.length > FEW) return;
  const length = (op) => Math.max(layout.x1[op] - layout.x0[op], 1e-9);
  const scaleFor = ([from, to]) => (view.width * MARGIN) / Math.max(to - from, 1e-9);
  const readable = (op) => Math.min(labelWidth(h, op, letter), view.width * SHARE) / length(op);
  const inner = spanOf(layout, core), outer = spanOf(layout, around);
  const scale = Math.max(Math.min(Math.max(...around.map(readable)), scaleFor(outer)),
    Math.min(Math.max(...core.map(readable)), scaleFor(inner)));
  if (scale <= view.scale) return;
  const [from, to] = scale <= scaleFor(outer) * 1.001 ? outer : inner;
  const lanes = core.map((op) => layout.laneOf[h.thread[op]]);
  const middle = ((Math.min(...lanes) + Math.max(...lanes) + 1) / 2) * s.lane;
  view.go((from + to - view.width / scale) / 2, scale, middle - view.height / 2);
}
