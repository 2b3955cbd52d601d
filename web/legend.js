// SPDX-License-Identifier: Apache-2.0
// What the colours and signs of the picture mean: of those that occur.
import { element } from "./details.js";

export function showLegend(list, scene) {
  const { h } = scene;
  const rows = [
    ["write", "writes or puts in", h.put.some((v) => v >= 0) || h.accesses],
    ["read", "reads or takes out", true],
    ["pending", "open: never returned", h.pending.includes(1)],
    ["aborted", "aborted", h.aborted.includes(1)],
    ["part", "part of the argument", h.involved.length > 0],
    ["now", "of this step", h.steps.length > 0 || h.orders.length > 0],
    ["culprit", "the contradiction", h.verdict === "violation"],
    ["context", "pale: for context", h.neighbours.length > 0],
    ["point", "where it takes effect", h.orders.length > 0],
    ["fault", "fault of the store", h.faults?.length > 0],
  ];
  list.replaceChildren(...rows.filter(([, , occurs]) => occurs).map(([kind, text]) => {
    const item = element("li");
    item.append(element("span", `sample ${kind}`), element("span", "", text));
    return item;
  }));
}
