#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Files are written whole or not at all: what was there stays when writing fails, an interrupted run leaves its complete records
# in FILE.part, links and modes are kept, nothing is left beside the file, and no two outputs share a name.
set -u
export LC_ALL=C
. "$(dirname "$0")/../support/scratch.sh"
tried=0

# wants STATUS ARGUMENTS...
wants() {
    local status=$1
    shift
    tried=$((tried + 1))
    "$assay" "$@" >out 2>err
    local got=$?
    [ $got -eq "$status" ] || fault "status $got, not $status: $* ($(head -1 err))"
}

clean() { # FILES...: nothing else is in this folder
    local left
    left=$(find work -mindepth 1 | sort | paste -sd ' ')
    [ "$left" = "$*" ] || fault "left behind: $left instead of $*"
}

printf 't0: write(x, 1)\nt1: read(x) => 2\n' >run.hist
for i in 1 2 3; do cat run.hist; echo ---; done | sed '$d' >three.hist

# Every command that writes, with the argument that names the file last; X stands for it.
commands=(
    'check -m cc --evidence X run.hist'
    'check -m cc --html X run.hist'
    'check -m cc --dot X run.hist'
    'check -m cc --svg X run.hist'
    'check -m cc --tikz X run.hist'
    'convert -t jsonl three.hist X'
    'gen memory --operations 2000 --out X'
)
case_of() { printf '%s' "${commands[$1]//X/$2}"; }

# ThreadSanitizer writes to a file before main: the limit would end the program there.
limited=yes
grep -q __tsan_init "$assay" && limited= && echo "writing: left out files that may not grow: built with ThreadSanitizer"

# may_not_grow NUMBER: of work/made, which holds "old".
may_not_grow() {
    tried=$((tried + 1))
    # shellcheck disable=SC2046
    (ulimit -f 0; exec "$assay" $(case_of $1 work/made)) 2>&1 | cat >err
    [ "${PIPESTATUS[0]}" -eq 2 ] || fault "a file that cannot be written is not status 2: ${commands[$1]}"
    grep -q 'cannot write.*File too large' err || fault "no word of what went wrong: ${commands[$1]}"
    [ "$(cat work/made)" = old ] || fault "what was there is gone: ${commands[$1]}"
    clean work/made
}

for i in "${!commands[@]}"; do
    case ${commands[i]} in check*) good=1 ;; *) good=0 ;; esac
    rm -rf work && mkdir work
    # shellcheck disable=SC2046
    wants $good $(case_of $i work/made) && clean work/made
    [ "$(stat -c %a work/made)" = "$(printf '%o' $((0666 & ~0$(umask))))" ] || fault "mode of a new file: ${commands[i]}"
    cp work/made whole

    # A file that may not grow further: what was there stays, with its mode.
    echo old >work/made && chmod 640 work/made
    [ -z "$limited" ] || may_not_grow $i
    wants $good $(case_of $i work/made) && cmp -s work/made whole || fault "not written again: ${commands[i]}"
    [ "$(stat -c %a work/made)" = 640 ] || fault "the mode is not kept: ${commands[i]}"

    # Links are written through, also one that leads nowhere yet.
    rm -rf work && mkdir work work/sub
    ln -s sub/target work/link
    for round in new old; do
        wants $good $(case_of $i work/link)
        [ -L work/link ] && cmp -s work/sub/target whole || fault "a link is not written through ($round): ${commands[i]}"
    done
    clean work/link work/sub work/sub/target

    # Devices and pipes as they are.
    wants $good $(case_of $i /dev/null)
    [ -c /dev/null ] || fault "a device was replaced: ${commands[i]}"
    [ ! -c /dev/full ] || { wants 2 $(case_of $i /dev/full); grep -q 'cannot write' err || fault "/dev/full: ${commands[i]}"; }
    mkfifo work/pipe
    cat work/pipe >piped &
    wants $good $(case_of $i work/pipe)
    wait
    cmp -s piped whole || fault "a pipe got something else: ${commands[i]}"
    wants 2 $(case_of $i work/missing/made)
done

# Names are those of one file, or would become it.
rm -rf work && mkdir work
ln -s work here
ln -s made work/link
for other in work/made ./work/made here/made work/link; do
    wants 2 check -m cc --html work/made --dot $other run.hist
    wants 2 check -m cc --evidence work/made --html $other run.hist
    grep -q 'are the same file' err || fault "no word of two outputs of one name: $other"
