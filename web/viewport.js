// SPDX-License-Identifier: Apache-2.0
// What part of the picture is seen: `left` in units of the axis, `scale` in pixels per unit, `top` in pixels.

const CLOSEST = 400; // pixels per unit

export function makeViewport() {
  const v = { left: 0, scale: 1, top: 0, width: 1, height: 1, all: 1, allHeight: 1 };
  const least = () => (v.width / Math.max(v.all, 1e-9)) * 0.5;
  const clamp = () => {
    v.scale = Math.min(Math.max(v.scale, least()), Math.max(CLOSEST, least()));
    const margin = (v.width * 0.5) / v.scale;
    v.left = Math.min(Math.max(v.left, -margin), Math.max(v.all - margin, -margin));
    v.top = Math.min(Math.max(v.top, 0), Math.max(v.allHeight - v.height, 0));
  };
  v.x = (unit) => (unit - v.left) * v.scale;
  v.unit = (x) => v.left + x / v.scale;
  v.resize = (width, height, all, allHeight) => {
    Object.assign(v, { width, height, all, allHeight });
    clamp();
  };
  v.pan = (dx, dy) => {
    v.left += dx / v.scale;
    v.top += dy;
    clamp();
  };
  v.zoom = (factor, x) => {
    const unit = v.unit(x);
    v.scale *= factor;
    clamp();
    v.left = unit - x / v.scale;
    clamp();
  };
  v.fit = (from, to) => {
    const space = Math.max(to - from, 0.5);
    v.scale = (v.width * 0.92) / space;
    clamp();
    v.left = from - (v.width / v.scale - space) / 2;
    clamp();
  };
  v.state = () => [v.left, v.scale, v.top];
  v.go = (left, scale, top) => {
    Object.assign(v, { left, scale, top });
    clamp();
  };
  return v;
}
