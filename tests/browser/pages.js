// SPDX-License-Identifier: Apache-2.0
// What the tests share: histories of every family, their pages as the program writes them, and a browser in which no
// page may complain or reach for the network.
import { execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const { ASSAY, CHROMIUM, SCRATCH } = process.env;
const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync"];
export const PATIENCE = 120000; // milliseconds: the machine may be busy

// A queue in which one operation of 60 is wrong by itself: nobody puts in 777.
function loneCulprit() {
  const lines = ["# @object queue"];
  for (let i = 1; i < 30; i++) {
    lines.push(`a: enq(${i}) @ ${10 * i}..${10 * i + 4}`, `b: deq() => ${i} @ ${10 * i + 2}..${10 * i + 8}`);
    if (i === 20) lines.push("c: deq() => 777 @ 203..205");
  }
  return `${lines.join("\n")}\nc: enq(777000) @ 400..401\n`;
}

export const histories = {
  causal: ["-m", "cc,ccv,cm", `# @object memory
t0: write(x, 1)
t0: read(x) => 2
t1: write(x, 2)
t1: read(x) => 1
`],
  sc: ["-m", "sc", `# @object memory
t0: write(x, 1)
t0: read(y) => 0
t1: write(y, 1)
t1: read(x) => 0
`],
  tso: ["-m", "tso", `# @object memory
a: write(x, 1)
b: write(y, 1)
c: read(x) => 1
c: read(y) => 0
d: read(y) => 1
d: read(x) => 0
`],
  queue: ["-m", "lin", `# @object queue
# @clock ms
# @fault pause:2 30..55
t0: enq(1) @ 0..10
t1: enq(2) @ 5..15
t2: deq() => 1 @ 12..30
t0: enq(3) @ 20..28
t1: deq() => 2 @ 25..40
t2: deq() => 4 @ 45..60
t1: deq() => 3 @ 50..70
t0: enq(9) @ 52..
`],
  weak: ["-m", "level:monotonic", `# @object map
t0: put(1, 7)
t0: contains-key(1) => true
t0: contains-key(1) => false
`],
  transactions: ["-m", "rc,si,ser", `# @init x=0 y=0
alice: txn(r x 0, r y 0, w x 1) @ 10..40
bob: txn(r x 0, r y 0, w y 1) @ 20..50
carol: txn(w z 5) => abort @ 85..90
`],
  consistent: ["-m", "lin", `# @object stack
t0: push(1) @ 0..10
t1: push(2) @ 5..15
t0: pop() => 2 @ 20..30
t1: pop() => 1 @ 25..40
`],
  after: ["-m", "lin", `# @object register
t0: write(1)
t1: read() => 1 @ after t0:1
t0: write(2)
t1: read() => 1 @ after t0:2
`],
  overwriting: ["-m", "lin", `# @object memory
t0: write(x, 1) @ 1099511627776..2199023255552
t1: write(x, 2) @ 2199023255560..2199023255570
t1: write(x, 3) @ 2199023255580..2199023255590
t0: write(y, 4) @ 2199023255600..2199023255610
t2: read(x) => 9 @ 5..2199023255700
`],
  lone: ["-m", "lin", loneCulprit()],
  hostile: ["-m", "ccv", `# @object memory
t0: write("<b onclick=\\"alert(2)\\">", "</script><script>alert(3)</script>")
t1: read("<b onclick=\\"alert(2)\\">") => "<!--"
`],
};

// Its name: `assay` runs in the same folder, so pages name no place of this machine.
function write(name, text) {
  writeFileSync(join(SCRATCH, name), text);
  return name;
}

// A violation is the status 1; 2 where something could not be read.
export function assay(...args) {
  try {
    return execFileSync(ASSAY, args, { cwd: SCRATCH, encoding: "utf8", maxBuffer: 1 << 28, stdio: "pipe" });
  } catch (e) {
    if (e.status !== 1 && e.status !== 2) throw e;
    return e.stdout;
  }
}

// The address of the page of a history of `histories`.
export function pageOf(name) {
  const out = join(SCRATCH, `${name}.html`), [flag, model, text] = histories[name];
  if (!existsSync(out)) assay("check", flag, model, "--html", out, write(`${name}.hist`, text));
  return pathToFileURL(out).href;
}

// A folder with the pages of all of them: the address of its index.
export function folderOfPages() {
  const files = ["causal", "sc", "tso", "hostile"].map((name) => write(`${name}.hist`, histories[name][2]));
  files.push(write("broken.hist", "t0: write(x, 1)\nno <b>operation</b>\n"));
  assay("check", "-m", "cc,sc", "--html", `${join(SCRATCH, "pages")}/`, ...files);
  return pathToFileURL(join(SCRATCH, "pages", "index.html")).href;
}

// The page of a generated history: collect are the arguments of `assay gen`.
export function pageOfGenerated(model, collect) {
  const name = join(SCRATCH, collect.join("_").replaceAll(/[^a-z0-9_]/g, "")), history = `${name}.hist`;
  assay("gen", ...collect, "--out", history);
  assay("check", "-m", model, "--html", `${name}.html`, history);
  return pathToFileURL(`${name}.html`).href;
}

export async function startBrowser() {
  return chromium.launch({ executablePath: CHROMIUM, args: FLAGS, timeout: PATIENCE });
}

// Opens an address. page.complaints has what the console, the page or the network had to say: nothing, in a good page.
// prepare(page) is called before.
export async function open(browser, address, options = {}, prepare = () => {}) {
  const context = await browser.newContext({ viewport: { width: 1300, height: 900 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.complaints = [];
  page.on("console", (m) => page.complaints.push(`console: ${m.text()}`));
  page.on("pageerror", (e) => page.complaints.push(`error: ${e.message}`));
  page.on("dialog", (d) => {
    page.complaints.push(`dialog: ${d.message()}`);
    d.dismiss();
  });
  page.on("request", (r) => /^(file|data|blob):/.test(r.url()) || page.complaints.push(`request: ${r.url()}`));
  await prepare(page);
  await page.goto(address, { timeout: PATIENCE });
  if (options.javaScriptEnabled !== false)
    await page.waitForFunction(() => document.documentElement.dataset.ready === "true");
  return page;
}

// Has the picture been drawn again since it had so many frames?
export const frames = (page) => page.evaluate(() => Number(document.getElementById("canvas").dataset.frames ?? 0));
export const drawnAfter = (page, before) =>
  page.waitForFunction((n) => Number(document.getElementById("canvas").dataset.frames) > n, before);

// Runs an action and waits for the frame that shows it.
export async function drawn(page, action) {
  const before = await frames(page);
  await action();
  await drawnAfter(page, before);
}

// The middle of an operation's bar, on the page.
export async function middleOf(page, op) {
  return page.evaluate((o) => {
    const canvas = document.getElementById("canvas"), box = canvas.getBoundingClientRect(), bar = canvas.boxOf(o);
    return { x: box.left + bar.left + bar.width / 2, y: box.top + bar.top + bar.height / 2 };
  }, op);
}

export const viewOf = (page) => page.evaluate(() => document.getElementById("canvas").view());
