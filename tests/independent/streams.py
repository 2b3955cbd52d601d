# SPDX-License-Identifier: Apache-2.0
"""Streams in which clients die in a call, or call again with their old id: `assay monitor` against an oracle that knows
the definition alone. The event of the first violation, the exit status and the claim to be exact are compared.

    streams.py ASSAY COUNT SEED
"""
import collections
import json
import random
import subprocess
import sys

from objects import TooHard
from prefixes import first_violation
from stream_events import SPECS, Gen, text

ASSAY = sys.argv[1]


def monitor(stream, *args):
    """The status, the violations, the summary (None: there is none) and what was said on standard error."""
    p = subprocess.run([ASSAY, "monitor", "--json", *args, "-"], input=stream.encode(), capture_output=True)
    records = [json.loads(line) for line in p.stdout.decode().splitlines()]
    summary = next((r for r in records if r.get("type") == "summary"), None)
    return p.returncode, [r for r in records if r.get("type") == "violation"], summary, p.stderr.decode()


def batch(r, name, count, args=(), **kw):
    """count histories of one stream"""
    hs = []
    for _ in range(count):
        k = dict(kw)
        if callable(k.get('ops')):
            k['ops'] = k['ops'](r)
        g = Gen(r, name, **k)
        ev = g.events()
        try:
            want = first_violation(g.spec.kind, g.spec.init, ev)
        except TooHard:
            continue
        hs.append((ev, want, text(ev, g.spec.kind)))
    return hs


def judge(hs, name, args, stats, one=False):
    inp = '---\n'.join(h[2] for h in hs)
    rc, vs, s, err = monitor(inp, *args)
    if s is None or rc == 2:
        if not one:
            for h in hs:
                judge([h], name, args, stats, True)
            return
        print('FAULT', name, rc, args, err[:300]); print(inp); stats['fault'] += 1
        return
    if (s['undecided'] or s['reason']) and not one and any(m['weak'] or True for m in s['monitors']):
        for h in hs:
            judge([h], name, args, stats, True)
        return
    stats['n:' + name] += len(hs)
    stats['viol'] += sum(h[1] is not None for h in hs)
    if s['reason']:
        stats['undecided:' + name] += 1
    got, off = collections.defaultdict(list), 0
    for v in vs:
        got[v['index']].append(v)
    for i, (ev, want, txt) in enumerate(hs):
        g = got.get(i)
        e = g[0]['event'] - off if g else None
        off += len(ev)
        exact = all(m['exact'] and not m['weak'] for m in s['monitors'])
        if want is None and g:
            kind = 'FALSE ALARM'
        elif want and not g:
            kind = 'MISSED' if not (one and s['verdict'] == 'undecided') else None
            if one and s['verdict'] == 'undecided':
                stats['missed but undecided'] += 1
                if exact:
                    stats['undecided though exact'] += 1
        elif want and e != want:
            kind = 'OTHER EVENT %s, oracle %s' % (e, want)
        else:
            kind = None
        if one and not kind:
            exp = {'violation': 1, 'undecided': 3, 'consistent': 0, 'no violation': 0}.get(s['verdict'])
            if rc != exp or (rc == 0 and want) or (rc == 1) != bool(g):
                kind = 'STATUS %d verdict %s' % (rc, s['verdict'])
        if kind:
            stats[kind.split()[0]] += 1
            if stats[kind.split()[0] + name] < 3:
                stats[kind.split()[0] + name] += 1
                print('==', kind, name, args, 'status', rc, s['reason'], [m['weakened'] for m in s['monitors']])
                print(txt)
                if g:
                    print(g[0]['event'], g[0].get('pattern'), g[0].get('why'))
                sys.stdout.flush()


def main(count, seed):
    r, stats, names = random.Random(seed), collections.Counter(), sorted(SPECS)
    for _ in range(count):
        name = r.choice(names)
        shape = r.choice([
            dict(ids=3, ops=lambda r: r.randrange(3, 9), die=.2),
            dict(ids=4, ops=lambda r: r.randrange(6, 14), die=.15, wrong=.05),
            dict(ids=2, ops=lambda r: r.randrange(8, 25), die=.1, wrong=.03),
            dict(ids=3, ops=lambda r: r.randrange(5, 12), die=.3, wrong=.15),
            dict(ids=5, ops=lambda r: r.randrange(5, 10), die=.05, wrong=.1),
            dict(ids=2, ops=lambda r: r.randrange(30, 90), die=.03, wrong=.01),
            dict(ids=4, ops=lambda r: r.randrange(10, 30), die=.5, wrong=.02, reuse=1),
            dict(ids=6, ops=lambda r: r.randrange(10, 20), die=.4, wrong=.02, reuse=0),
        ])
        mode = r.choice(["dead", "dead", "dead", "recall", "open"])
        args = ["--lenient"] if mode == "recall" else r.choice([[], [], ["--lenient"], ["--abandon", "100000"]])
        judge(batch(r, name, 20, mode=mode, **shape), name, args, stats)
    histories = sum(n for key, n in stats.items() if key.startswith("n:"))
    faults = sum(stats[key] for key in ("fault", "FALSE", "MISSED", "OTHER", "STATUS"))
    print(f"streams: seed {seed}: {histories} streams, {stats['viol']} violations, {faults} faults")
    return 1 if faults or not stats["viol"] else 0


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[2]), int(sys.argv[3])))
