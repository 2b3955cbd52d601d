// SPDX-License-Identifier: Apache-2.0
// What the linter asks of web/ and of these tests. The globals of a browser that are used are listed here.
import js from "@eslint/js";

const names = (list) => Object.fromEntries(list.split(" ").map((name) => [name, "readonly"]));
const browser = names("document location history matchMedia getComputedStyle devicePixelRatio innerHeight " +
  "innerWidth PointerEvent WheelEvent addEventListener requestAnimationFrame " +
  "performance setTimeout setInterval clearInterval URLSearchParams fetch EventSource");
const node = names("process URL console setTimeout");

export default [
  { ...js.configs.recommended, files: ["**/*.js"] },
  {
    files: ["**/*.js"],
    languageOptions: { ecmaVersion: 2022, sourceType: "module" },
    rules: {
      eqeqeq: "error", "no-var": "error", "prefer-const": "error", "no-eval": "error", "no-implied-eval": "error",
      "no-new-func": "error", "max-len": ["error", { code: 120 }], "no-unused-vars": "error", "no-shadow": "error",
      "consistent-return": "error", "no-restricted-properties": ["error",
        { property: "innerHTML", message: "texts of others must stay text" },
        { property: "outerHTML", message: "texts of others must stay text" },
        { property: "insertAdjacentHTML", message: "texts of others must stay text" }],
    },
  },
  { files: ["web/**/*.js"], languageOptions: { globals: browser } },
  { files: ["*.js", "browser/**/*.js"], languageOptions: { globals: { ...node, ...browser } } },
];
