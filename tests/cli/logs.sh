#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Recorded logs of other tools, in tests/data, are read as they are: their format is recognised, by name and
# by content, and as many operations are found as the log has, completed and pending. Warnings about events that have no
# place in a history are not printed: golden cases have them.
set -u
assay=$(realpath "${1:?which assay}")
cd "$(dirname "$0")/../data" || exit 2
faults=0

# expect FILE OBJECT COMPLETED PENDING [FORMAT]
expect() {
    local way found format=("${@:5}")
    for way in name content; do
        if [ $way = name ]; then
            found=$("$assay" convert "${format[@]/#/-f}" -t hist "$1" 2>/dev/null)
        else
            found=$("$assay" convert "${format[@]/#/-f}" -t hist - <"$1" 2>/dev/null)
        fi
        found="$(sed -n 's/^# @object //p' <<<"$found") $(grep -c '\.\.[0-9]' <<<"$found") $(grep -c '=> ?' <<<"$found")"
        if [ "$found" != "$2 $3 $4" ]; then
            echo "$1, by $way: expected $2 $3 $4, found $found"
            faults=$((faults + 1))
        fi
    done
}

expect etcd-linearizable.log cas-register 58 19
expect etcd-not-linearizable.log cas-register 69 16
expect cas-register-linearizable.edn cas-register 231 0
expect cas-register-not-linearizable.edn cas-register 204 1
expect append-map-linearizable.txt append-map 58 0
expect append-map-not-linearizable.txt append-map 38 0
expect gem5-rubytest.log memory 4 0
expect gem5-rubytest.log memory 4 29 gem5-rubytest:certain
expect elle-paper-example.edn multi-register 4 0

echo "logs: 9 files, $faults faults"
[ $faults -eq 0 ]
