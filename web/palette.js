// SPDX-License-Identifier: Apache-2.0
// Light and dark: as the system says until the button is used, and the colours of the canvas, which are the style
// sheet's custom properties.

const COLOURS = ["paper", "ink", "soft", "line", "stripe", "gutter", "readFill", "readLine", "readChip", "writeFill",
  "writeLine", "writeChip", "abortedFill", "abortedLine", "nowFill", "nowLine", "nowInk", "partFill", "partLine",
  "partInk", "culpritFill", "culpritLine", "culpritInk", "edge", "point", "fault", "faultInk", "found", "pinned"];

const property = (name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

export function readPalette() {
  const style = getComputedStyle(document.documentElement), out = {};
  for (const name of COLOURS) out[name] = style.getPropertyValue(property(name)).trim();
  return out;
}

// `changed` is called with each new palette.
export function makeTheme(button, changed) {
  const system = matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const isDark = () => root.dataset.theme === "dark";
  const show = () => {
    button.setAttribute("aria-pressed", String(isDark()));
    button.textContent = isDark() ? "Light" : "Dark";
    changed(readPalette());
  };
  const toggle = () => {
    root.dataset.theme = isDark() ? "light" : "dark";
    show();
  };
  button.addEventListener("click", toggle);
  const follow = () => {
    root.dataset.theme = system.matches ? "dark" : "light";
    show();
  };
  system.addEventListener("change", follow);
  follow();
  return { toggle };
}
