// SPDX-License-Identifier: Apache-2.0
// A folder of pages: its index sorts, filters, counts and links.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { folderOfPages, open, startBrowser } from "./pages.js";

let browser, page;
before(async () => {
  browser = await startBrowser();
  page = await open(browser, folderOfPages());
});
after(() => browser?.close());

const column = (n) => page.locator(`#table tbody tr > :nth-child(${n})`).allInnerTexts();

test("lists each history and model", async () => {
  assert.equal((await column(1)).length, 9);
  assert.match(await page.locator("#summary").innerText(), /^5 histories: 1 error, \d violation/);
});

test("lists what could not be read, with the error and without a link", async () => {
  await page.selectOption("#by-verdict", "error");
  assert.match((await column(1))[0], /broken\.hist$/);
  assert.match((await column(4))[0], /^line 2: /);
  assert.equal(await page.locator("#table tbody a, #table tbody b").count(), 0);
  await page.selectOption("#by-verdict", "");
});

test("sorts by a head, and back", async () => {
  await page.click("#table thead th:first-child button");
  const up = await column(1);
  assert.equal(await page.locator("th[aria-sort=ascending]").innerText(), "History ↑".slice(0, 7));
  await page.click("#table thead th:first-child button");
  assert.deepEqual(await column(1), [...up].reverse());
});

test("filters by verdict, model and text", async () => {
  await page.selectOption("#by-verdict", "violation");
  assert.deepEqual([...new Set(await column(3))], ["violation"]);
  await page.selectOption("#by-model", "cc");
  assert.deepEqual([...new Set(await column(2))], ["cc"]);
  await page.selectOption("#by-verdict", "");
  await page.selectOption("#by-model", "");
  await page.fill("#search", "tso.hist");
  assert.equal((await column(1)).length, 2);
  await page.fill("#search", "");
});

test("has a bar for each model", async () => {
  const bars = page.locator("#charts [role=img]");
  assert.equal(await bars.count(), 2);
  assert.match(await bars.nth(0).getAttribute("aria-label"), /^cc: /);
});

test("links lead to pages, and nothing complains", async () => {
  assert.deepEqual(page.complaints, []);
  await page.click("#table tbody a >> nth=0");
  await page.waitForFunction(() => document.getElementById("canvas")?.dataset.frames > 0);
  assert.deepEqual(page.complaints, []);
});
