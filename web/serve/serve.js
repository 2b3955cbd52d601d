// SPDX-License-Identifier: Apache-2.0
// The viewer's page: what /api/results has, as rows, kept up to date by /events.
//
// Idea: the server hands on files and the records in them; this page makes rows of them. Listening begins first, and
// its greeting asks for everything. An event sets the state of one file or record, so it does no harm to see it twice.
// Texts come from files and stay text: they go into text nodes and attributes, never into markup.
'use strict';

const MOST_HISTORIES = 1000; // rows of one file
const PAGE = 300; // rows that are shown before "Show more"
const SINGULAR = {
  events: 'event', violations: 'violation', runs: 'run', programs: 'program', histories: 'history',
  operations: 'operation', threads: 'thread', reads: 'read',
};
const RANK = {violation: 0, error: 1, undecided: 2, running: 3, consistent: 4, none: 5};

// path -> {path, kind, size, modified, clipped, folder (true: of one history), records: Map(line -> record),
// grades: Map(index -> grade)}
const files = new Map();
const fresh = new Set(); // ids of rows that changed since they were drawn last
const view = {column: 'modified', descending: true, shown: PAGE};
let pending = null; // events that came while everything was being fetched
let leftOut = 0;

const byId = (id) => document.getElementById(id);

// ---- rows ----

const folderOf = (path) => path.slice(0, path.lastIndexOf('/') + 1);
const text = (value) => (value === null || value === undefined ? '' : String(value));
const list = (value) => (Array.isArray(value) ? value : []);
const isObject = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);

// Records are those of files: any field may be missing or of another type.
function verdictsOf(values) {
  return list(values).filter(isObject).map((v) => ({
    model: text(v.model),
    verdict: Object.hasOwn(RANK, v.verdict) ? v.verdict : 'error',
    note: text(v.pattern ?? v.reason),
  }));
}

// "3 violations, 1 thread": the numbers that are there and not 0.
function counts(record, names) {
  return names.filter((name) => typeof record[name] === 'number' && record[name] !== 0)
    .map((name) => `${record[name]} ${record[name] === 1 ? SINGULAR[name] ?? name : name}`).join(', ');
}

const COUNTED = ['events', 'violations', 'runs', 'committed', 'aborted', 'unknown', 'stale'];

// One row per history: a later line about the same history takes the place of an earlier one.
function journalRows(file) {
  const rows = new Map();
  let campaign = '';
  for (const [line, record] of file.records) {
    if (!isObject(record)) {
      rows.set(`line ${line}`,
        {name: `${file.path}, line ${line}`, verdicts: [], details: 'this line cannot be shown'});
    } else if ('campaign' in record) {
      campaign = [record.command, record.driver, record.workload, record.object].map(text).filter(Boolean).join(' ');
    } else {
      const number = text(record.history);
      const history = typeof record.file === 'string' ? folderOf(file.path) + record.file : null;
      const verdicts = verdictsOf(record.verdicts);
      const models = new Set(verdicts.map((v) => v.model));
      verdicts.push(...verdictsOf(files.get(history)?.grades.get(0)?.verdicts).filter((v) => !models.has(v.model)));
      if (record.running === true)
        verdicts.push({model: '', verdict: 'running', note: ''});
      rows.set(number, {
        name: history ?? `${file.path}, history ${number}`, verdicts, history,
        details: [campaign, counts(record, COUNTED)].filter(Boolean).join(': '),
      });
    }
  }
  return [...rows.entries()].map(([id, row]) => ({...row, id: `${file.path}#${id}`}));
}

function recordRows(file, rowOf) {
  return [...file.records].map(([line, record]) => ({
    id: `${file.path}#${line}`,
    name: `${file.path}, line ${line}`,
    verdicts: [], details: 'this line cannot be shown',
    ...(isObject(record) ? rowOf(record) : {}),
  }));
}

const resultRow = (r) => ({
  verdicts: verdictsOf('error' in r ? [{model: r.model, verdict: 'error', reason: r.error}] : r.verdict ? [r] : []),
  details: [r.file, counts(r, ['operations', 'threads', 'reads', 'stale'])].map(text).filter(Boolean).join(': '),
});
const evidenceRow = (r) => ({verdicts: verdictsOf([r]), details: `proof for history ${text(r.history)}`});
const monitorRow = (r) => ({
  verdicts: verdictsOf([
    {model: r.model, verdict: r.type === 'violation' ? 'violation' : r.verdict, pattern: r.anomaly}]),
  details: r.type === 'violation'
    ? `${text(r.object)}, event ${text(r.event)}` : counts(r, ['events', 'violations', 'histories']),
});
const stressRow = (r) => ({
  // No violation is no proof: nothing is called consistent here.
  verdicts: r.violations > 0 ? verdictsOf([{model: r.model, verdict: 'violation', reason: r.found?.reason}]) : [],
  details: [r.implementation, counts(r, ['programs', 'runs', 'distinct', 'violations'])].map(text).join(': '),
});

