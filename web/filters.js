// SPDX-License-Identifier: Apache-2.0
// Which operations are shown, and which are found: the scope (all, the argument, and what stands near it), a thread, a
// key or object, a method; and a search in texts, lines and threads.
import { textOf } from "./data.js";

const MANY = 60;   // more operations than that: the picture begins with the argument
const FEW_NAMES = 500;
const AROUND = 12; // operations of the linearization before the one that it cannot explain

function option(value, text) {
  const o = document.createElement("option");
  o.value = value;
  o.textContent = text;
  return o;
}

// Many names become options when the list is first used, not while the page opens.
function fill(select, all, names) {
  select.append(option("", all));
  const rest = () => select.append(...names.map((name, i) => option(String(i), name)));
  if (names.length <= FEW_NAMES) rest();
  else select.addEventListener("focus", rest, { once: true });
}

// The argument, its neighbours, those of its threads, and the last operations of the linearization.
function nearby(h) {
  const near = h.isInvolved.slice(), core = [...h.involved];
  for (const op of h.neighbours) near[op] = 1;
  if (h.unexplained !== undefined) core.push(h.unexplained, ...(h.orders[0]?.ops.slice(-AROUND) ?? []));
  for (const op of core) near[op] = 1;
  for (const op of core.sort((a, b) => a - b).slice(0, 200)) {
    for (let i = op - 1; i >= 0 && i > op - 300; i--) if (h.thread[i] === h.thread[op]) { near[i] = 1; break; }
    for (let i = op + 1; i < h.n && i < op + 300; i++) if (h.thread[i] === h.thread[op]) { near[i] = 1; break; }
  }
  return near;
}

export function makeFilters(h, parts, changed) {
  const near = nearby(h);
  let nearCount = 0;
  for (const is of near) nearCount += is;
  const counted = h.involved.length;
  parts.scope.append(option("all", `all ${h.n} operations`));
  if (counted && counted < h.n) parts.scope.append(option("argument", `${counted} of the argument`));
  if (nearCount > counted && nearCount < h.n) parts.scope.append(option("near", `${nearCount} with neighbours`));
  if (h.n > MANY && parts.scope.length > 1)
    parts.scope.value = counted >= 3 || parts.scope.length === 2 ? parts.scope.options[1].value : "near";
  fill(parts.thread, "all", h.threads);
  fill(parts.key, "all", h.keys);
  fill(parts.method, "all", h.methods);
  parts.keyLabel.hidden = !h.keys.length;
  const number = (select) => (select.value === "" ? -1 : Number(select.value));

  function hasKey(op, key) {
    const a = h.accesses;
    if (!a) return h.key[op] === key;
    for (let i = a.at[op]; i < a.at[op + 1]; i++) if (a.key[i] === key) return true;
    return false;
  }

  const shown = () => {
    const scope = parts.scope.value;
    const thread = number(parts.thread), key = number(parts.key), method = number(parts.method);
    const flags = scope === "argument" ? h.isInvolved : scope === "near" ? near : null, out = new Uint32Array(h.n);
    let count = 0;
    for (let op = 0; op < h.n; op++)
      if ((!flags || flags[op]) && (thread < 0 || h.thread[op] === thread) && (key < 0 || hasKey(op, key)) &&
          (method < 0 || h.method[op] === method)) out[count++] = op;
    return out.subarray(0, count);
  };

  // `line 12`, or a text that the operation, its thread included, contains; null: nothing is sought.
  const found = () => {
    const text = parts.search.value.trim().toLowerCase();
    if (!text) return null;
    const line = /^(?:line|l|:)\s*(\d+)$/.exec(text), out = new Set();
    for (let op = 0; op < h.n; op++)
      if (line ? h.lineOf(op) === Number(line[1])
        : `${h.threads[h.thread[op]]}: ${textOf(h, op)}`.toLowerCase().includes(text)) out.add(op);
    return out;
  };

  for (const select of [parts.scope, parts.thread, parts.key, parts.method, parts.axis])
    select.addEventListener("change", () => changed(true));
  parts.search.addEventListener("input", () => changed(false));
  return {
    shown, found,
    clear: () => {
      parts.search.value = "";
      changed(false);
    },
    reveal: (op) => { // an operation that is to be seen must not be filtered away
      for (const select of [parts.thread, parts.key, parts.method]) select.value = "";
      if (parts.scope.value === "argument" && !h.isInvolved[op]) parts.scope.value = near[op] ? "near" : "all";
      if (parts.scope.value === "near" && !near[op]) parts.scope.value = "all";
      changed(true);
    },
  };
}
