// SPDX-License-Identifier: Apache-2.0
// A hundred thousand operations: the page opens, and while it is panned each frame draws what is seen, not everything.
// Frames and bars are counted, seconds are only told: machines differ.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { drawn, frames, open, pageOfGenerated, startBrowser } from "./pages.js";

const OPERATIONS = 100000;
let browser, page;
before(async () => {
  browser = await startBrowser();
  page = await open(browser, pageOfGenerated("sc",
    ["memory", "--kind", "sc", "--operations", String(OPERATIONS), "--threads", "8"]));
});
after(() => browser?.close());

const bars = () => page.evaluate(() => Number(document.getElementById("canvas").dataset.bars));

test("opens with all operations, and draws no more bars than there are pixels", async (t) => {
  assert.equal(await page.evaluate(() => Number(document.getElementById("canvas").dataset.shown)), OPERATIONS);
  assert.ok(await bars() < 8 * 1300);
  const shown = await page.evaluate(() => performance.getEntriesByName("first-frame")[0].startTime);
  t.diagnostic(`the picture stands after ${Math.round(shown)} ms (make bench-page measures it)`);
});

test("panning draws one frame for each frame of the browser", async (t) => {
  await page.click("#zoom-in");
  const earlier = await frames(page);
  // Each turn pans and waits for the browser's next frame: a page that cannot keep up draws less than it is asked.
  const told = await page.evaluate(async () => {
    const canvas = document.getElementById("canvas"), slow = [];
    const next = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    for (let i = 0; i < 60; i++) {
      canvas.dispatchEvent(new WheelEvent("wheel", { deltaX: 40, shiftKey: true, cancelable: true }));
      const start = performance.now();
      await next();
      slow.push(performance.now() - start);
    }
    return slow.sort((a, b) => a - b)[30];
  });
  assert.ok(await frames(page) - earlier >= 60);
  t.diagnostic(`60 frames panned; two frames of the browser took ${told.toFixed(1)} ms (median)`);
});

test("zoomed in, only the bars in sight are drawn", async () => {
  for (let i = 0; i < 30; i++) await drawn(page, () => page.click("#zoom-in"));
  assert.ok(await bars() < 200);
});
