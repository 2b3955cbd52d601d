// SPDX-License-Identifier: Apache-2.0
// A page in a browser: it opens, is stepped through, searched, zoomed, printed, and read without a mouse.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { drawn, histories, middleOf, open, pageOf, startBrowser, viewOf } from "./pages.js";

let browser;
before(async () => {
  browser = await startBrowser();
});
after(() => browser?.close());

const text = (page, id) => page.locator(`#${id}`).innerText();

// A test of one page, which must not complain.
function onPage(title, name, body, options) {
  test(title, async () => {
    const page = await open(browser, pageOf(name) + (options?.hash ?? ""), options);
    await body(page);
    assert.deepEqual(page.complaints, []);
    await page.context().close();
  });
}

for (const name of Object.keys(histories))
  onPage(`${name}: opens and draws all operations`, name, async (page) => {
    const shown = await page.evaluate(() => document.getElementById("canvas").dataset.shown);
    const lines = histories[name][2].split("\n").filter((line) => line && !line.startsWith("#"));
    assert.equal(Number(shown), lines.length);
    assert.notEqual((await text(page, "sentence")).trim(), "");
  });

onPage("hostile: names and values stay text", "hostile", async (page) => {
  assert.equal(await page.locator("img").count(), 0);
  assert.equal(await page.locator("[onclick]").count(), 0);
  assert.match(await page.locator("#words").innerText(), /<!--/);
  const at = await middleOf(page, 0);
  await page.mouse.move(at.x, at.y);
  await page.waitForFunction(() => document.querySelector("#details .call"));
  assert.match(await text(page, "details"), /<\/script><script>alert\(3\)<\/script>/);
});

onPage("hover tells line, thread and relations; click pins, escape lets go", "causal", async (page) => {
  const at = await middleOf(page, 1);
  await page.mouse.move(at.x, at.y);
  await page.waitForFunction(() => document.querySelector("#details .call")?.textContent === "read(x) => 2");
  assert.match(await text(page, "details"), /line 3/);
  assert.match(await text(page, "details"), /reads from[\s\S]*line 4 {2}t1: write\(x, 2\)/);
  assert.equal(await page.locator("#tip").isVisible(), true);
  await page.mouse.click(at.x, at.y);
  await page.mouse.move(5, 5);
  await page.waitForFunction(() => document.getElementById("details").textContent.includes("Pinned"));
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => document.getElementById("details").textContent.startsWith("Point at"));
});

async function detailsOf(page, op, call) {
  const at = await middleOf(page, op);
  await page.mouse.move(at.x, at.y);
  await page.waitForFunction((c) => document.querySelector("#details .call")?.textContent === c, call);
  return text(page, "details");
}

onPage("hover tells what is overwritten, of the same key only", "overwriting", async (page) => {
  const middle = await detailsOf(page, 1, "write(x, 2)");
  assert.match(middle, /overwrites[\s\S]*line 2 {2}t0: write\(x, 1\)[\s\S]*overwritten by[\s\S]*line 4/);
  assert.doesNotMatch(await detailsOf(page, 2, "write(x, 3)"), /overwritten by/);
  assert.doesNotMatch(await detailsOf(page, 3, "write(y, 4)"), /overwrit/);
});

onPage("times of more than 32 bits, and earlier than the one before, are kept", "overwriting", async (page) => {
  assert.match(await detailsOf(page, 0, "write(x, 1)"), /called\s*1099511627776\s*returned\s*2199023255552/);
  assert.match(await detailsOf(page, 4, "read(x) => 9"), /called\s*5\s*returned\s*2199023255700/);
});

onPage("recorded knowledge stands in the details and orders the picture", "after", async (page) => {
  assert.match(await detailsOf(page, 3, "read() => 1"), /recorded as called after[\s\S]*line 4 {2}t0: write\(2\)/);
  assert.match(await detailsOf(page, 2, "write(2)"), /recorded as returned before[\s\S]*line 5 {2}t1: read\(\) => 1/);
  const [first, second] = await page.evaluate(() => [2, 3].map((op) => document.getElementById("canvas").boxOf(op)));
  assert.ok(first.left + first.width <= second.left);
});