// A row for each history of the file, once a grade of one has told how many there are.
function historyRows(file, journalled) {
  if (journalled.has(file.path)) // a journal has its row
    return [];
  const known = [...file.grades.values()].find((g) => g.histories > 1);
  return Array.from({length: Math.min(known?.histories ?? 1, MOST_HISTORIES)}, (_, index) => {
    const graded = file.grades.get(index), name = index ? `${file.path}#${index}` : file.path;
    return {
      id: name, name, history: file.path, index,
      verdicts: graded ? verdictsOf(graded.verdicts) : [],
      details: graded ? counts(graded, ['operations', 'threads', 'histories']) : `${file.size} bytes`,
    };
  });
}

const plainRows = (file) => [{id: file.path, name: file.path, verdicts: [], details: `${file.size} bytes`}];

const rowsOf = {
  journal: journalRows,
  evidence: (file) => recordRows(file, evidenceRow),
  results: (file) => recordRows(file, resultRow),
  monitor: (file) => recordRows(file, monitorRow),
  stress: (file) => recordRows(file, stressRow),
  history: historyRows,
  page: plainRows,
  picture: plainRows,
};

function worst(row) {
  return row.verdicts.reduce((a, v) => (RANK[v.verdict] < RANK[a] ? v.verdict : a), 'none');
}

function allRows() {
  const journalled = new Set(), rows = [];
  for (const file of files.values())
    if (file.kind === 'journal')
      for (const row of journalRows(file))
        if (row.history)
          journalled.add(row.history);
  for (const file of files.values())
    for (const row of (rowsOf[file.kind] ?? plainRows)(file, journalled))
      rows.push({...row, kind: file.kind, path: file.path, folder: file.folder, modified: file.modified,
        worst: worst(row)});
  return rows;
}

// ---- filters and order ----

function matches(row, words, verdict, kind) {
  const has = row.worst === verdict || row.verdicts.some((v) => v.verdict === verdict);
  if ((verdict && !has) || (kind && row.kind !== kind))
    return false;
  const all = [row.name, row.path, row.kind, row.details, ...row.verdicts.flatMap((v) => [v.model, v.verdict, v.note])]
    .join('\n').toLowerCase();
  return words.every((word) => all.includes(word));
}

const order = new Intl.Collator('en', {numeric: true});

function compare(a, b) {
  const {column, descending} = view;
  const sign = descending ? -1 : 1;
  const by = column === 'modified' ? a.modified - b.modified
    : column === 'worst' ? RANK[a.worst] - RANK[b.worst] : order.compare(a[column], b[column]);
  return by ? sign * by : order.compare(a.name, b.name) || order.compare(a.id, b.id);
}

// ---- drawing ----

function element(name, attributes, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes))
    e.setAttribute(key, value);
  e.append(...children);
  return e;
}

const address = (base, path) => base + path.split('/').map(encodeURIComponent).join('/');

function historyAddress(base, row, more) {
  const query = new URLSearchParams({...(row.index ? {index: row.index} : {}), ...more}).toString();
  return address(base, row.history) + (query ? `?${query}` : '');
}

function verdictChip(row, v) {
  const words = [v.model, v.verdict, v.note].filter(Boolean).join(' ');
  const chip = element('span', {class: `verdict ${v.verdict}`}, words);
  if (!row.history || !v.model || v.verdict === 'error')
    return chip;
  return element('a', {href: historyAddress('/h/', row, {model: v.model})}, chip);
}

async function grade(row, button) {
  button.disabled = true;
  button.textContent = 'grading';
  const answer = await fetch(historyAddress('/api/grade/', row, {}))
    .then((r) => r.json()).catch((e) => ({error: e.message}));
  if (answer.error) {
    button.textContent = 'grade';
    button.disabled = false;
    byId('notes').textContent = `${row.name}: ${answer.error}`;
  } else {
    take('grade', answer);
  }
}

function actions(row) {
  const links = [];
  if (row.history) {
    const name = row.index ? row.name : row.history;
    const button = element('button', {type: 'button', 'aria-label': `grade ${name}`}, 'grade');
    button.addEventListener('click', () => grade(row, button));
    links.push(element('a', {href: historyAddress('/h/', row, {}), 'aria-label': `page of ${name}`}, 'page'), button);
  }
  const file = row.history ?? row.path;
  const word = row.kind === 'page' || row.kind === 'picture' ? row.kind : 'file';
  if (!row.folder)
    links.push(element('a', {href: address('/file/', file), 'aria-label': `${word} ${file}`}, word));
  return links;
}

function when(seconds) {
  const date = new Date(seconds * 1000);
  return element('time', {datetime: date.toISOString()}, date.toLocaleString());
}

function drawRow(row) {
  return element('tr', {'data-id': row.id, ...(fresh.has(row.id) ? {class: 'new'} : {})},
    element('th', {scope: 'row'}, row.name),
    element('td', {}, row.kind),
    element('td', {class: 'verdicts'}, ...row.verdicts.map((v) => verdictChip(row, v))),
    element('td', {class: 'details'}, row.details),
    element('td', {class: 'changed'}, when(row.modified)),
    element('td', {class: 'open'}, ...actions(row)));
}

