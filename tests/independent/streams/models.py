# SPDX-License-Identifier: Apache-2.0
"""Sequential objects, straight from definitions-objects.md / docs/reference/objects.md.

apply(state, method, args) -> list of (new state, result); result is a canonical value, or NONE where a call has none.
A blocked call gives []. Values are canonical: ('i', n), ('w', word), ('s', string)."""
import json
NONE = None
T, F, EMPTY, NULL, OK, FULL = (('w', x) for x in ('true', 'false', 'empty', 'null', 'ok', 'full'))


def canon(tok):
    if tok is None:
        return None
    if tok.startswith('"'):
        return ('s', json.loads(tok))
    if tok.startswith('['):
        return ('l', tuple(canon(t) for t in tok[1:-1].replace(',', ' ').split()))
    t = tok[1:] if tok.startswith('-') else tok
    if t.isdigit():
        return ('i', int(tok))
    if t[:2] == '0x':
        return ('i', int(tok, 16))
    return ('w', tok)


def I(n):
    return ('i', n)


def B(b):
    return T if b else F


class Model:
    name = None
    init = ()
    always = ()          # methods that may return ok / true

    def header(self):
        return self.name

    def parse(self, m):
        return self.alias.get(m, m)
    alias = {}

    def match(self, method, recorded, result):
        if recorded is None:
            return True
        if method in self.always:
            return recorded in (OK, T)
        if recorded == ('w', 'nil') and result == NULL:
            return True
        return recorded == result


class Register(Model):
    name = 'register'
    init = I(0)

    def apply(s, st, m, a):
        if m == 'write':
            return [(a[0], NONE)]
        return [(st, st)]


class Cas(Register):
    name = 'cas-register'

    def apply(s, st, m, a):
        if m == 'cas':
            return [(a[1], T)] if st == a[0] else [(st, F)]
        return Register.apply(s, st, m, a)


class Keyed(Model):
    default = None

    def get(s, st, k):
        for x, v in st:
            if x == k:
                return v
        return s.default

    def put(s, st, k, v):
        d = dict(st)
        if v == s.default:
            d.pop(k, None)
        else:
            d[k] = v
        return tuple(sorted(d.items()))


class Memory(Keyed):
    name = 'memory'
    default = I(0)

    def apply(s, st, m, a):
        if m == 'write':
            return [(s.put(st, a[0], a[1]), NONE)]
        if m == 'read':
            return [(st, s.get(st, a[0]))]
        if m == 'rmw':
            return [(s.put(st, a[0], a[2]), NONE)] if s.get(st, a[0]) == a[1] else []
        return [(st, NONE)]


class Map(Keyed):
    name = 'map'

    def apply(s, st, m, a):
        if m == 'size':
            return [(st, I(len(st)))]
        if m == 'contains':
            return [(st, B(any(v == a[0] for _, v in st)))]
        old = s.get(st, a[0])
        r = NULL if old is None else old
        if m == 'put':
            return [(s.put(st, a[0], a[1]), r)]
        if m == 'get':
            return [(st, r)]
        if m == 'remove':
            return [(s.put(st, a[0], None), r)]
        return [(st, B(old is not None))]       # contains-key


class AppendMap(Keyed):
    name = 'append-map'
    default = ('s', '')
    always = ('put', 'append')

    def apply(s, st, m, a):
        old = s.get(st, a[0])
        if m == 'get':
            return [(st, old)]
        t = a[1][1]
        return [(s.put(st, a[0], ('s', t if m == 'put' else old[1] + t)), NONE)]


class Queue(Model):
    name = 'queue'
    always = ('enq',)

    def apply(s, st, m, a):
        if m == 'enq':
            return [(st + (a[0],), NONE)]
        if not st:
            return [(st, EMPTY)]
        return [(st[1:] if m == 'deq' else st, st[0])]


class Bounded(Queue):
    always = ()

    def __init__(s, n):
        s.n = n
        s.name = 'queue(%d)' % n

    def apply(s, st, m, a):
        if m == 'enq':
            return [(st + (a[0],), OK)] if len(st) < s.n else [(st, FULL)]
        return Queue.apply(s, st, m, a)

    def match(s, m, rec, res):
        if m == 'enq' and rec is not None:
            return {T: OK, F: FULL}.get(rec, rec) == res
        if m == 'enq':
            return res == OK        # "A put that waits for room returns ok" / no result counts as a success? see notes
        return Model.match(s, m, rec, res)


class Stack(Model):
    name = 'stack'
    always = ('push',)

    def apply(s, st, m, a):
        if m == 'push':
            return [(st + (a[0],), NONE)]
        if not st:
            return [(st, EMPTY)]
        return [(st[:-1] if m == 'pop' else st, st[-1])]


