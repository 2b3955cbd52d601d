// SPDX-License-Identifier: Apache-2.0
// Steps: those of the argument, and those of an order, one operation each. A step is named by the address (#step=3,
// #at=12), said in a live region, and turned into marks and edges for the picture.
import { element } from "./details.js";
import { placeOf, textOf } from "./data.js";

// The overview, and then each step with what the steps before it have shown.
function argumentSteps(h) {
  const all = h.steps.flatMap((s) => s.cycle ?? []);
  const head = h.patternText ? `${h.pattern}: ${h.patternText}` : "The engine gave no argument.";
  return [{ kind: "overview", say: head, ops: h.involved, cycle: all }, ...h.steps];
}

// The edges of earlier steps stay until another case begins.
export function sceneOfStep(h, steps, at) {
  const marks = new Map(), edges = new Map(), step = steps[at];
  const add = ([from, to, rule], how) => edges.set(`${from},${to},${rule}`, { from, to, rule, ...how });
  let begin = at;
  while (begin > 1 && steps[begin].kind !== "case") begin--;
  for (let i = Math.max(begin, 1); i < at; i++) for (const edge of steps[i].edges ?? []) add(edge, {});
  for (const op of at === 0 ? h.involved : []) marks.set(op, h.involved.length === 1 ? "culprit" : "part");
  for (const edge of step.on ?? []) add(edge, { now: true });
  for (const edge of step.edges ?? []) add(edge, { now: true });
  for (const edge of step.cycle ?? []) add(edge, { strong: true });
  for (const { from, to, now, strong } of edges.values())
    for (const op of [from, to]) {
      const mark = strong ? "culprit" : now ? "now" : "part";
      if (mark !== "part" || !marks.has(op)) marks.set(op, mark);
    }
  for (const op of at ? (step.ops ?? []) : []) if (marks.get(op) !== "culprit") marks.set(op, "now");
  if (step.kind === "culprit" && step.ops.length === 1) marks.set(step.ops[0], "culprit");
  if (h.unexplained !== undefined && (at === 0 || step.kind === "culprit") && (step.ops ?? []).includes(h.unexplained))
    marks.set(h.unexplained, "culprit");
  return { marks, edges: [...edges.values()], dim: marks.size > 0 };
}

function sentenceOfPosition(h, order, at) {
  if (at === 0)
    return [order.title, h.unexplained === undefined ? "" : "everything before the operation in red is linearizable"];
  const op = order.ops[at - 1], state = h.states?.texts[at - 1 - h.states.from];
  return [`${placeOf(h, op)}  ${h.threads[h.thread[op]]}: ${textOf(h, op)}`, state ? `state: ${state}` : ""];
}

