/* SPDX-License-Identifier: Apache-2.0 */
/* Files about memories, and about transactions. */
#include "cross/last_line/draw.h"

#include <stdlib.h>

static void memory_op(void)
{
    switch (any(5)) {
    case 0:
    case 1: put("write(%s, %s)%s", variable(), value(), any(5) ? "" : " => ?"); break;
    case 2: put("rmw(%s, %s, %s)", variable(), value(), value()); break;
    default: put("read(%s) => %s", variable(), value());
    }
}

const char *hist_memory(void)
{
    bool open[THREADS] = {false};
    if (!any(4))
        put("# @final x=%s\n", value());
    for (uint32_t i = 0, n = 2 + any(MOST_OPS); i < n; i++) {
        uint32_t t = any(THREADS);
        if (open[t])
            continue;
        put("%s: ", threads[t]);
        memory_op();
        open[t] = text[length - 1] == '?';
        put("\n");
    }
    return "hist";
}

const char *hist_events_memory(void)
{
    bool open[THREADS] = {false}, reads[THREADS] = {false}, bare = any(2);
    put("# @object memory\n# @ids thread\n");
    for (uint32_t i = 0, n = 3 + any(12); i < n; i++) {
        uint32_t t = any(THREADS);
        if (open[t])
            put("[%s] return%s%s\n", threads[t], reads[t] ? " " : "", reads[t] ? value() : "");
        else if ((reads[t] = any(2)))
            put(bare ? "[%s] call read %s\n" : "[%s] call read(%s)\n", threads[t], variable());
        else
            put(bare ? "[%s] call write %s %s\n" : "[%s] call write(%s, %s)\n", threads[t], variable(), value());
        open[t] = !open[t];
    }
    return "hist";
}

const char *axe(void)
{
    bool timed = !any(4);
    int clock[THREADS] = {0};
    for (uint32_t i = 0, n = 2 + any(MOST_OPS); i < n; i++) {
        uint32_t t = any(THREADS);
        const char *at = ONE_OF("5", "51");
        put("%u: ", (unsigned)(t == 2 ? 12 : t));
        switch (any(5)) {
        case 0:
        case 1: put("M[%s] := %s", at, natural()); break;
        case 2: put("{ M[%s] == %s; M[%s] := %s }", at, natural(), at, natural()); break;
        default: put("M[%s] == %s", at, natural());
        }
        if (timed) {
            int call = clock[t] + (int)any(9);
            put(" @ %d:%d", call, clock[t] = call + (int)any(20));
        }
        put("\n");
    }
    if (!any(3))
        put("final M[5] == %s\n", natural());
    return "axe";
}

/* A check has one open request; a processor may have several. */
const char *gem5(void)
{
    struct {
        unsigned processor, count, value;
        bool writes, open;
    } c[2] = {{0}};
    int time = 0;
    for (uint32_t i = 0, n = 3 + any(8); i < n; i++) {
        uint32_t k = any(2);
        unsigned address = k ? 0x450 : 0x43c;
        time += (int)any(12);
        if (!c[k].open) {
            c[k].writes = any(2);
            c[k].processor = any(2);
            c[k].value = (unsigned)atoi(natural());
            if (c[k].writes) {
                put("%d: global: [0x%x, value: 1, status: Idle, initiating node: 0, store_count: %u]\n", time, address,
                    c[k].count = any(2));
                put("%d: global: Seq write: index %u data 0x%x check 0x98 address 0x%x\n", time, c[k].processor,
                    c[k].value, address);
                put("%d: global: initiating action - successful\n", time);
            } else {
                put("%d: global: [0x%x, value: 1, status: Idle, initiating node: 0, store_count: 0]\n", time, address);
                put("%d: global: Seq read: index %u address 0x%x\n", time, c[k].processor, address);
                put("%d: global: initiating check - successful\n", time);
            }
            c[k].open = true;
        } else {
            put("%d: system.cpu: completed request for proc: %u addr: 0x%x, size: %u, data: %s", time, c[k].processor,
                address, c[k].writes ? 1 : 2, natural());
            put(c[k].writes ? "\n" : " %s\n", natural());
            c[k].open = false;
        }
    }
    return "gem5-rubytest";
}

const char *litmus(void)
{
    put("X86 any\n{ x=0; y=0; }\n P0 | P1 ;\n MOV [x],$%s | MOV [y],$%s ;\n MOV EAX,[y] | MOV EAX,[x] ;\nexists ",
        ONE_OF("1", "12", "2"), ONE_OF("1", "12", "2"));
    bool bracket = any(2);
    put("%s0:EAX=%s /\\ %s=%s%s\n", bracket ? "(" : "", ONE_OF("0", "1", "12"), ONE_OF("1:EAX", "x", "y"),
        ONE_OF("0", "1", "12", "121"), bracket ? ")" : "");
    return "litmus";
}

/* ---- transactions ---- */

static void put_access(bool line)
{
    switch (any(3)) {
    case 0: put(line ? "w %s %s" : "write(%s, %s)", variable(), value()); break;
    default: put(line ? "r %s %s" : "read(%s) => %s", variable(), value());
    }
}

const char *transactions(void)
{
    int clock[THREADS] = {0};
    bool timed = any(2), blocks = any(2);
    for (uint32_t i = 0, n = 2 + any(4); i < n; i++) {
        uint32_t t = any(THREADS), accesses = 1 + any(3);
        if (!blocks)
            put("%s: txn(", threads[t]);
        for (uint32_t k = 0; blocks && k < accesses + 2; k++) {
            put("%s: ", threads[t]);
            if (k == 0)
                put("begin()");
            else if (k == accesses + 1)
                put("%s", ONE_OF("commit()", "commit", "abort()", "commit()"));
            else
                put_access(false);
            int call = clock[t] + (int)any(3);
            if (timed)
                put(" @ %d..%d", call, clock[t] = call + 1 + (int)any(9));
            put("\n");
            if (i == n - 1 && !any(3))
                break; /* the file may end in the block */
        }
        for (uint32_t k = 0; !blocks && k < accesses; k++) {
            put("%s", k ? ", " : "");
            put_access(true);
        }
        if (!blocks) {
            int call = clock[t] + (int)any(9);
            put(")%s", ONE_OF("", "", "", " => abort", timed ? "" : " => ?"));
            if (timed)
                put(" @ %d..%d", call, clock[t] = call + 1 + (int)any(30));
            put("\n");
        }
    }
    return "hist";
}