class Deque(Model):
    name = 'deque'
    always = ('push-front', 'push-back')

    def apply(s, st, m, a):
        if m == 'push-front':
            return [((a[0],) + st, NONE)]
        if m == 'push-back':
            return [(st + (a[0],), NONE)]
        if not st:
            return [(st, EMPTY)]
        return [{'pop-front': (st[1:], st[0]), 'pop-back': (st[:-1], st[-1]),
                 'peek-front': (st, st[0]), 'peek-back': (st, st[-1])}[m]]


class Pqueue(Model):
    name = 'pqueue'
    always = ('add',)

    def __init__(s, least=False):
        s.least = least
        s.name = 'pqueue(min)' if least else 'pqueue'

    def apply(s, st, m, a):
        if m == 'add':
            return [(tuple(sorted(st + (a[0],))), NONE)]
        if not st:
            return [(st, EMPTY)]
        i = 0 if s.least else len(st) - 1
        return [(st[:i] + st[i + 1:] if m == 'rem' else st, st[i])]


class Set(Model):
    name = 'set'
    init = frozenset()

    def apply(s, st, m, a):
        isin = a[0] in st
        if m == 'add':
            return [(st | {a[0]}, B(not isin))]
        if m == 'remove':
            return [(st - {a[0]}, B(isin))]
        return [(st, B(isin))]


class Multiset(Model):
    name = 'multiset'
    always = ('add',)

    def apply(s, st, m, a):
        n = st.count(a[0])
        if m == 'add':
            return [(tuple(sorted(st + (a[0],))), NONE)]
        if m == 'remove':
            if not n:
                return [(st, F)]
            i = st.index(a[0])
            return [(st[:i] + st[i + 1:], T)]
        return [(st, I(n) if m == 'count' else B(n > 0))]


class Counter(Model):
    name = 'counter'
    init = 0

    def apply(s, st, m, a):
        d = {'inc': 1, 'dec': -1, 'get': 0}.get(m)
        if d is None:
            d = a[0][1]
        n = st + d
        if not -2**63 <= n < 2**63:
            return []
        return [(n, I(st if m == 'fetch-add' else n))]


class Semaphore(Model):
    """n holders; tags. state: sorted tuple of tags ((), the empty tuple, is a holder without a tag)"""
    def __init__(s, n, lock=False):
        s.n = n
        s.name = 'lock' if lock else 'semaphore(%d)' % n
        s.take, s.give, s.attempt = ('lock', 'unlock', 'trylock') if lock else ('acquire', 'release', 'tryacquire')

    def apply(s, st, m, a):
        tag = a[0] if a else ()
        if m == s.give:
            out = []
            for i in range(len(st)):
                if i == 0 or st[i] != st[i - 1]:
                    out.append((st[:i] + st[i + 1:], st[i]))
            return out
        if len(st) < s.n:
            return [(tuple(sorted(st + (tag,))), T)]
        return [(st, F)] if m == s.attempt else []


class Rwlock(Model):
    name = 'rwlock'
    init = 0            # -1: a writer; n: readers

    def apply(s, st, m, a):
        if m in ('rdlock', 'tryrdlock'):
            return [(st + 1, T)] if st >= 0 else ([(st, F)] if m[0] == 't' else [])
        if m in ('wrlock', 'trywrlock'):
            return [(-1, T)] if st == 0 else ([(st, F)] if m[0] == 't' else [])
        if m == 'rdunlock':
            return [(st - 1, NONE)] if st > 0 else []
        return [(0, NONE)] if st == -1 else []


class Csem(Model):

    def __init__(s, n):
        s.name = 'counting-semaphore(%d)' % n
        s.init = n

    def apply(s, st, m, a):
        if m == 'post':
            return [(st + 1, NONE)]
        if st > 0:
            return [(st - 1, T)]
        return [(st, F)] if m == 'trywait' else []


class Bank(Model):
    def __init__(s, k, n):
        s.name = 'bank(%d,%d)' % (k, n)
        s.init = (n,) * k

    def apply(s, st, m, a):
        if m == 'balance':
            return [(st, I(st[a[0][1]]))]
        if m == 'balances':
            return [(st, ('l', tuple(I(x) for x in st)))]
        f, t, n = (x[1] for x in a)
        if st[f] < n:
            return [(st, ('w', 'refused'))]
        l = list(st)
        l[f] -= n
        l[t] += n
        return [(tuple(l), OK)]

    def match(s, m, rec, res):
        if m == 'transfer' and rec is None:
            return True
        return Model.match(s, m, rec, res)
