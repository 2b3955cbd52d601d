/* SPDX-License-Identifier: Apache-2.0 */
/* Formats. Examples are files of the format. */
#include "lexicon/lexicon.h"

#define READ .read = "docs/guides/formats.md"

const struct entry lexicon_formats[] = {
    {.name = "hist",
     .text = "An operation or an event a line, made to be read and written by people. It holds everything that a "
             "history can have.",
     .context = "Your own logs, and what `assay convert -t hist` makes of the other formats.",
     .example = "# @object queue\n"
                "a: enq(1) @ 1..2\n"
                "b: deq() => 1 @ 3..4\n",
     .model = "lin",
     READ},
    {.name = "jsonl",
     .text = "An operation or an event as a JSON object a line, or an array of them.",
     .context = "Logs that a program writes.",
     .example = "{\"thread\":\"a\",\"method\":\"enq\",\"args\":[1],\"call\":1,\"return\":2}\n"
                "{\"thread\":\"b\",\"method\":\"deq\",\"result\":1,\"call\":3,\"return\":4}\n",
     .model = "lin",
     READ},
    {.name = "csv",
     .text = "A table with one operation a row; the heads of the columns say what they hold.",
     .context = "Spreadsheets, exports of databases.",
     .example = "thread,method,args,result,call,return\n"
                "a,enq,1,,1,2\n"
                "b,deq,,1,3,4\n",
     .model = "lin",
     READ},
    {.name = "edn",
     .text = "Invocations and completions as Clojure's maps: registers, sets, queues, banks, and transactions as Elle "
             "has them.",
     .context = "`history.edn` in the store of a Jepsen test; a directory of a test is one history.",
     .example = "{:process 0, :type :invoke, :f :write, :value 1}\n"
                "{:process 0, :type :ok, :f :write, :value 1}\n"
                "{:process 1, :type :invoke, :f :read, :value nil}\n"
                "{:process 1, :type :ok, :f :read, :value 1}\n",
     .model = "lin",
     READ},
    {.name = "jepsen-log",
     .text = "The lines that Jepsen prints while a test runs.",
     .context = "`jepsen.log`, and the logs that come with Knossos and Porcupine.",
     .example = "INFO  jepsen.util - 0\t:invoke\t:write\t1\n"
                "INFO  jepsen.util - 0\t:ok\t:write\t1\n"
                "INFO  jepsen.util - 1\t:invoke\t:read\tnil\n"
                "INFO  jepsen.util - 1\t:ok\t:read\t1\n",
     .model = "lin",
     READ},
    {.name = "jepsen-txt",
     .text = "The same as history.edn, as a table.",
     .context = "`history.txt` in the store of a Jepsen test.",
     .example = "0\t:invoke\t:write\t1\n"
                "0\t:ok\t:write\t1\n"
                "1\t:invoke\t:read\tnil\n"
                "1\t:ok\t:read\t1\n",
     .model = "lin",
     READ},
    {.name = "kv-log",
     .text = "Calls of get, put and append with keys, as maps.",
     .context = "The logs that come with Porcupine for key-value services.",
     .example = "{:process 0, :type :invoke, :f :append, :key 1, :value \"x\"}\n"
                "{:process 0, :type :ok, :f :append, :key 1, :value \"x\"}\n"
                "{:process 1, :type :invoke, :f :get, :key 1, :value nil}\n"
                "{:process 1, :type :ok, :f :get, :key 1, :value \"x\"}\n",
     .model = "lin",
     READ},
    {.name = "set-log",
     .text = "Sentences: who invokes what, and what it returns.",
     .context = "Logs of a set of integers, from measurements of set implementations.",
     .example = "1 invokes add 5\n"
                "1 returns true\n"
                "2 invokes contains 5\n"
                "2 returns true\n",
     .model = "lin",
     READ},
    {.name = "plume",
     .text = "An access a line: operation, key, value, session and transaction; transaction -1 is aborted.",
     .context = "The checkers Plume and PolySI.",
     .example = "w(7,1,0,0)\n"
                "w(8,1,0,0)\n"
                "r(8,1,1,1)\n"
                "r(7,0,1,1)\n",
     .model = "rc",
     .pattern = "NonMonotonicRead",
     READ},
    {.name = "dbcop",
     .text = "Sessions of transactions in Rust's bincode, or as JSON.",
     .context = "The checker dbcop and the tools that took over its format.",
     .example = "[[{\"events\":[{\"Write\":{\"variable\":0,\"version\":1}}],\"committed\":true}]]\n",
     .model = "ser",
     READ},
    {.name = "cobra",
     .text = "One binary log per session; a directory of them is one history.",
     .context = "The checker Cobra and the histories that come with it.",
     READ},
    {.name = "gem5-rubytest",
     .text = "The trace of the random tester of gem5's memory system.",
     .context = "gem5 with `--debug-flags=RubyTest`.",
     .example = "      1: global: [0x3e8, value: 49, status: Idle, initiating node: 3, store_count: 0]\n"
                "      1: global: Seq read: index 1 address 0x3e8\n"
                "      1: global: initiating check - successful\n"
                "      9: system.cpu: completed request for proc: 1 addr: 0x3e8, size: 1, data: 0\n",
     .model = "sc",
     .read = "docs/guides/memories.md, docs/guides/formats.md"},
    {.name = "litmus",
     .text = "A litmus test for X86. The history is the outcome that its condition names: the model allows it or not.",
     .context = "herd7 and litmus7.",
     .example = "X86 SB\n"
                "{ x=0; y=0; }\n"
                " P0          | P1          ;\n"
                " MOV [x],$1  | MOV [y],$1  ;\n"
                " MOV EAX,[y] | MOV EAX,[x] ;\n"
                "exists (0:EAX=0 /\\ 1:EAX=0)\n",
     .model = "sc",
     .pattern = "ForcedCycle",
     .read = "docs/guides/memories.md, docs/guides/formats.md"},
    {.name = "axe",
     .text = "Loads, stores, atomics and fences of a memory, an operation a line.",
     .context = "The checker Axe, and the processors and caches that are tested with it.",
     .example = "0: M[0] := 1\n"
                "0: M[1] == 0\n"
                "1: M[1] := 1\n"
                "1: M[0] == 0\n",
     .model = "sc",
     .pattern = "ForcedCycle",
     .read = "docs/guides/memories.md, docs/guides/formats.md"},
    {.name = "datalog",
     .text = "The history as facts and the model as rules. It is written only.",
     .context = "`assay convert -t datalog`, to ask clingo yourself.",
     READ},
    {0}};
