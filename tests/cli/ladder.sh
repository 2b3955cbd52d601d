#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Who may include whom. A file sees its own folder and the folders below it on the ladder
#
#   base, history, order, solver, {format spec model theory online engine evidence report}, src/*.c, src/monitor, collect, cli, bench
#
# Families stand beside each other: one sees only what another opens, its family header (model/model.h) first. Evidence must
# not lean on the engines whose verdicts it proves. The program and its benchmarks see only public headers
# (and collect/collect.h); the benchmarks use the way that the program speaks, too.
set -u
cd "${ASSAY_ROOT:-$(dirname "$0")/../..}" || exit 2

breaches=$(grep -rnE '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' --include='*.[ch]' src cli collect bench 2>/dev/null |
    awk -F: '
    BEGIN {
        n = split("base history order solver", low, " ")
        for (i = 1; i <= n; i++) level[low[i]] = i
        m = split("format spec model theory online engine evidence report", families, " ")
        for (i = 1; i <= m; i++) level[families[i]] = 5
        TOP = 6 # the files of src/ itself
        level["monitor"] = 7
        for (i = 1; i <= m; i++) open[families[i] "/" families[i] ".h"] = 1
        open["spec/calls.h"] = open["spec/roles.h"] = 1 # histories as calls of objects, for engines
        open["spec/configurations.h"] = 1 # all linearizations at once, for engines and online checkers
        open["spec/visited.h"] = open["spec/states.h"] = 1 # where a search has been: for engines; for recheck
        open["model/axioms.h"] = 1 # what weak models demand, for engines and evidence
    }
    function breach(why) { print $1 ":" $2 ": " why }
    {
        file = $1
        header = $0
        sub(/^[^"]*"/, "", header)
        sub(/".*/, "", header)
        parts = split(file, path, "/")
        to = header
        family = sub(/\/.*/, "", to) ? to : ""
        public = header == "assay.h" || header == "assay_record.h" || header == "assay_adapter.h"
        if (public)
            next
        if (header ~ /\.\./) {
            breach("\"" header "\": includes are named from src/, without ..")
        } else if (path[1] == "cli" || path[1] == "bench") {
            below = path[1] == "bench" && family == "cli"
            if (family != "" && header != "collect/collect.h" && family != path[1] && !below)
                breach(path[1] " includes \"" header "\", which is not public")
        } else if (path[1] == "collect") {
            if (family == "cli" || family == "bench")
                breach("collect includes \"" header "\", which is above it")
        } else {
            from = parts == 2 ? "" : path[2]
            mine = from == "" ? TOP : level[from]
            if (!mine)
                breach("the folder src/" from " has no place on the ladder")
            else if (family == "" && from != "")
                breach("\"" header "\": includes are named from src/, as in \"" from "/" header "\"")
            else if (family == from)
                next
            else if (family != "" && !level[family])
                breach("\"" header "\" has no place on the ladder")
            else if (level[family] > mine)
                breach("src/" from " includes \"" header "\", which is above it")
            else if (level[family] == mine && !(header in open))
                breach("\"" header "\" is a member of another family; only " family "/" family ".h is open")
            else if (from == "evidence" && family == "engine")
                breach("evidence must not know the engines")
        }
    }')

if [ -n "$breaches" ]; then
    echo "$breaches"
    echo "ladder: $(wc -l <<<"$breaches") includes breach the dependency ladder (ARCHITECTURE.md)"
    exit 1
fi
echo "ladder: every include keeps to it"
