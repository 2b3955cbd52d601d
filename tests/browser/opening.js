// SPDX-License-Identifier: Apache-2.0
// How long does a page of 100,000 operations take to open? A row for each kind of history: the size of the page, the
// time of the page's thread on a CPU, and the time on the clock until the first frame of the picture.
//
// The browser opens each page several times, in turns; the best of each figure is told. Other work of the machine
// hardly changes the time on a CPU; it does change the time on the clock.
import { statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { frames, open, pageOfGenerated, startBrowser } from "./pages.js";

const ROUNDS = 7, N = "100000";
const kinds = [
  ["memory, consistent with sc", "sc", ["memory", "--kind", "sc", "--operations", N, "--threads", "8"]],
  ["memory, violation of sc", "sc", ["memory", "--kind", "lossy", "--operations", N, "--threads", "8"]],
  ["queue, linearizable", "lin", ["object", "-o", "queue", "--distinct", "--operations", N, "--threads", "8"]],
  ["map of 50,000 keys, linearizable", "lin", ["object", "-o", "map", "--values", "50000", "--operations", N]],
  ["a memory of 100 operations", "sc", ["memory", "--kind", "sc", "--operations", "100", "--threads", "8"]],
];

// CPU and wall are in milliseconds.
async function openOnce(browser, address) {
  const measured = {};
  const page = await open(browser, address, {}, async (fresh) => {
    measured.session = await fresh.context().newCDPSession(fresh);
    await measured.session.send("Performance.enable", { timeDomain: "threadTicks" });
  });
  while (!await frames(page)) await page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
  const { metrics } = await measured.session.send("Performance.getMetrics");
  const cpu = 1000 * metrics.find((m) => m.name === "TaskDuration").value;
  const wall = await page.evaluate(() => performance.getEntriesByName("first-frame")[0].startTime);
  await page.context().close();
  return { cpu, wall };
}

const browser = await startBrowser();
const rows = kinds.map(([name, model, collect]) => ({ name, address: pageOfGenerated(model, collect), runs: [] }));
for (let round = 0; round < ROUNDS; round++)
  for (const row of rows) row.runs.push(await openOnce(browser, row.address));
await browser.close();

const best = (row, figure) => Math.round(Math.min(...row.runs.map((run) => run[figure])));
console.log("| history | MB | ms of CPU | ms until the first frame |\n|---|---:|---:|---:|");
for (const row of rows) {
  const size = statSync(fileURLToPath(row.address)).size / 1e6;
  console.log(`| ${row.name} | ${size.toFixed(1)} | ${best(row, "cpu")} | ${best(row, "wall")} |`);
}
