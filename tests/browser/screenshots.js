// SPDX-License-Identifier: Apache-2.0
// The pictures of docs/guides/screenshots, of the histories of the tests: node screenshots.js FOLDER (`make
// screenshots`).
import { join } from "node:path";
import { drawn, folderOfPages, middleOf, open, pageOf, startBrowser } from "./pages.js";

const folder = process.argv[2];
const NARROW = { viewport: { width: 390, height: 844 } }, DARK = { colorScheme: "dark" };
const hover = (op) => async (page) => {
  const at = await middleOf(page, op);
  await drawn(page, () => page.mouse.move(at.x, at.y));
};

// Name, address, options of the browser, and an action before the picture is taken.
const pictures = [
  ["causal", `${pageOf("causal")}#step=1`],
  ["sc", `${pageOf("sc")}#step=0`],
  ["linearizability", `${pageOf("queue")}#at=4`, {}, hover(2)],
  ["lone", `${pageOf("lone")}#step=0`],
  ["weak", `${pageOf("weak")}#step=0`],
  ["transactions", `${pageOf("transactions")}#step=0`, DARK],
  ["witness", `${pageOf("consistent")}#at=2`],
  ["after", `${pageOf("after")}#step=0`, {}, hover(3)],
  ["narrow", `${pageOf("causal")}#step=2`, NARROW],
  ["print", `${pageOf("causal")}#step=0`, {}, (page) => page.emulateMedia({ media: "print" })],
  ["index", folderOfPages()],
];

const browser = await startBrowser();
for (const [name, address, options, act] of pictures) {
  const page = await open(browser, address, { reducedMotion: "reduce", ...options });
  await act?.(page);
  await page.screenshot({ path: join(folder, `${name}.png`), animations: "disabled" });
  await page.context().close();
}
await browser.close();
