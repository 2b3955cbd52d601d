// SPDX-License-Identifier: Apache-2.0
// Pointer, wheel, touch and keys on the picture: pan, zoom, point at, pin.

const STEP = 80, FACTOR = 1.3;

// act: { pan(dx, dy), zoom(factor, x), point(x, y), leave(), pin(x, y), walk(dx, dy), pinHere() }
export function listen(canvas, act) {
  const held = new Map(); // pointers that are down
  let travelled = 0, apart = 0;

  const at = (e) => {
    const box = canvas.getBoundingClientRect();
    return { x: e.clientX - box.left, y: e.clientY - box.top };
  };
  const spread = () => {
    const [a, b] = [...held.values()];
    return Math.hypot(a.x - b.x, a.y - b.y);
  };

  canvas.addEventListener("pointerdown", (e) => {
    held.set(e.pointerId, at(e));
    travelled = 0;
    if (held.size === 2) apart = spread();
    canvas.setPointerCapture(e.pointerId);
  });
  canvas.addEventListener("pointermove", (e) => {
    const now = at(e), before = held.get(e.pointerId);
    if (!before) return act.point(now.x, now.y);
    held.set(e.pointerId, now);
    if (held.size === 2) {
      const next = spread(), [a, b] = [...held.values()];
      if (apart > 0 && next > 0) act.zoom(next / apart, (a.x + b.x) / 2);
      apart = next;
      travelled = Infinity;
      return undefined;
    }
    travelled += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
    if (travelled > 4) act.pan(before.x - now.x, before.y - now.y);
    return undefined;
  });
  const release = (e) => {
    const last = held.get(e.pointerId);
    held.delete(e.pointerId);
    if (e.type === "pointerup" && last && travelled <= 4) act.pin(last.x, last.y);
  };
  canvas.addEventListener("pointerup", release);
  canvas.addEventListener("pointercancel", release);
  canvas.addEventListener("pointerleave", () => act.leave());
  canvas.addEventListener("wheel", (e) => {
    e.preventDefault();
    if (e.shiftKey || Math.abs(e.deltaX) > Math.abs(e.deltaY)) act.pan(e.deltaX || e.deltaY, 0);
    else act.zoom(Math.exp(-e.deltaY * 0.0018), at(e).x);
  }, { passive: false });

  const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  canvas.addEventListener("keydown", (e) => {
    const arrow = arrows[e.key];
    if (arrow && !e.ctrlKey && !e.metaKey && !e.altKey) {
      if (e.shiftKey) act.walk(...arrow);
      else act.pan(arrow[0] * STEP, arrow[1] * STEP);
    } else if (e.key === "Enter") {
      act.pinHere();
    } else {
      return;
    }
    e.preventDefault();
    e.stopPropagation(); // or the page would step
  });
}

// Keys that work everywhere but in fields: `keys` maps their names to functions.
export function listenKeys(keys) {
  addEventListener("keydown", (e) => {
    const field = e.target.closest?.("input, select, textarea");
    if (e.ctrlKey || e.metaKey || e.altKey || (field && e.key !== "Escape")) return;
    if (e.key === " " && e.target.closest?.("button, a")) return;
    const act = keys[e.key];
    if (!act) return;
    e.preventDefault();
    act();
  });
}

export const zoomFactor = FACTOR;
