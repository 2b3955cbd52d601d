#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Names, strings, headers and names of files come from whoever wrote the history. Whatever they are, nothing that steers a
# terminal reaches it: no control but the line feed, none of C1, no control of bidirectional text, nothing that is not UTF-8.
set -u
export LC_ALL=C
. "$(dirname "$0")/../support/scratch.sh"
commands=0
bad='[\x00-\x09\x0b-\x1f\x7f]|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xaa-\xae]|\xe2\x81[\xa6-\xa9]'

# look FILE: is all of it fit to be shown?
look() {
    grep -aPzq "(?s)$bad" "$1" || ! iconv -f UTF-8 -t UTF-8 "$1" >/dev/null 2>&1
}

# try ARGUMENTS...: with what comes in.
try() {
    commands=$((commands + 1))
    timeout "$hung" "$assay" "$@" >"$scratch/out" 2>"$scratch/err"
    [ $? -lt 124 ] || { echo "crashed, or hung: $(printf %q "$*")" && faults=$((faults + 1)); }
    for stream in out err; do
        if look "$scratch/$stream"; then
            echo "$stream of assay $(printf %q "$*"):"
            cat -v "$scratch/$stream" | head -5
            faults=$((faults + 1))
        fi
    done
}

# A name that is a word, and one that is none: C1, overrides, isolates, marks; of a file also C0 and bytes that are no text.
word=$'a\xc2\x9b31m\xe2\x80\xaeb\xe2\x81\xa6c\xe2\x80\x8ed\xd8\x9c'
text='\u001b[31m\u0007\u009b\u202e\u2067\u007f'
file=$'x\x1b]0;y\x07\n\xff\xe2\x80\xae.hist'

cat >"$file" <<END
# @$word $(printf '\033[31m')
# @object memory
# @init $word="$text" y=1
$word: write($word, "$text")
t1: read($word) => $word
t1: write(y, "$text")
$word: read(y) => "$text"
$word: read(y) => 1
t1: read($word) => "$text"
END
cat >"timed$file" <<END
# @clock ms
# @nodes $word="$text" t1=$word
$word: write($word, "$text") @ 0..1
$word: write($word, $word) @ 2..3
t1: read($word) => "$text" @ 4..5
t2: read($word) => $word @ 4..5
END
cat >events.hist <<END
# @object $word queue
[$word] call $word.enq("$text")
[$word] return
[2] call $word.enq($word)
[2] return
[2] call $word.deq
[2] return $word
[2] call $word.deq
[2] return $word
END
for faulty in "t0: $word" "# @object $(printf '\033')$word" "# @init $word=" "# @ids $word" "# @clock $word" "# @nodes $word" "# @nodes t0=$word t0=1$word" "# @init x=1$word x=2$word" "t0 $word" "[$word] return" \
    "[$word] call $word.$word(\"$text\")" "t0: write(1_$word, 1)" "t0: write(x, 1) @ $word" "$(printf 't0: \033[31m')" \
    "$(printf 't0: write(x, \377)')" "{\"$word\":1}" "{\"thread\":\"$word\",\"method\":\"$word.x\"}" "[{:process 0, :f :$word}]" \
    "0: $word" "1 invokes $word" "INFO jepsen.util - 0 :$word"; do
    printf '%s\n' "$faulty" >fault.txt
    for format in hist jsonl csv edn axe set-log jepsen-log jepsen-txt kv-log gem5-rubytest; do
        try check -f $format fault.txt
    done
    try monitor fault.txt
    try monitor --lenient fault.txt
done

try check "$file"
for model in cc ccv cm ccm wsc sc tso pso lin; do
    try check -m $model --explain "$file"
done
try check -m sc --shrink "$file"
try check --json -m sc "$file"
try check --json -m sc --shrink "$file"
try check -m sc --evidence proof.jsonl --html page.html --dot graph.dot --svg picture.svg --tikz picture.tex "$file"
for written in proof.jsonl page.html graph.dot picture.svg picture.tex; do
    cp $written "$scratch/out"
    look "$scratch/out" && echo "$written" && faults=$((faults + 1))
done
try recheck "$file" proof.jsonl
try recheck --json "$file" proof.jsonl
try recheck "$file" "$file"
try recheck "$file" "none$file"
try grade "$file"
try grade --json "$file"
try kernel "$file"
try stale "timed$file"
try stale "timed$file" "timed$file"
try stale --json "timed$file"
try strongest "$file"
try check events.hist
try check --explain events.hist
try check "no$file"
try check -m "$word" events.hist
try check -e "$word" events.hist
try check -o "$word" events.hist
try check -f "$word" events.hist
try check --init "$word" events.hist
try check --init "$word=" events.hist
try check "--$word"
try check --spec "$file" events.hist
try check --visibility "$word=weak" events.hist
try "$word"
try list "$word"
try convert -t "$word" events.hist
try convert -t axe "$file"
try convert -t jsonl "$file" # JSON has escapes for all of it
try convert -t hist "no$file"
try gen "$word"
try stress "$word"
try hardware --shape "$word"
try completion "$word"
try monitor events.hist
try monitor --json events.hist
try monitor --all "no$file"
try monitor -o "$word" events.hist
try monitor --init "$word" events.hist
cp events.hist "ev$file"
try monitor "ev$file"
head -c -1 events.hist >"cut$file"
try monitor "cut$file"
try check "cut$file"
mkdir "dir$file" && cp "$file" "dir$file" && try check -m sc "dir$file"

# A handler of signals has no time to escape a name, so that must have been done before.
mkfifo feed
"$assay" convert -t jsonl - "out$file" <feed >out 2>err &
pid=$!
exec 9>feed
for _ in $(seq 2000); do printf 't0: write(x, 1)\nt1: read(x) => 1\n---\n'; done >&9 & # more than one read of a pipe takes
begun() { compgen -G '.assay-*' >/dev/null; }
await begun
kill -TERM $pid
wait $pid
exec 9>&-
wait
commands=$((commands + 1))
grep -q 'is not written' err || fault "an interrupted output is not mentioned: $(cat -v err)"
look err && fault "the name of an interrupted output: $(cat -v err)"

echo "injection: $commands commands, $faults faults"
[ $faults -eq 0 ]
