# SPDX-License-Identifier: Apache-2.0
"""Random event streams with clients that die, from an object that is executed, with wrong results here and there."""
import random
import models as M

POOLS = {
    'tiny': ['1', '2'],
    'small': ['1', '2', '3', '4'],
    'mixed': ['1', '"1"', 'one', '0x1', '-1', '"a b"', 'x'],
    'odd': ['"empty"', '"null"', 'true', 'false', 'ok', '"\\u00e9"', '""', '0', '-0x10', '9223372036854775807'],
    'many': [str(i) for i in range(1, 60)],
    'words': ['k-17', '1.5', 'abc', '\u00e9', '"#"', '"a\\nb"'],
}


def spell(v):
    if v is None:
        return None
    if v[0] == 'i':
        return str(v[1])
    if v[0] == 'l':
        return '[' + ' '.join(spell(x) for x in v[1]) + ']'
    if v[0] == 's':
        import json
        return json.dumps(v[1])
    return v[1]


class Spec:
    """An object under test: how its calls look."""
    def __init__(self, model, calls, bad=None, distinct=()):
        self.model, self.calls, self.bad, self.distinct = model, calls, bad, distinct


def specs():
    m = M
    v, k, n = 'v', 'k', 'n'
    return {
        'register': Spec(m.Register(), [('write', v), ('read',)], distinct=('write',)),
        'cas-register': Spec(m.Cas(), [('write', v), ('read',), ('cas', v, v)]),
        'memory': Spec(m.Memory(), [('write', k, v), ('read', k), ('rmw', k, v, v)]),
        'map': Spec(m.Map(), [('put', k, v), ('get', k), ('remove', k), ('contains-key', k)]),
        'map-size': Spec(m.Map(), [('put', k, v), ('get', k), ('remove', k), ('size',), ('contains', v)]),
        'append-map': Spec(m.AppendMap(), [('put', k, 's'), ('append', k, 's'), ('get', k)]),
        'queue': Spec(m.Queue(), [('enq', v), ('enq', v), ('deq',), ('deq',), ('peek',)], distinct=('enq',)),
        'queue(2)': Spec(m.Bounded(2), [('enq', v), ('enq', v), ('deq',), ('peek',)], distinct=('enq',)),
        'stack': Spec(m.Stack(), [('push', v), ('push', v), ('pop',), ('pop',), ('peek',)], distinct=('push',)),
        'deque': Spec(m.Deque(), [('push-front', v), ('push-back', v), ('pop-front',), ('pop-back',), ('peek-front',),
                                  ('peek-back',)], distinct=('push-front', 'push-back')),
        'pqueue': Spec(m.Pqueue(), [('add', n), ('add', n), ('rem',), ('rem',), ('peek',)], distinct=('add',)),
        'pqueue(min)': Spec(m.Pqueue(True), [('add', n), ('add', n), ('rem',), ('rem',), ('peek',)], distinct=('add',)),
        'set': Spec(m.Set(), [('add', v), ('remove', v), ('contains', v)]),
        'multiset': Spec(m.Multiset(), [('add', v), ('remove', v), ('count', v), ('contains', v)]),
        'counter': Spec(m.Counter(), [('inc',), ('dec',), ('add', n), ('fetch-add', n), ('get',)]),
        'counter-up': Spec(m.Counter(), [('inc',), ('get',)]),
        'lock': Spec(m.Semaphore(1, True), [('lock',), ('unlock',), ('trylock',)]),
        'lock-tags': Spec(m.Semaphore(1, True), [('lock', v), ('unlock',), ('trylock', v), ('lock',)]),
        'semaphore(2)': Spec(m.Semaphore(2), [('acquire',), ('release',), ('tryacquire',)]),
        'semaphore-tags': Spec(m.Semaphore(2), [('acquire', v), ('release',), ('tryacquire', v), ('acquire',)]),
        'rwlock': Spec(m.Rwlock(), [('rdlock',), ('rdunlock',), ('wrlock',), ('wrunlock',), ('tryrdlock',), ('trywrlock',)]),
        'counting-semaphore(1)': Spec(m.Csem(1), [('wait',), ('post',), ('trywait',)]),
        'bank': Spec(m.Bank(2, 3), [('transfer', 'a', 'a', 'u'), ('balance', 'a')]),
    }


