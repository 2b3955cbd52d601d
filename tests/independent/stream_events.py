# SPDX-License-Identifier: Apache-2.0
"""Random event streams with clients that die, from an object that is executed, with wrong results here and there."""
from hist import show
from objects import FALSE, FULL, OK, REFUSED, TRUE, kind_of
from prefixes import canon

POOLS = {
    'tiny': ['1', '2'],
    'small': ['1', '2', '3', '4'],
    'mixed': ['1', '"1"', 'one', '0x1', '-1', '"a b"', 'x'],
    'odd': ['"empty"', '"null"', 'true', 'false', 'ok', '"\\u00e9"', '""', '0', '-0x10', '9223372036854775807'],
    'many': [str(i) for i in range(1, 60)],
    'words': ['k-17', '1.5', 'abc', '\u00e9', '"#"', '"a\\nb"'],
}


class Spec:
    """An object under test: its header and first state, how its calls look, and which of them may return ok or true.
    Where values are never to come again, they are those of the calls in `distinct`."""
    def __init__(self, kind, init, calls, always=(), distinct=()):
        self.kind, self.init, self.calls, self.always, self.distinct = kind, init, calls, always, distinct
        self.step = kind_of(kind)[1]


v, k, n = 'v', 'k', 'n'
CELLS = ((None, 0),)
ENDS = ('push-front', 'push-back')
SPECS = {
    'register': Spec('register', 0, [('write', v), ('read',)], distinct=('write',)),
    'cas-register': Spec('cas-register', 0, [('write', v), ('read',), ('cas', v, v)]),
    'memory': Spec('memory', CELLS, [('write', k, v), ('read', k), ('rmw', k, v, v)]),
    'map': Spec('map', (), [('put', k, v), ('get', k), ('remove', k), ('contains-key', k)]),
    'map-size': Spec('map', (), [('put', k, v), ('get', k), ('remove', k), ('size',), ('contains', v)]),
    'append-map': Spec('append-map', (), [('put', k, 's'), ('append', k, 's'), ('get', k)], ('put', 'append')),
    'queue': Spec('queue', (), [('enq', v), ('enq', v), ('deq',), ('deq',), ('peek',)], ('enq',), ('enq',)),
    'queue(2)': Spec('queue(2)', (), [('enq', v), ('enq', v), ('deq',), ('peek',)], distinct=('enq',)),
    'stack': Spec('stack', (), [('push', v), ('push', v), ('pop',), ('pop',), ('peek',)], ('push',), ('push',)),
    'deque': Spec('deque', (), [('push-front', v), ('push-back', v), ('pop-front',), ('pop-back',), ('peek-front',),
                                ('peek-back',)], ENDS, ENDS),
    'pqueue': Spec('pqueue', (), [('add', n), ('add', n), ('rem',), ('rem',), ('peek',)], ('add',), ('add',)),
    'pqueue(min)': Spec('pqueue(min)', (), [('add', n), ('add', n), ('rem',), ('rem',), ('peek',)], ('add',), ('add',)),
    'set': Spec('set', frozenset(), [('add', v), ('remove', v), ('contains', v)]),
    'multiset': Spec('multiset', (), [('add', v), ('remove', v), ('count', v), ('contains', v)], ('add',)),
    'counter': Spec('counter', 0, [('inc',), ('dec',), ('add', n), ('fetch-add', n), ('get',)]),
    'counter-up': Spec('counter', 0, [('inc',), ('get',)]),
    'lock': Spec('lock', (), [('lock',), ('unlock',), ('trylock',)]),
    'lock-tags': Spec('lock', (), [('lock', v), ('unlock',), ('trylock', v), ('lock',)]),
    'semaphore(2)': Spec('semaphore(2)', (), [('acquire',), ('release',), ('tryacquire',)]),
    'semaphore-tags': Spec('semaphore(2)', (), [('acquire', v), ('release',), ('tryacquire', v), ('acquire',)]),
    'rwlock': Spec('rwlock', (0, 0), [('rdlock',), ('rdunlock',), ('wrlock',), ('wrunlock',), ('tryrdlock',), ('trywrlock',)]),
    'counting-semaphore(1)': Spec('counting-semaphore(1)', 1, [('wait',), ('post',), ('trywait',)]),
    'bank': Spec('bank(2,3)', (3, 3), [('transfer', 'a', 'a', 'u'), ('balance', 'a')]),
}


