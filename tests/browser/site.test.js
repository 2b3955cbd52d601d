// SPDX-License-Identifier: Apache-2.0
// The site of the documents: ten pages open, complain about nothing, show their pictures, and the search finds.
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { readFile } from "node:fs/promises";
import { extname, join, normalize } from "node:path";
import { after, before, test } from "node:test";
import { PATIENCE, startBrowser } from "./pages.js";

const SITE = join(process.env.SCRATCH, "site");
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml",
  ".png": "image/png", ".json": "application/json" };
const PAGES = ["index", "about", "docs/index", "docs/tutorials/databases", "docs/tutorials/structures",
  "docs/guides/monitoring", "docs/guides/formats", "docs/reference/transactions", "docs/reference/models",
  "docs/gallery/write-skew", "ARCHITECTURE"];

let browser, page, server, base;
const faults = [];
before(async () => {
  server = createServer(async (request, answer) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname));
    try {
      const bytes = await readFile(join(SITE, path));
      answer.writeHead(200, { "content-type": TYPES[extname(path)] ?? "application/octet-stream" }).end(bytes);
    } catch {
      faults.push(`there is no ${path}`);
      answer.writeHead(404).end();
    }
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
  base = `http://127.0.0.1:${server.address().port}`;
  browser = await startBrowser();
  page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.on("pageerror", (error) => faults.push(String(error)));
  page.on("request", (request) => {
    if (!request.url().startsWith(base) && !request.url().startsWith("data:")) faults.push(`asks for ${request.url()}`);
  });
});
after(async () => {
  await browser?.close();
  server?.close();
});

for (const name of PAGES) {
  test(`opens ${name}`, async () => {
    await page.goto(`${base}/${name}.html`, { waitUntil: "load" });
    assert.notEqual((await page.locator("h1").first().innerText()).trim(), "");
    const broken = await page.locator("article img").evaluateAll((images) =>
      images.filter((image) => image.complete && image.naturalWidth === 0).map((image) => image.src));
    assert.deepEqual(broken, []);
    assert.deepEqual(faults, []);
  });
}

test("the front page has a picture for each story", async () => {
  await page.goto(`${base}/index.html`, { waitUntil: "load" });
  assert.equal(await page.locator("article h3").count(), await page.locator("article img").count());
});

test("the search finds the page about write skew", async () => {
  await page.goto(`${base}/index.html`, { waitUntil: "load" });
  await page.fill("input.md-search__input", "write skew");
  await page.waitForSelector("article.md-search-result__article");
  assert.match(await page.locator(".md-search-result").innerText(), /write skew/i);
  assert.deepEqual(faults, []);
});
