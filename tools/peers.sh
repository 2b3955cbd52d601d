#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Assay beside its peers, on the same histories: peers.sh ASSAY ASSAY-BENCH FOLDER (`make bench-peers`)
#
# bench/peers.tsv has what the peers and Assay took in the same minutes, as recorded once: CPU seconds (user and system,
# the better of two runs) and megabytes. Each row has the command that makes its history; its first word is the model. Here Assay checks these
# histories: CPU seconds of the whole process, reading included, the least of 3 runs, and its peak memory.
# Results: FOLDER/benchmarks/peers.tsv, both side by side, and a plot of each family in FOLDER/plots/.
set -eu
assay=$(realpath "${1:?which assay}") bench=$(realpath "${2:?which assay-bench}") folder=$(realpath "${3:?which folder}")
recorded=$(realpath "$(dirname "$0")/../bench/peers.tsv")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
table=$scratch/peers.tsv
export LC_ALL=C

# CPU seconds and megabytes of a command, the least of 3 runs.
measure() {
    python3 -S -c '
import os, sys
best, peak = None, None
for _ in range(3):
    child = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ,
                           file_actions=[(os.POSIX_SPAWN_OPEN, 1, "/dev/null", os.O_WRONLY, 0)])
    _, status, used = os.wait4(child, 0)
    if status:
        sys.exit("%s: status %d" % (" ".join(sys.argv[1:]), os.waitstatus_to_exitcode(status)))
    seconds = used.ru_utime + used.ru_stime
    best = seconds if best is None else min(best, seconds)
    peak = used.ru_maxrss if peak is None else min(peak, used.ru_maxrss)
print("%.3f\t%.0f" % (best, peak / 1024))' "$@"
}

printf 'history\tpeer\tpeer_cpu_s\tpeer_mb\tassay_then_cpu_s\tassay_then_mb\tassay_cpu_s\tassay_mb\tmade_by\n' >"$table"
made=""
while IFS=$'\t' read -r work peer seconds megabytes earlier earlier_megabytes gen <&3; do
    if [ "$gen" != "$made" ]; then
        # shellcheck disable=SC2086 # words
        "$assay" gen $gen >"$scratch/history.hist"
        made=$gen
    fi
    ours=$(measure "$assay" check -q -m "${work%% *}" "$scratch/history.hist")
    printf '%s\t%s\t%s\t%s\t%s\t%s\t%s\tassay gen %s\n' "$work" "$peer" "$seconds" "$megabytes" "$earlier" \
        "$earlier_megabytes" "$ours" "$gen" | tee -a "$table"
done 3< <(tail -n +2 "$recorded")

# chart FILE TITLE X PATTERN: the rows that match, over the number behind X=; a line for each model, or object of lin.
chart() {
    {
        printf 'title\t%s\nx\t%s\tlog\ny\tCPU seconds\tlog\n' "$2" "$3"
        awk -F'\t' -v x="$5" -v pattern="$4" '
        $1 ~ pattern {
            name = $1
            sub(/^lin /, "", name)
            sub(/ .*/, "", name)
            at = $1
            sub(".*" x "=", "", at)
            sub(/ .*/, "", at)
            if (!(name in theirs)) order[++n] = name
            peer = $2
            theirs[name] = theirs[name] at "\t" $3 "\n"
            ours[name] = ours[name] at "\t" ($7 > 0 ? $7 : 0.001) "\n"
        }
        END {
            names["fastlin"] = "fastlin"; names["axe"] = "Axe"; names["awdit"] = "AWDIT"; names["veristrong"] = "VeriStrong"
            for (i = 1; i <= n; i++) printf "series\t%s: %s\n%s", names[peer], order[i], theirs[order[i]]
            for (i = 1; i <= n; i++) printf "series\tAssay: %s\n%s", order[i], ours[order[i]]
        }' "$table"
    } >"$scratch/plots/$1.tsv"
}
mkdir "$scratch/plots"
chart peers-lin 'Linearizability: fastlin and Assay, 16 threads' operations '^lin ' n
chart peers-memory 'Memories: Axe and Assay, 16 threads' operations '^(sc|tso) .*k=16$' n
chart peers-weak 'Weak levels of isolation: AWDIT and Assay, 10 sessions' accesses '^(rc|ra|tcc) .*sessions=10$' accesses
chart peers-strong 'Strong levels of isolation: VeriStrong and Assay, 25 sessions' transactions '^(ser|si) ' transactions
"$bench" replot "$scratch/plots"
mkdir -p "$folder/plots" "$folder/benchmarks"
cp "$scratch"/plots/* "$folder/plots/"
cp "$table" "$folder/benchmarks/peers.tsv"