function drawKinds(rows) {
  const select = byId('kind'), chosen = select.value;
  const kinds = [...new Set([...rows.map((row) => row.kind), ...(chosen ? [chosen] : [])])].sort();
  select.replaceChildren(element('option', {value: ''}, 'any'), ...kinds.map((k) => element('option', {value: k}, k)));
  select.value = chosen;
}

// The focus stays where it was, although the rows are made anew.
function keepFocus(drawRows) {
  const focused = document.activeElement?.closest?.('#rows tr')?.dataset.id;
  const label = document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent;
  drawRows();
  if (focused === undefined)
    return;
  const row = [...byId('rows').children].find((r) => r.dataset.id === focused);
  const same = [...(row?.querySelectorAll('a, button') ?? [])]
    .find((e) => (e.getAttribute('aria-label') ?? e.textContent) === label);
  same?.focus();
}

function draw() {
  const rows = allRows();
  drawKinds(rows);
  const words = byId('search').value.toLowerCase().split(/\s+/).filter(Boolean);
  const chosen = rows.filter((row) => matches(row, words, byId('verdict').value, byId('kind').value)).sort(compare);
  keepFocus(() => byId('rows').replaceChildren(...chosen.slice(0, view.shown).map(drawRow)));
  fresh.clear();
  byId('count').textContent = `${chosen.length === rows.length ? '' : `${chosen.length} of `}${rows.length} results`;
  byId('more').hidden = chosen.length <= view.shown;
  byId('empty').hidden = chosen.length > 0;
  byId('empty').textContent = rows.length ? 'No result matches.' : 'There are no results in this folder yet.';
  for (const button of document.querySelectorAll('thead button'))
    button.parentElement.setAttribute('aria-sort',
      button.dataset.column !== view.column ? 'none' : view.descending ? 'descending' : 'ascending');
  const clipped = [...files.values()].filter((file) => file.clipped).map((file) => file.path);
  byId('notes').textContent = [clipped.length ? `More lines than are shown: ${clipped.join(', ')}.` : '',
    leftOut ? `${leftOut} further files are not shown.` : ''].filter(Boolean).join(' ');
}

let drawing = false;
function drawSoon() {
  if (!drawing)
    requestAnimationFrame(() => {
      drawing = false;
      draw();
    });
  drawing = true;
}

// ---- news ----

const apply = {
  file(f) {
    const old = files.get(f.path);
    files.set(f.path, {...f, records: old?.records ?? new Map(), grades: new Map()});
    fresh.add(f.path);
  },
  record(r) {
    files.get(r.path)?.records.set(r.line, r.record);
    fresh.add(`${r.path}#${isObject(r.record) && 'history' in r.record ? r.record.history : r.line}`);
  },
  gone(f) {
    files.delete(f.path);
  },
  grade(g) {
    files.get(g.path)?.grades.set(g.index, g);
    fresh.add(g.path);
  },
};

function take(kind, data) {
  if (pending) {
    pending.push([kind, data]);
    return;
  }
  apply[kind](data);
  drawSoon();
}

async function fetchAll() {
  pending = [];
  const everything = await fetch('/api/results').then((r) => r.json());
  files.clear();
  for (const f of everything.files)
    files.set(f.path, {
      ...f, records: new Map(f.records.map((r) => [r.line, r.record])),
      grades: new Map(f.grades.map((g) => [g.index, g])),
    });
  leftOut = everything.left_out;
  const missed = pending;
  pending = null;
  for (const [kind, data] of missed)
    apply[kind](data);
  draw();
}

function say(state, words) {
  byId('connection').dataset.state = state;
  byId('connection').textContent = words;
}

function listen() {
  const source = new EventSource('/events');
  source.addEventListener('hello',
    () => fetchAll().then(() => say('live', 'live'), () => say('lost', 'the results cannot be read')));
  for (const kind of Object.keys(apply))
    source.addEventListener(kind, (event) => take(kind, JSON.parse(event.data)));
  source.addEventListener('error', () => {
    say('lost', 'connection lost: this is the last known state');
    if (source.readyState === EventSource.CLOSED) // the browser has given up; the viewer may be started again
      setTimeout(listen, 2000);
  });
}

// ---- the user ----

function begin() {
  byId('filters').addEventListener('submit', (event) => event.preventDefault());
  for (const id of ['search', 'verdict', 'kind'])
    byId(id).addEventListener('input', () => {
      view.shown = PAGE;
      draw();
    });
  for (const button of document.querySelectorAll('thead button'))
    button.addEventListener('click', () => {
      view.descending = view.column === button.dataset.column ? !view.descending : button.dataset.column === 'modified';
      view.column = button.dataset.column;
      draw();
    });
  byId('more').addEventListener('click', () => {
    view.shown += PAGE;
    draw();
  });
  // `/` goes to the search, as in many lists.
  document.addEventListener('keydown', (event) => {
    if (event.key === '/' && !event.target.closest('input, select')) {
      event.preventDefault();
      byId('search').focus();
    }
  });
  listen();
}

begin();