# may the recorded result be left out?
NORESULT_OK = {'set': ('add', 'remove'), 'map': ('put', 'remove'), 'map-size': ('put', 'remove'),
               'multiset': ('remove',), 'counter': ('inc', 'dec', 'add', 'fetch-add'), 'counter-up': ('inc',),
               'bank': ('transfer',), 'lock': ('unlock',), 'lock-tags': ('unlock',), 'semaphore-tags': ('unlock', 'release'),
               'semaphore(2)': ('release',)}
UNTAGGED = ('untagged',)  # what a release returns whose holder has no tag
ALWAYS_NONE = {'register': ('write',), 'cas-register': ('write',), 'memory': ('write', 'rmw'),
               'lock': ('lock', 'unlock'), 'semaphore(2)': ('acquire', 'release'), 'lock-tags': ('lock',),
               'semaphore-tags': ('acquire',), 'rwlock': ('rdlock', 'wrlock', 'rdunlock', 'wrunlock'),
               'counting-semaphore(1)': ('wait', 'post')}


class Gen:
    def __init__(self, rng, specname, ids=3, ops=8, die=0.15, wrong=0.08, pool=None, distinct=None, reuse=0.5,
                 omit=None, mode='dead', keys=None, okrate=0.1):
        self.r, self.name, self.spec = rng, specname, SPECS[specname]
        self.ids, self.ops, self.die, self.wrong, self.mode = ids, ops, die, wrong, mode
        self.pool = POOLS[pool or rng.choice(list(POOLS))]
        self.distinct = distinct if distinct is not None else rng.random() < .5
        self.omit = omit if omit is not None else rng.choice([0, 0, .3, 1])
        self.reuse, self.okrate = reuse, okrate
        self.keys = keys or rng.choice([['x'], ['x', 'y'], ['1', '"1"', 'z']])
        self.fresh = 0
        self.used = []

    def arg(self, kind, m):
        r = self.r
        if kind == 'k':
            return r.choice(self.keys)
        if kind == 'a':
            return r.choice(['0', '1'])
        if kind == 'u':
            return r.choice(['0', '1', '2', '3', '4'])
        if kind == 's':
            return r.choice(['"a"', '"b"', '"ab"', '"c"', '""']) if not self.distinct else '"%s."' % self.new()
        if kind == 'n':
            if self.distinct and m in self.spec.distinct:
                self.fresh += 1
                return str((self.fresh * 7) % 31 + 31 * (self.fresh // 31))
            return r.choice(['1', '2', '3', '-1', '5'])
        if self.distinct and (m in self.spec.distinct):
            return self.new()
        return r.choice(self.pool)

    def new(self):
        self.fresh += 1
        return str(100 + self.fresh)

    def result(self, m, right):
        """a wrong result of the same kind"""
        r = self.r
        name = self.name
        if right in (TRUE, FALSE):
            return 'false' if right == TRUE else 'true'
        if right == OK and name == 'bank':
            return 'refused'
        if right in (OK, FULL):
            return 'ok' if right == FULL else 'full'
        if right == REFUSED:
            return 'ok'
        if right is None or right == UNTAGGED:
            return None
        if name.startswith('counter') or m in ('count', 'size', 'balance'):
            return str(max(right + r.choice([-1, 1, 2, -2]), 0 if m != 'get' and not name.startswith('counter') else -99))
        if name.startswith('append'):
            return r.choice(['""', '"a"', '"ab"', '"b"', show(('s', right[1][::-1])), show(('s', right[1] + 'a'))])
        pool = self.used + self.pool if not name.startswith('pqueue') else self.used + ['1', '2', '3']
        c = r.choice(pool + ['77'])
        if name in ('map', 'map-size') and r.random() < .4:
            return 'null'
        if name.split('(')[0] in ('queue', 'stack', 'deque', 'pqueue') and r.random() < .3:
            return 'empty'
        return c

    def events(self):
        r, always = self.r, self.spec.always
        st = self.spec.init
        ev, opn, dead, free = [], {}, [], ['%d' % (i + 1) for i in range(self.ids)]
        left, nextid, stuck = self.ops, self.ids + 1, 0
        while (left or opn) and stuck < 60:
            stuck += 1
            x = r.random()
            if left and free and x < .4:
                i = free.pop(r.randrange(len(free)))
                m, *kinds = r.choice(self.spec.calls)
                args = tuple(self.arg(k, m) for k in kinds)
                if m == 'transfer' and args[0] == args[1] and r.random() < .8:
                    args = (args[0], '1' if args[0] == '0' else '0', args[2])
                self.used += [a for a, k in zip(args, kinds) if k in 'vn']
                ev.append(('call', i, m, args))
                opn[i] = [m, args, False, None]
                left -= 1
                stuck = 0
            elif opn and x < .65:
                i = r.choice(list(opn))
                st = self.take(opn[i], st)
            elif dead and x < .68:
                st = self.take(r.choice(dead), st)
            elif opn:
                i = r.choice(list(opn))
                o = opn[i]
                if r.random() < self.die:
                    stuck = 0
                    del opn[i]
                    if r.random() < .5:
                        dead.append(o)
                    if self.mode == 'recall' and left:      # the second call of an open id
                        m, *kinds = r.choice(self.spec.calls)
                        args = tuple(self.arg(k, m) for k in kinds)
                        self.used += [a for a, k in zip(args, kinds) if k in 'vn']
                        ev.append(('call', i, m, args))
                        opn[i] = [m, args, False, None]
                        left -= 1
                    elif self.mode == 'open' or self.mode == 'recall':
                        pass                                # stays open for ever
                    else:
                        ev.append(('dead', i))
                        if r.random() < self.reuse:
                            free.append(i)
                    continue
                if not o[2]:
                    st = self.take(o, st)
                if not o[2]:
                    continue            # blocked
                del opn[i]
                free.append(i)
                stuck = 0
                res = o[3]
                m = o[0]
                tok = None
                if m in always or m in ALWAYS_NONE.get(self.name, ()):
                    tok = r.choice(['ok', 'true']) if r.random() < self.okrate and m in always else None
                    if m in ('unlock', 'release') and 'tags' in self.name:
                        tok = None
                else:
                    tok = show(res) if res not in (None, UNTAGGED) else None
                    if r.random() < self.wrong:
                        tok = self.result(m, res)
                    if m in NORESULT_OK.get(self.name, ()) and r.random() < self.omit:
                        tok = None
                    if m == 'enq' and self.name == 'queue(2)' and tok in ('ok', 'full') and r.random() < .2:
                        tok = {'ok': 'true', 'full': 'false'}[tok]
                ev.append(('ret', i, tok))
        if not r.random() < .5:
            return ev
        # and drop a tail of returns
        return ev[:max(1, len(ev) - r.randrange(3))]

    def take(self, o, st):
        if o[2]:
            return st
        out = self.spec.step(st, o[0], tuple(canon(t) for t in o[1]))
        if not out:
            if self.r.random() < self.wrong * .3:        # a lock that is given twice
                o[2], o[3] = True, None
            return st
        st, o[3] = self.r.choice(out)
        o[2] = True
        return st


def text(events, kind):
    out = ['# @object ' + kind]
    for e in events:
        if e[0] == 'call':
            out.append('[%s] call %s%s' % (e[1], e[2], '(%s)' % ', '.join(e[3]) if e[3] else ''))
        elif e[0] == 'ret':
            out.append('[%s] return%s' % (e[1], '' if e[2] is None else ' ' + e[2]))
        else:
            out.append('[%s] return ?' % e[1])
    return '\n'.join(out) + '\n'
