// SPDX-License-Identifier: Apache-2.0
// The index of a folder of pages: a table of results, sorted by its heads and filtered, and a bar for each model.
import { element } from "./details.js";
import { makeTheme } from "./palette.js";

const $ = (id) => document.getElementById(id);
const rows = JSON.parse($("data").textContent);
const COLUMNS = [["file", "History"], ["model", "Model"], ["verdict", "Verdict"], ["reason", "Reason"],
  ["object", "Object"], ["operations", "Operations"], ["threads", "Threads"]];
const VERDICTS = ["error", "violation", "undecided", "consistent"];
const sorting = { by: "verdict", down: false };

const nameOf = (row) => row.file + (row.index ? `#${row.index}` : "");
const valueOf = (row, column) => (column === "file" ? nameOf(row) : column === "verdict" ? VERDICTS.indexOf(row.verdict)
  : (row[column] ?? ""));

function compare(a, b) {
  const x = valueOf(a, sorting.by), y = valueOf(b, sorting.by);
  const order = typeof x === "number" ? x - y : String(x).localeCompare(String(y), "en", { numeric: true });
  return sorting.down ? -order : order;
}

function shown() {
  const text = $("search").value.trim().toLowerCase(), verdict = $("by-verdict").value, model = $("by-model").value;
  return rows.filter((row) => (!verdict || row.verdict === verdict) && (!model || row.model === model) &&
    (!text || `${nameOf(row)} ${row.model} ${row.reason ?? ""} ${row.object}`.toLowerCase().includes(text)));
}

function bodyRow(row) {
  const tr = element("tr");
  const link = element(row.page ? "a" : "span", "", nameOf(row));
  if (row.page) link.href = row.page;
  const first = element("th");
  first.scope = "row";
  first.append(link);
  tr.append(first, element("td", "", row.model));
  const verdict = element("td");
  verdict.append(element("span", `tag ${row.verdict}`, row.verdict));
  tr.append(verdict, element("td", "", row.reason ?? ""), element("td", "", row.object));
  tr.append(element("td", "number", row.operations ?? ""), element("td", "number", row.threads ?? ""));
  return tr;
}

function update() {
  const list = shown().sort(compare);
  $("table").tBodies[0].replaceChildren(...list.map(bodyRow));
  $("found").textContent = `${list.length} of ${rows.length}`;
  for (const th of $("table").tHead.rows[0].cells) {
    const mine = th.dataset.column === sorting.by;
    th.setAttribute("aria-sort", mine ? (sorting.down ? "descending" : "ascending") : "none");
  }
}

function makeHead() {
  const tr = element("tr");
  for (const [column, title] of COLUMNS) {
    const th = element("th"), b = element("button", "", title);
    th.scope = "col";
    th.dataset.column = column;
    b.type = "button";
    b.addEventListener("click", () => {
      sorting.down = sorting.by === column && !sorting.down;
      sorting.by = column;
      update();
    });
    th.append(b);
    tr.append(th);
  }
  $("table").tHead.append(tr);
}

function count(list) {
  return VERDICTS.map((verdict) => [verdict, list.filter((row) => row.verdict === verdict).length]);
}

const words = (counts) => counts.filter(([, n]) => n).map(([verdict, n]) => `${n} ${verdict}`).join(", ");

function makeCharts(models) {
  for (const model of models) {
    const counts = count(rows.filter((row) => row.model === model));
    const bar = element("div", "stack");
    bar.setAttribute("role", "img");
    bar.setAttribute("aria-label", `${model}: ${words(counts)}`);
    for (const [verdict, n] of counts) {
      if (!n) continue;
      const piece = element("span", `dot ${verdict}`);
      piece.style.flexGrow = String(n);
      bar.append(piece);
    }
    $("charts").append(element("span", "", model), bar, element("span", "soft", words(counts)));
  }
}

function fillSelect(select, values) {
  const all = element("option", "", "all");
  all.value = "";
  select.append(all, ...values.map((value) => element("option", "", value)));
  select.addEventListener("change", update);
}

function begin() {
  document.documentElement.classList.add("with-scripts");
  const models = [...new Set(rows.map((row) => row.model).filter(Boolean))];
  const histories = new Set(rows.map((row) => row.page ?? nameOf(row))).size;
  $("summary").textContent = `${histories} histories: ${words(count(rows))}`;
  makeTheme($("theme"), () => {});
  makeHead();
  makeCharts(models);
  fillSelect($("by-verdict"), VERDICTS.filter((verdict) => rows.some((row) => row.verdict === verdict)));
  fillSelect($("by-model"), models);
  $("search").addEventListener("input", update);
  $("tools").addEventListener("submit", (e) => e.preventDefault());
  update();
  document.documentElement.dataset.ready = "true";
}

begin();
