// SPDX-License-Identifier: Apache-2.0
// The models that were checked, weakest first, each under the last one that it implies; the strongest that holds and
// the weakest that fails.
import { element } from "./details.js";

function depthOf(rungs, i, seen) {
  const parent = parentOf(rungs, i);
  return parent < 0 || seen > rungs.length ? 0 : 1 + depthOf(rungs, parent, seen + 1);
}

function parentOf(rungs, i) {
  let best = -1;
  for (const weaker of rungs[i].implies)
    if (best < 0 || rungs[weaker].implies.includes(best)) best = weaker;
  return best;
}

function extreme(rungs, verdict, outdoes) {
  const mine = rungs.map((r, i) => i).filter((i) => rungs[i].verdict === verdict);
  return mine.filter((i) => !mine.some((j) => j !== i && outdoes(j, i))).map((i) => rungs[i].model);
}

export function showLadder(h, panel, list, grade) {
  const rungs = h.ladder;
  if (rungs.length < 2) return;
  panel.hidden = false;
  const holds = extreme(rungs, "consistent", (j, i) => rungs[j].implies.includes(i));
  const fails = extreme(rungs, "violation", (j, i) => rungs[i].implies.includes(j));
  const parts = [];
  if (holds.length) parts.push(`strongest that holds: ${holds.join(", ")}`);
  if (fails.length) parts.push(`weakest refuted: ${fails.join(", ")}`);
  grade.textContent = parts.join("; ");
  const sorted = rungs.map((_, i) => i).sort((a, b) => rungs[a].implies.length - rungs[b].implies.length || a - b);
  const place = (parent) => {
    for (const i of sorted.filter((j) => parentOf(rungs, j) === parent)) {
      const item = element("li", rungs[i].model === h.model ? "this" : "");
      item.style.setProperty("--depth", String(depthOf(rungs, i, 0)));
      item.append(element("span", `dot ${rungs[i].verdict}`), element("b", "", rungs[i].model));
      item.append(element("span", "soft", rungs[i].title));
      item.append(element("span", `tag ${rungs[i].verdict}`, rungs[i].verdict));
      if (rungs[i].model === h.model) item.setAttribute("aria-current", "true");
      list.append(item);
      place(i);
    }
  };
  place(-1);
}