done
clean work/link
wants 1 check -m cc --evidence work/a --html work/b --dot work/c run.hist
ln work/a work/d
wants 2 check -m cc --evidence work/a --dot work/d run.hist
wants 2 check -m cc --html - --dot - run.hist
wants 1 check -m cc --html /dev/null --dot /dev/null run.hist

# Interrupted: the complete records are in FILE.part, and what was there stays. The command never ends by itself: it reads a pipe
# whose other end stays open.
for _ in $(seq 4000); do cat three.hist; echo ---; done >many.hist
"$assay" convert -t jsonl many.hist whole.convert
"$assay" check -m cc --evidence whole.check many.hist >/dev/null
begun() { [ -s "$(echo work/.assay-*)" ]; } # something is written
interrupted() { # SIGNAL COMMAND...: writes work/made; two lines of many.hist are a history
    local signal=$1 pid got
    shift
    tried=$((tried + 1))
    rm -rf work && mkdir work && echo old >work/made
    rm -f in && mkfifo in
    env --default-signal=HUP "$assay" "$@" <in >out 2>err & # also under nohup
    pid=$!
    exec 9>in
    cat many.hist >&9 & # as much of it as is read
    await begun
    kill -"$signal" $pid
    wait $pid
    got=$?
    exec 9>&-
    wait
    [ $got -eq 3 ] || fault "interrupted, status $got: $*"
    [ "$(cat work/made)" = old ] || fault "interrupted, what was there is gone: $*"
    clean work/made work/made.part
    cmp -s -n "$(stat -c %s work/made.part)" work/made.part "whole.$1" || fault "interrupted, other records: $*"
    tail -c 1 work/made.part | cmp -s - <(echo) || fault "interrupted, half a record: $*"
    grep -q 'what is complete of it is in work/made.part' err || fault "interrupted, without a word of it: $*"
}
for signal in INT TERM HUP; do
    interrupted $signal convert -t jsonl - work/made
    "$assay" check -m cc work/made.part >out 2>err
    [ $? -eq 1 ] || fault "half a history is in work/made.part"
    interrupted $signal check -m cc --evidence work/made -
    wants 0 recheck many.hist work/made.part
done

# Killed: a stranger's name stays beside it, but the file is whole, the old one.
rm -rf work && mkdir work && echo old >work/made
rm -f in && mkfifo in
"$assay" convert -t jsonl - work/made <in >out 2>err &
pid=$!
exec 9>in
cat many.hist >&9 &
await begun
kill -9 $pid
wait $pid 2>/dev/null
exec 9>&-
wait
[ "$(cat work/made)" = old ] || fault "killed, what was there is gone"

# stress: each file of a program is whole; when it is killed, there is none that is not.
rm -rf work && mkdir work
wants 0 stress queue:mutex --runs 300 --repeats 100 --out work
"$assay" check -m lin work >out 2>err || fault "stress left a history that is none: $(head -1 out)"
written() { [ "$(find work -name '*.hist' | wc -l)" -ge "$1" ]; } # NUMBER: so many files are whole
# The kill strikes while files are written: the first five times, and until one was not finished.
struck=0
for round in $(seq 50); do
    tried=$((tried + 1))
    rm -rf work && mkdir work
    "$assay" stress queue:mutex --seconds 3600 --repeats 50 --threads 4 --invocations 30 --out work >out 2>err &
    pid=$!
    await written $((round % 5 * 3 + 1))
    kill -9 $pid
    wait $pid 2>/dev/null
    [ $? -eq 137 ] || fault "stress ended before it was killed: $(head -1 err)"
    [ -z "$(find work -name '.assay-*')" ] || struck=$((struck + 1))
    "$assay" check -m lin work >out 2>err || fault "stress that was killed left a history that is none: $(head -1 out err)"
    [ "$round" -lt 5 ] || [ $struck -eq 0 ] || break
done
[ $struck -gt 0 ] || fault "no kill struck while stress wrote a file"
rm -rf work && mkdir work
"$assay" stress queue:mutex --seconds 3600 --repeats 1000000 --out work >out 2>err &
pid=$!
await begun
kill -TERM $pid
wait $pid
clean work/journal.jsonl work/program-1.hist.part
"$assay" check -m lin work/program-1.hist.part >out 2>err || fault "the complete records of stress are none"
echo "writing: $tried runs, $faults faults"
[ $faults -eq 0 ]