# may the recorded result be left out?
NORESULT_OK = {'set': ('add', 'remove'), 'map': ('put', 'remove'), 'map-size': ('put', 'remove'),
               'multiset': ('remove',), 'counter': ('inc', 'dec', 'add', 'fetch-add'), 'counter-up': ('inc',),
               'bank': ('transfer',), 'lock': ('unlock',), 'lock-tags': ('unlock',), 'semaphore-tags': ('unlock', 'release'),
               'semaphore(2)': ('release',)}
ALWAYS_NONE = {'register': ('write',), 'cas-register': ('write',), 'memory': ('write', 'rmw'),
               'lock': ('lock', 'unlock'), 'semaphore(2)': ('acquire', 'release'), 'lock-tags': ('lock',),
               'semaphore-tags': ('acquire',), 'rwlock': ('rdlock', 'wrlock', 'rdunlock', 'wrunlock'),
               'counting-semaphore(1)': ('wait', 'post')}


class Gen:
    def __init__(self, rng, specname, ids=3, ops=8, die=0.15, wrong=0.08, pool=None, distinct=None, reuse=0.5,
                 omit=None, mode='dead', keys=None, okrate=0.1, late=0.15, init=None):
        self.init = init
        self.r, self.name, self.spec = rng, specname, specs()[specname]
        self.ids, self.ops, self.die, self.wrong, self.mode = ids, ops, die, wrong, mode
        self.pool = POOLS[pool or rng.choice(list(POOLS))]
        self.distinct = distinct if distinct is not None else rng.random() < .5
        self.omit = omit if omit is not None else rng.choice([0, 0, .3, 1])
        self.reuse, self.okrate, self.late = reuse, okrate, late
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
        if right in (M.T, M.F):
            return 'false' if right == M.T else 'true'
        if right == M.OK and name == 'bank':
            return 'refused'
        if right in (M.OK, M.FULL):
            return 'ok' if right == M.FULL else 'full'
        if right == ('w', 'refused') :
            return 'ok'
        if right is None or right == () :
            return None
        if right[0] == 'l':
            return None if 0 else '[%d %d]' % (r.randrange(5), r.randrange(5))
        if name.startswith('counter') or m in ('count', 'size', 'balance'):
            return str(max(right[1] + r.choice([-1, 1, 2, -2]), 0 if m != 'get' and not name.startswith('counter') else -99))
        if name.startswith('append'):
            return r.choice(['""', '"a"', '"ab"', '"b"', spell(('s', right[1][::-1])), spell(('s', right[1] + 'a'))])
        pool = self.used + self.pool if not name.startswith('pqueue') else self.used + ['1', '2', '3']
        c = r.choice(pool + ['77'])
        if name in ('map', 'map-size') and r.random() < .4:
            return 'null'
        if name.split('(')[0] in ('queue', 'stack', 'deque', 'pqueue') and r.random() < .3:
            return 'empty'
        return c

    def events(self):
        r, mod = self.r, self.spec.model
        st = mod.init if self.init is None else self.init
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
                if m in mod.always or m in ALWAYS_NONE.get(self.name, ()):
                    tok = r.choice(['ok', 'true']) if r.random() < self.okrate and m in mod.always else None
                    if m in ('unlock', 'release') and 'tags' in self.name:
                        tok = None
                else:
                    tok = spell(res) if res not in (None, ()) else None
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
        out = self.spec.model.apply(st, o[0], tuple(M.canon(t) for t in o[1]))
        if not out:
            if self.r.random() < self.wrong * .3:        # a lock that is given twice
                o[2], o[3] = True, None
            return st
        st, o[3] = self.r.choice(out)
        o[2] = True
        return st


def text(events, obj=None, headers=(), name=None, dialect='paren'):
    out = ['# @' + h for h in ((['object ' + obj] if obj else []) + list(headers))]
    for e in events:
        nm = ''
        if e[0] == 'call':
            if len(e) > 4 and e[4]:
                nm = e[4] + '.'
            out.append('[%s] call %s%s%s' % (e[1], nm, e[2], '(%s)' % ', '.join(e[3]) if e[3] else ''))
        elif e[0] == 'ret':
            out.append('[%s] return%s' % (e[1], '' if e[2] is None else ' ' + e[2]))
        else:
            out.append('[%s] return ?' % e[1])
    return '\n'.join(out) + '\n'
