// SPDX-License-Identifier: Apache-2.0
// The panel about one operation: where it stands, when it ran, and its relations to others as buttons.
import { placeOf, textOf, timeOf } from "./data.js";

const MOST = 12; // of the operations of a relation

export function element(name, className, text) {
  const e = document.createElement(name);
  if (className) e.className = className;
  if (text !== undefined) e.textContent = text;
  return e;
}

function row(list, term, value) {
  list.append(element("dt", "", term));
  const d = element("dd", "", typeof value === "string" ? value : undefined);
  if (typeof value !== "string") d.append(value);
  list.append(d);
}

// go(op) is called when a button is pressed, look(op) while it is hovered or focused.
export function operationButton(h, op, go, look) {
  const b = element("button", "operation", `${placeOf(h, op)}  ${h.threads[h.thread[op]]}: ${textOf(h, op)}`);
  b.type = "button";
  b.addEventListener("click", () => go(op));
  for (const event of ["pointerenter", "focus"]) b.addEventListener(event, () => look(op));
  for (const event of ["pointerleave", "blur"]) b.addEventListener(event, () => look(-1));
  return b;
}

function times(h, op, list) {
  if (!h.call) return;
  row(list, "called", timeOf(h, h.call[op]));
  row(list, "returned", h.pending[op] ? "never" : timeOf(h, h.ret[op]));
  if (!h.pending[op]) row(list, "took", `${h.ret[op] - h.call[op]}${h.unit ? ` ${h.unit}` : ""}`);
}

// places: operation -> position in the order that is shown, or undefined.
export function showDetails(panel, h, op, { relations, place, state, go, look, isPinned }) {
  panel.replaceChildren();
  if (op < 0) {
    panel.append(element("p", "soft", "Point at an operation, or move to one with shift and the arrow keys."));
    return;
  }
  panel.append(element("p", "call", textOf(h, op)));
  const list = element("dl");
  row(list, "thread", h.threads[h.thread[op]]);
  row(list, "place", placeOf(h, op));
  times(h, op, list);
  if (h.aborted[op]) row(list, "outcome", "aborted");
  else if (h.pending[op] && !h.call) row(list, "outcome", "pending");
  if (place !== undefined) row(list, "in the order", `number ${place + 1}`);
  if (state) row(list, "state then", element("code", "", state));
  for (const { phrase, ops } of relations.of(op)) {
    const box = element("div", "operations");
    for (const other of ops.slice(0, MOST)) box.append(operationButton(h, other, go, look));
    if (ops.length > MOST) box.append(element("span", "soft", `and ${ops.length - MOST} more`));
    row(list, phrase, box);
  }
  panel.append(list);
  if (isPinned) panel.append(element("p", "soft", "Pinned: escape or a click beside it lets go."));
}
