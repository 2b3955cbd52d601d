// SPDX-License-Identifier: Apache-2.0
// The viewer's page in a browser. The viewer is started on a free port and a folder of its own. Nothing waits for some
// time, only for what is seen.
import assert from 'node:assert/strict';
import {execFileSync, spawn} from 'node:child_process';
import {appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {createInterface} from 'node:readline';
import {after, before, test} from 'node:test';
import {PATIENCE, startBrowser} from './pages.js';

const assay = process.env.ASSAY;
const folder = mkdtempSync(join(tmpdir(), 'assay-serve-'));
const journal = join(folder, 'run/journal.jsonl');
const lock = '# @object lock\n[1] call lock\n[1] return\n[2] call lock\n[2] return\n';
const hostile = '<img src=x onerror="window.hacked=1">.hist';

let viewer, address, browser, page;
const complaints = [];

function start(port) {
  viewer = spawn(assay, ['serve', '--port', String(port), folder], {stdio: ['ignore', 'pipe', 'inherit']});
  return new Promise((done, failed) => {
    createInterface({input: viewer.stdout}).once('line', done);
    viewer.once('exit', (status) => failed(new Error(`the viewer ended with status ${status}`)));
  });
}

function stop() {
  const ended = new Promise((done) => viewer.once('exit', done));
  viewer.kill('SIGINT');
  return ended;
}

const row = (name) => page.locator('#rows tr').filter({has: page.locator('th', {hasText: name})});

before(async () => {
  mkdirSync(join(folder, 'run'));
  writeFileSync(journal, '{"campaign":1,"driver":"memory","workload":"list"}\n'
    + '{"history":1,"file":"0001.hist","committed":4,'
    + '"verdicts":[{"model":"lin","verdict":"violation","pattern":"HeldTwice"}]}\n'
    + '{"history":2,"committed":7,"verdicts":[{"model":"lin","verdict":"consistent"}]}\n');
  writeFileSync(join(folder, 'run/0001.hist'), lock);
  writeFileSync(join(folder, 'plain.hist'), lock);
  writeFileSync(join(folder, hostile), lock);
  writeFileSync(join(folder, 'two.hist'), `${lock}---\n${lock}`);
  writeFileSync(join(folder, 'evil.jsonl'), '{"campaign":1,"driver":"<b id=injected>"}\n'
    + '{"history":1,"file":{"a":1},'
    + '"verdicts":[{"model":"<script>window.hacked=1</script>","verdict":"__proto__"},7,null]}\n');
  writeFileSync(join(folder, 'forged.html'),
    '<!doctype html><title>waiting</title><script>fetch("/api/results").then('
    + '() => document.title = "read", () => document.title = "refused")</script>');
  address = await start(0);
  browser = await startBrowser();
  page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE);
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(address);
  await page.locator('#connection[data-state="live"]').waitFor();
});

after(async () => {
  await browser?.close();
  if (viewer?.exitCode === null)
    await stop();
  rmSync(folder, {recursive: true});
});

test('lists histories with their verdicts', async () => {
  await row('run/0001.hist').locator('.verdict.violation', {hasText: 'lin violation HeldTwice'}).waitFor();
  assert.equal(await row('run/0001.hist').count(), 1, 'a history that a journal names has one row');
  await row('history 2').locator('.verdict.consistent').waitFor();
  await row('plain.hist').waitFor();
});

test('filters and sorts, with the keyboard', async () => {
  await page.keyboard.press('/');
  await page.keyboard.type('heldtwice');
  await page.locator('#count', {hasText: '1 of '}).waitFor();
  assert.equal(await page.locator('#rows tr').count(), 1);
  await page.locator('#search').fill('');
  await page.locator('#verdict').selectOption('consistent');
  assert.equal(await page.locator('#rows tr').count(), 1);
  await page.locator('#verdict').selectOption('');
  await page.locator('th button', {hasText: 'Result'}).focus();
  await page.keyboard.press('Enter');
  await page.locator('th[aria-sort="ascending"]').waitFor();
  const names = await page.locator('#rows th').allTextContents();
  assert.deepEqual(names, names.toSorted(new Intl.Collator('en', {numeric: true}).compare));
  await page.keyboard.press('Enter');
  await page.locator('th[aria-sort="descending"]').waitFor();
});

test('shows a line of a journal as soon as it is written', async () => {
  appendFileSync(journal, '{"history":3,"verdicts":[{"model":"lin","verdict":"undec');
  appendFileSync(journal, 'ided"}]}\n');
  await row('history 3').locator('.verdict.undecided').waitFor();
  appendFileSync(journal, '{"history":3,"verdicts":[{"model":"lin","verdict":"violation"}]}\n');
  await row('history 3').locator('.verdict.violation').waitFor();
  assert.equal(await row('history 3').count(), 1, 'a later line takes the place of an earlier one');
});

test('grades a history on request', async () => {
  await row('plain.hist').getByRole('button', {name: 'grade'}).click();
  await row('plain.hist').locator('.verdict.violation', {hasText: 'lin violation'}).waitFor();
});

test('lists every history of a file once one is graded', async () => {
  await row('two.hist').getByRole('button', {name: 'grade'}).click();
  const second = row('two.hist#1');
  await second.waitFor();
  const link = second.getByRole('link', {name: 'page of two.hist#1'});
  assert.equal(await link.getAttribute('href'), '/h/two.hist?index=1');
  await second.getByRole('button', {name: 'grade'}).click();
  await second.locator('.verdict.violation', {hasText: 'lin violation'}).waitFor();
});

test('opens the page of a history', async () => {
  const report = await browser.newPage();
  await report.goto(address + 'h/plain.hist?model=lin');
  assert.match(await report.title(), /plain\.hist/);
  await report.close();
});

test('names and values stay text', async () => {
  await row('<img src=x').waitFor();
  assert.equal(await page.locator('#injected, #rows img, #rows script').count(), 0);
  assert.equal(await page.evaluate(() => globalThis.hacked), undefined);
  await row('<img src=x').getByRole('button', {name: 'grade'}).click();
  await row('<img src=x').locator('.verdict.violation').first().waitFor();
});

test('a forged page cannot read the results', async () => {
  const forged = await browser.newPage();
  await forged.goto(address + 'file/forged.html');
  await forged.waitForFunction(() => document.title !== 'waiting');
  assert.equal(await forged.title(), 'refused');
  await forged.close();
});

test('has a dark side', async () => {
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await page.emulateMedia({colorScheme: 'light'});
  const light = await paper();
  await page.emulateMedia({colorScheme: 'dark'});
  assert.notEqual(await paper(), light);
});

test('says when the connection is lost, and comes back', async () => {
  assert.deepEqual(complaints, []);
  assert.equal(await stop(), 0);
  await page.locator('#connection[data-state="lost"]').waitFor();
  assert.ok(await page.locator('#rows tr').count() > 0, 'the last known state stays');
  execFileSync('cp', [join(folder, 'plain.hist'), join(folder, 'meanwhile.hist')]);
  await start(new URL(address).port);
  await page.locator('#connection[data-state="live"]').waitFor();
  await row('meanwhile.hist').waitFor();
});