export function makeStepper(h, parts, show) {
  const steps = argumentSteps(h), hasArgument = h.verdict === "violation";
  const modes = [...(hasArgument ? ["step"] : []), ...h.orders.map((_, i) => `order${i}`)];
  const self = { mode: modes[0] ?? "step", at: 0, steps };
  const orderOf = () => (self.mode === "step" ? null : h.orders[Number(self.mode.slice(5))]);
  const count = () => (orderOf() ? orderOf().ops.length + 1 : steps.length);
  let playing = 0;

  function say() {
    const order = orderOf(), step = steps[self.at];
    const [first, second] = order ? sentenceOfPosition(h, order, self.at) : [step.say, step.because];
    parts.sentence.replaceChildren(element("p", "", first));
    if (second) parts.sentence.append(element("p", "because", second));
    const what = order ? "operation" : "step";
    parts.place.textContent = self.at ? `${what} ${self.at} of ${count() - 1}` : order ? "before all" : "overview";
  }

  function light() {
    parts.previous.disabled = self.at === 0;
    parts.next.disabled = self.at + 1 >= count();
    parts.slider.max = String(count() - 1);
    parts.slider.value = String(self.at);
    parts.slider.hidden = !orderOf();
    parts.play.hidden = !orderOf();
    parts.list.hidden = Boolean(orderOf());
    for (const tab of parts.tabs.children) tab.setAttribute("aria-pressed", String(tab.value === self.mode));
    [...parts.list.children].forEach((item, i) => {
      const b = item.firstElementChild;
      if (i === self.at) b.setAttribute("aria-current", "step");
      else b.removeAttribute("aria-current");
      if (i === self.at && !parts.list.hidden) {
        const top = item.offsetTop, room = parts.list.clientHeight;
        if (top < parts.list.scrollTop || top + item.offsetHeight > parts.list.scrollTop + room)
          parts.list.scrollTop = Math.max(top - room / 3, 0);
      }
    });
  }

  function name() {
    const order = self.mode === "step" ? "" : Number(self.mode.slice(5)) ? `&order=${self.mode.slice(5)}` : "";
    const hash = self.mode === "step" ? `#step=${self.at}` : `#at=${self.at}${order}`;
    if (location.hash !== hash) history.replaceState(null, "", hash);
  }

  self.order = orderOf;
  self.count = count;
  self.go = (at, quiet) => {
    self.at = Math.min(Math.max(at, 0), count() - 1);
    light();
    say();
    if (!quiet) name();
    show(self);
  };
  self.move = (by) => self.go(self.at + by);
  self.choose = (mode) => {
    self.stop();
    self.mode = mode;
    self.go(0);
  };
  self.stop = () => {
    clearInterval(playing);
    playing = 0;
    parts.play.textContent = "Play";
    parts.sentence.setAttribute("aria-live", "polite");
  };
  // Twenty seconds for the whole, but neither too fast for the eye nor too slow.
  self.play = () => {
    if (playing) return self.stop();
    if (!orderOf()) {
      const first = modes.find((mode) => mode !== "step");
      if (!first) return undefined;
      self.mode = first;
      self.at = 0;
    }
    if (self.at + 1 >= count()) self.at = 0;
    const pause = Math.min(Math.max(20000 / count(), 50), 700), stride = Math.max(1, Math.ceil(count() / 400));
    parts.play.textContent = "Pause";
    parts.sentence.setAttribute("aria-live", "off"); // or a reader would be flooded
    playing = setInterval(() => {
      self.go(self.at + stride);
      if (self.at + 1 >= count()) self.stop();
    }, pause);
    return self.go(self.at);
  };
  self.fromAddress = () => {
    const asked = new URLSearchParams(location.hash.slice(1));
    if (asked.has("at") && h.orders.length) self.mode = `order${Number(asked.get("order")) || 0}`;
    else if (asked.has("step") && hasArgument) self.mode = "step";
    if (!orderOf() && self.mode !== "step") self.mode = modes[0];
    self.go(Number(asked.get("at") ?? asked.get("step")) || 0, true);
  };

  steps.forEach((step, i) => {
    const item = element("li", step.kind), b = element("button", "", step.say);
    b.type = "button";
    b.addEventListener("click", () => self.go(i));
    item.append(b);
    if (hasArgument) parts.list.append(item);
  });
  for (const mode of modes.length > 1 ? modes.slice(0, 9) : []) {
    const many = h.orders.length > 1 ? ` ${Number(mode.slice(5)) + 1}` : "";
    const tab = element("button", "", mode === "step" ? "Argument" : hasArgument ? "Linearization" : `Order${many}`);
    tab.type = "button";
    tab.value = mode;
    tab.addEventListener("click", () => self.choose(mode));
    parts.tabs.append(tab);
  }
  parts.previous.addEventListener("click", () => self.move(-1));
  parts.next.addEventListener("click", () => self.move(1));
  parts.play.addEventListener("click", self.play);
  parts.slider.addEventListener("input", () => self.go(Number(parts.slider.value)));
  addEventListener("hashchange", self.fromAddress);
  return self;
}