onPage("a lone culprit is framed with its neighbours, and can be read", "lone", async (page) => {
  const { bars, width, all } = await page.evaluate(() => {
    const canvas = document.getElementById("canvas"), data = JSON.parse(document.getElementById("data").textContent);
    const boxes = [...data.involved, ...data.neighbours].map((op) => canvas.boxOf(op));
    return { bars: boxes, width: canvas.clientWidth, all: data };
  });
  assert.deepEqual(all.involved, [40]);
  assert.ok(all.neighbours.length >= 4 && all.neighbours.length < 10);
  assert.ok(bars[0].width > "deq() => 777".length * 6 && bars[0].width < width / 2);
  assert.ok(bars[0].left > 104 && bars[0].left + bars[0].width < width);
  const seen = bars.filter((bar) => bar.left < width && bar.left + bar.width > 104 && bar.width > 40);
  assert.ok(seen.length >= 4, "neighbours are in sight");
  assert.match(await text(page, "legend"), /pale: for context/);
  await page.click("#fit");
  await page.waitForFunction((most) => document.getElementById("canvas").boxOf(40).width < most, bars[0].width / 2);
});

onPage("steps go forwards and backwards by buttons and keys, and change the address", "causal", async (page) => {
  assert.match(await text(page, "sentence"), /CyclicCF/);
  await drawn(page, () => page.click("#next"));
  assert.match(await text(page, "sentence"), /line 2 {2}t0: write\(x, 1\) {2}must come before[\s\S]*because line 3/);
  assert.match(page.url(), /#step=1$/);
  await page.evaluate(() => document.activeElement.blur());
  await drawn(page, () => page.keyboard.press("ArrowRight"));
  await drawn(page, () => page.keyboard.press("n"));
  assert.match(await text(page, "sentence"), /so line 2 comes before itself/);
  assert.equal(await page.locator("#next").isDisabled(), true);
  await drawn(page, () => page.keyboard.press("p"));
  assert.match(page.url(), /#step=2$/);
  assert.equal(await page.locator("#steps [aria-current]").count(), 1);
});

onPage("a link names a step", "causal", async (page) => {
  assert.match(await text(page, "place"), /step 3 of 3/);
  await drawn(page, () => page.evaluate(() => (location.hash = "#step=1")));
  assert.match(await text(page, "place"), /step 1 of 3/);
}, { hash: "#step=3" });

onPage("the linearization has points and states, up to what it cannot explain", "queue", async (page) => {
  await drawn(page, () => page.click("#tabs button:last-child"));
  for (let i = 0; i < 3; i++) await drawn(page, () => page.click("#next"));
  assert.match(await text(page, "sentence"), /t2: deq\(\) => 1[\s\S]*state: \[2\]/);
  assert.match(page.url(), /#at=3$/);
  const states = await page.evaluate(() => JSON.parse(document.getElementById("data").textContent).states.texts);
  assert.deepEqual(states.slice(0, 4), ["[1]", "[1, 2]", "[2]", "[2, 3]"]);
});

onPage("a witness plays to its end", "consistent", async (page) => {
  await page.click("#play");
  await page.waitForFunction(() => document.getElementById("place").textContent === "operation 4 of 4");
  assert.equal(await page.locator("#play").innerText(), "Play");
  assert.match(await text(page, "sentence"), /state: \[\]/);
});

onPage("filters by thread, key and method; search counts and goes to what it found", "causal", async (page) => {
  const shown = () => page.evaluate(() => Number(document.getElementById("canvas").dataset.shown));
  await drawn(page, () => page.selectOption("#by-thread", "1"));
  assert.equal(await shown(), 2);
  await drawn(page, () => page.selectOption("#by-method", { label: "write" }));
  assert.equal(await shown(), 1);
  await drawn(page, () => page.selectOption("#by-thread", ""));
  await drawn(page, () => page.selectOption("#by-method", ""));
  assert.equal(await shown(), 4);
  await drawn(page, () => page.fill("#search", "write"));
  assert.equal(await text(page, "found"), "2 found");
  await drawn(page, () => page.press("#search", "Enter"));
  assert.match(await text(page, "details"), /write\(x, 1\)/);
  await drawn(page, () => page.fill("#search", "line 5"));
  assert.equal(await text(page, "found"), "1 found");
});

onPage("wheel, buttons and keys zoom and pan", "queue", async (page) => {
  const [left, scale] = await viewOf(page);
  const box = await page.locator("#canvas").boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + 150);
  await drawn(page, () => page.mouse.wheel(0, -400));
  assert.ok((await viewOf(page))[1] > scale * 1.3);
  await page.locator("#canvas").focus();
  const [zoomed] = await viewOf(page);
  await drawn(page, () => page.keyboard.press("ArrowRight"));
  assert.ok((await viewOf(page))[0] > zoomed);
  await page.mouse.down();
  await drawn(page, () => page.mouse.move(box.x + box.width / 2 + 100, box.y + 150, { steps: 5 }));
  await page.mouse.up();
  await drawn(page, () => page.keyboard.press("+"));
  await page.keyboard.press("0");
  await page.waitForFunction(([l, s]) => {
    const [a, b] = document.getElementById("canvas").view();
    return Math.abs(a - l) < 1e-6 && Math.abs(b - s) < 1e-6;
  }, [left, scale]);
  await drawn(page, () => page.selectOption("#axis", "time"));
});

onPage("two fingers zoom", "queue", async (page) => {
  const [, scale] = await viewOf(page);
  await drawn(page, () => page.evaluate(() => {
    const canvas = document.getElementById("canvas"), box = canvas.getBoundingClientRect();
    canvas.setPointerCapture = () => {}; // these pointers are made up
    const send = (type, pointerId, x) => canvas.dispatchEvent(new PointerEvent(type,
      { pointerId, clientX: box.left + x, clientY: box.top + 120, pointerType: "touch", bubbles: true }));
    send("pointerdown", 11, 300);
    send("pointerdown", 12, 400);
    send("pointermove", 12, 600);
    send("pointerup", 12, 600);
    send("pointerup", 11, 300);
  }));
  assert.ok((await viewOf(page))[1] > scale * 2);
});

onPage("operations are reached by keys alone", "causal", async (page) => {
  await page.locator("#canvas").focus();
  await page.keyboard.press("Shift+ArrowRight");
  await page.keyboard.press("Shift+ArrowRight");
  await page.waitForFunction(() => document.querySelector("#details .call")?.textContent === "read(x) => 2");
  await page.keyboard.press("Shift+ArrowDown");
  await page.waitForFunction(() => document.querySelector("#details .call")?.textContent === "read(x) => 1");
  await page.evaluate(() => document.activeElement.blur());
  const reached = new Set();
  for (let i = 0; i < 24; i++) {
    await page.keyboard.press("Tab");
    reached.add(await page.evaluate(() => document.activeElement.id));
  }
  for (const id of ["search", "scope", "zoom-in", "canvas", "next", "theme"]) assert.ok(reached.has(id), id);
  const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
  assert.notEqual(outline, "none");
});

onPage("what screen readers are told", "causal", async (page) => {
  assert.match(await page.locator("#canvas").getAttribute("aria-label"), /4 operations on 2 timelines/);
  assert.equal(await page.locator("#sentence").getAttribute("aria-live"), "polite");
  const unnamed = await page.evaluate(() => [...document.querySelectorAll("button, select, input")]
    .filter((e) => !(e.textContent.trim() || e.getAttribute("aria-label") || e.labels?.length)).map((e) => e.id));
  assert.deepEqual(unnamed, []);
});

const ground = (page) => page.evaluate(() => {
  const canvas = document.getElementById("canvas"), copy = document.createElement("canvas").getContext("2d");
  copy.drawImage(canvas, canvas.width - 3, 3, 1, 1, 0, 0, 1, 1);
  return [...copy.getImageData(0, 0, 1, 1).data].slice(0, 3);
});

onPage("dark follows the system and the button, on the canvas, too", "causal", async (page) => {
  assert.ok((await ground(page))[0] < 60);
  await drawn(page, () => page.click("#theme"));
  assert.ok((await ground(page))[0] > 200);
}, { colorScheme: "dark" });

onPage("light is light", "causal", async (page) => assert.ok((await ground(page))[0] > 200));

onPage("in print the tools are gone, and the argument is there", "causal", async (page) => {
  await page.emulateMedia({ media: "print" });
  for (const id of ["tools", "theme", "help-button", "operation"])
    assert.equal(await page.locator(`#${id}`).isVisible(), false);
  assert.equal(await page.locator("#words").isVisible(), true);
  assert.ok((await page.pdf()).length > 5000);
});

onPage("without scripts the verdict and the argument can be read", "causal", async (page) => {
  assert.match(await page.locator("h1").innerText(), /violation[\s\S]*ccv/);
  assert.match(await page.locator("#words").innerText(), /so line 2 comes before itself/);
  assert.equal(await page.locator("#canvas").isVisible(), false);
}, { javaScriptEnabled: false });

onPage("the ladder says which model is the weakest that is refuted", "transactions", async (page) => {
  assert.equal(await text(page, "grade"), "strongest that holds: si; weakest refuted: ser");
  assert.equal(await page.locator("#ladder li").count(), 3);
});

onPage("a narrow window has no sideways scrolling", "queue", async (page) => {
  assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
}, { viewport: { width: 390, height: 800 } });
