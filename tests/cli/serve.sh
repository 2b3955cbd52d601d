#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# assay serve: what is listed and shown, what is refused, and what a page learns while a run writes. Nothing waits for some
# time, only for events.
set -u
root=$(realpath "$(dirname "$0")/../..")
. "$root/tests/support/scratch.sh"

mkdir empty
said=$("$assay" serve nowhere 2>&1)
if [[ $said == *"built without"* ]]; then
    echo "serve: left out: ${said#assay: serve: }"
    exit 77
fi
command -v curl >/dev/null || { echo "serve: left out: no curl here" && exit 77; }

# start FOLDER [OPTIONS...]: the address is in $url, without the slash at the end, the process in $viewer
start() {
    rm -f address
    "$assay" serve --port 0 "${@:2}" "$1" >address 2>viewer.err &
    viewer=$!
    await grep -qs "^http" address || fault "the viewer does not start: $(<viewer.err)"
    url=$(head -n 1 address)
    url=${url%/}
}

# stop SIGNAL: it ends with status 0
stop() {
    local status=0
    kill -"$1" "$viewer"
    wait "$viewer" || status=$?
    [ $status -eq 0 ] || fault "SIG$1: status $status: $(<viewer.err)"
    [ ! -s viewer.err ] || fault "it complains: $(<viewer.err)"
}

get() {
    curl -sS --path-as-is --max-time $hung "$@"
}

# status CODE CURL-ARGUMENTS...
status() {
    local code
    code=$(get -o body -w '%{http_code}' "${@:2}")
    [ "$code" = "$1" ] || fault "status $code, not $1: ${*:2}: $(head -c 200 body)"
}

# has TEXT: the body of the last answer
has() {
    grep -qF -- "$1" body || fault "not in the answer: $1: $(head -c 300 body)"
}

# listed TEXT: sooner or later it is in the listing
in_listing() {
    get "$url/api/results" | grep -F -- "$1" >/dev/null
}
listed() {
    await in_listing "$1" || fault "never listed: $1"
}

# ---- a folder of all kinds of results ----

mkdir -p runs/calm runs/.secret outside
cat >runs/lock.hist <<'END'
# @object lock
[1] call lock
[1] return
[2] call lock
[2] return
END
cp "$root"/examples/two-orders.hist runs/
cp runs/lock.hist outside/out.hist
cp runs/lock.hist runs/.secret/s.hist
cp runs/lock.hist runs/.hidden.hist
ln -s "$PWD/outside/out.hist" runs/link.hist
ln -s "$PWD/outside" runs/linked
ln -s lock.hist runs/inside.hist
mkfifo runs/pipe.hist
echo secret >runs/notes.txt
"$assay" drive memory --sessions 1 --ops 40 --histories 2 --out runs/calm >/dev/null
"$assay" check -m cc,ccv --json --evidence runs/proof.jsonl --html runs/report.html runs/two-orders.hist >check.jsonl
mv check.jsonl runs/
"$assay" monitor --json runs/lock.hist >runs/monitor.jsonl
"$assay" monitor runs/lock.hist --journal runs/follow.jsonl >/dev/null
"$assay" stress queue:mutex --runs 5 --json >runs/stress.json

start runs
status 200 "$url/"
has '<title>Assay: results</title>'
status 200 "$url/serve.js"
status 200 "$url/serve.css"

status 200 "$url/api/results"
for file in calm/0001.hist:history calm/0002.hist:history calm/journal.jsonl:journal check.jsonl:results \
    follow.jsonl:journal lock.hist:history monitor.jsonl:monitor proof.jsonl:evidence report.html:page stress.json:stress \
    two-orders.hist:history; do
    has "{\"path\":\"${file%:*}\",\"kind\":\"${file#*:}\","
done
[ "$(grep -c '"path"' body)" -eq 11 ] || fault "listed: $(grep -o '"path":"[^"]*"' body)"
has '{"line":2,"record":{"history":1,"seed":1,"file":"0001.hist",'
has '"record":{"history":1,"running":false,"events":4,"violations":1,'

# ---- a history: its page, its grade, its text ----

status 200 "$url/h/two-orders.hist?model=ccv"
has '<title>'
has CyclicCF
status 200 "$url/h/two-orders.hist?model=cc"
grep -qF CyclicCF body && fault "the page of one model is shown for another"
status 200 "$url/h/lock.hist"
status 200 "$url/api/grade/two-orders.hist"
has '"model":"ccv","verdict":"violation","pattern":"CyclicCF"'
listed '"grades":[{"path":"two-orders.hist","index":0,'
status 400 "$url/h/two-orders.hist?model=nonsense"
has 'unknown model'
status 422 "$url/h/two-orders.hist?model=lin"
status 422 "$url/h/two-orders.hist?index=7"
status 400 "$url/h/two-orders.hist?index=-1"
status 404 "$url/h/report.html"
status 404 "$url/h/notes.txt"
status 200 "$url/file/lock.hist"
cmp -s body runs/lock.hist || fault "the file is another one"
status 200 "$url/file/report.html"
status 404 "$url/file/notes.txt"

# ---- only reading ----

for method in POST PUT DELETE PATCH OPTIONS TRACE FROB; do
    status 405 -X $method "$url/api/results"
done
status 405 -X POST --data-binary @"$assay" "$url/"
get -i -X DELETE "$url/file/lock.hist" | grep -qi '^Allow: GET, HEAD' || fault "405 names no methods"
status 200 -I "$url/h/lock.hist"
[ -e runs/lock.hist ] || fault "a file is gone"

# ---- nothing outside ----

for path in /../outside/out.hist /file/../outside/out.hist /file/%2e%2e/outside/out.hist /file/..%2foutside/out.hist \
    /h/calm/../../outside/out.hist /file/calm/%2e%2e/lock.hist /file//lock.hist /file/calm//0001.hist /file/./lock.hist \
    /file/link.hist /h/link.hist /file/linked/out.hist /h/inside.hist /file/pipe.hist /h/pipe.hist \
    /file/.hidden.hist /file/.secret/s.hist /file/lock.hist%00 /h/lock.hist%00.html /file/lock.hist%zz /file/lock.hist% \
    "/file$PWD/outside/out.hist" /file/calm /file/calm/ /file/ /h/ /nothing /api /api/grade/ /serve.js/ \
    "/file/$(printf 'a/%.0s' {1..60})x.hist" "/file/$(head -c 6000 /dev/zero | tr '\0' a)"; do
    status 404 "$url$path"
done
status 414 "$url/$(head -c 100000 /dev/zero | tr '\0' a)"

# ---- only for this machine's own pages ----

port=${url##*:}
status 403 -H 'Host: evil.example' "$url/api/results"
status 403 -H "Host: evil.example:$port" "$url/"
status 403 -H "Host: 127.0.0.1.evil.example:$port" "$url/"
status 403 -H 'Host: 127.0.0.1:1' "$url/"
status 200 -H "Host: localhost:$port" "$url/"
status 403 -H 'Origin: http://evil.example' "$url/api/results"
status 403 -H 'Origin: null' "$url/api/results"
status 403 -H "Origin: https://127.0.0.1:$port" "$url/events"
status 200 -H "Origin: http://127.0.0.1:$port" "$url/api/results"
status 403 -H 'Sec-Fetch-Site: cross-site' -H 'Sec-Fetch-Mode: no-cors' "$url/api/results"
status 200 -H 'Sec-Fetch-Site: cross-site' -H 'Sec-Fetch-Mode: navigate' "$url/"
for path in / /api/results /h/lock.hist /file/report.html /file/lock.hist /nowhere; do
    get -i "$url$path" >body
    for header in 'X-Content-Type-Options: nosniff' 'Referrer-Policy: no-referrer' 'X-Frame-Options: DENY' \
        "Content-Security-Policy: .*default-src 'none'" 'Cross-Origin-Resource-Policy: same-origin'; do
        grep -qi "^$header" body || fault "$path: no header $header"
    done
done
for path in /h/lock.hist /file/report.html /file/lock.hist; do
    get -i "$url$path" | grep -qi '^Content-Security-Policy: sandbox' || fault "$path: may act in the viewer's name"
done
get -i "$url/" | grep -qi "^Content-Security-Policy:.*unsafe" && fault "the viewer's page runs scripts of others"

# ---- live: lines, files, grades ----

curl -sS -N --max-time $hung "$url/events" >events & # no function: it is this process that is ended
listening=$!
await grep -q '^event: hello' events || fault "no greeting"
printf '{"history":3,"verdicts":[{"model":"lin","verdict":"viol' >>runs/calm/journal.jsonl
printf 'ation"}]}\n' >>runs/calm/journal.jsonl
await grep -qF '{"path":"calm/journal.jsonl","line":4,"record":{"history":3,"verdicts":[{"model":"lin","verdict":"violation"}]}}' \
    events || fault "no event for a new line"
[ "$(grep -c '^event: record' events)" -eq 1 ] || fault "half a line, or old ones, are events: $(<events)"
mkdir -p runs/new/deep
cp runs/lock.hist runs/new/deep/later.hist
await grep -qF '{"path":"new/deep/later.hist","kind":"history",' events || fault "no event for a file in a new folder"
rm runs/new/deep/later.hist
await grep -q '^event: gone' events || fault "no event for a file that is gone"
get "$url/api/grade/lock.hist" >body
await grep -q '^event: grade' events || fault "no event for a grade"
# Cut and written anew, in one go: its old lines are forgotten.
printf '{"campaign":1}\n{"history":9,"seed":123456789}\n{"history":10,"filler":"%s"}\n' "$(head -c 400 /dev/zero | tr '\0' x)" \
    >runs/follow.jsonl
await grep -qF '{"path":"follow.jsonl","line":2,"record":{"history":9,"seed":123456789}}' events || fault "rewritten: no event"
get "$url/api/results" | grep -q '"events":4,"violations":1,' && fault "lines of a file that was rewritten are still there"

# A run that writes while it is followed.
mkfifo feed
"$assay" monitor -o lock --journal runs/live.jsonl feed >/dev/null &
running=$!
exec 3>feed
await grep -qF '{"path":"live.jsonl","line":1,"record":{"campaign":1,"command":"monitor","file":"feed","object":"lock"' events ||
    fault "a monitor that begins is not seen"
printf '[1] call lock\n[1] return\n' >&3
await grep -qF '"record":{"history":1,"running":true,"events":2,"violations":0,' events || fault "a monitor that goes on is not seen"
printf '[2] call lock\n[2] return\n' >&3
exec 3>&-
await grep -qF '"running":false,"events":4,"violations":1,' events || fault "a monitor's violation is not seen"
wait $running
kill $listening
wait $listening 2>/dev/null

# ---- folders that are one history ----

# whole NUMBER: in 8 bytes
whole() {
    local i
    for i in 56 48 40 32 24 16 8 0; do printf "\\$(printf %o $(($1 >> i & 255)))"; done
}
mkdir -p logs/cobra/more store/test/1/independent/0 store/test/1/n1
{ printf S && whole 1 && printf W && whole 100 && whole 7 && whole 5 && printf C && whole 1; } >logs/cobra/T0.log
{ printf S && whole 2 && printf R && whole 1 && whole 100 && whole 7 && whole 5 && printf C && whole 2; } >logs/cobra/T1.log
for file in history.edn independent/0/history.edn; do
    echo '{:process 0, :type :invoke, :f :write, :value 1, :index 0}
{:process 0, :type :ok, :f :write, :value 1, :index 1}' >store/test/1/$file
done
printf '0\t:invoke\t:write\t1\n0\t:ok\t:write\t1\n' >store/test/1/history.txt
echo '{:valid? true}' >store/test/1/results.edn
echo 'INFO a node' | tee store/test/1/jepsen.log >store/test/1/n1/db.log
cp runs/report.html store/test/1/
mv logs store runs/
listed '{"path":"logs/cobra","kind":"history","size":94,'
listed '{"path":"store/test/1/report.html","kind":"page",'
get "$url/api/results" >body
has '"folder":true,"records":[]'
[ "$(grep -c '^{"path":"logs/' body)" -eq 1 ] || fault "of the folder of logs: $(grep '^{"path":"logs/' body)"
[ "$(grep -o '^{"path":"store/[^"]*"' body | tr '\n' ' ')" = \
    '{"path":"store/test/1/history.edn" {"path":"store/test/1/report.html" ' ] ||
    fault "of a Jepsen test: $(grep '^{"path":"store/' body)"
status 200 "$url/h/logs/cobra?model=ser"
has '2 operations, 2 threads'
status 200 "$url/api/grade/logs/cobra"
listed '"grades":[{"path":"logs/cobra","index":0,'
status 404 "$url/file/logs/cobra"
status 200 "$url/h/store/test/1/history.edn?model=lin"
# A log that grows changes the history; a link in the folder is not followed, and it is a history no more.
{ printf S && whole 3 && printf W && whole 101 && whole 8 && whole 5 && printf C && whole 3; } >>runs/logs/cobra/T1.log
listed '{"path":"logs/cobra","kind":"history","size":137,'
status 200 "$url/h/logs/cobra?model=ser"
has '3 operations, 2 threads'
ln -s "$PWD/outside/out.hist" runs/logs/cobra/T2.log
no_longer() { ! in_listing "$1"; }
await no_longer '{"path":"logs/cobra"' || fault "a folder with a link is a history"
status 404 "$url/h/logs/cobra"
rm runs/logs/cobra/T2.log
listed '{"path":"logs/cobra","kind":"history","size":137,'

# ---- hostile names and lines stay text ----

mkdir -p 'runs/evil'
cp runs/lock.hist 'runs/evil/<img src=x onerror=alert(1)>"'"'"'&#;%?.hist'
cp runs/lock.hist $'runs/evil/new\nline\e[31m.hist'
cp runs/lock.hist $'runs/evil/\xff\xfe.hist'
{
    echo '{"campaign":1,"driver":"</script><script>alert(1)</script>"}'
    echo '{"history":1}],"files":[{"path":"forged"}'
    echo '{"history":2,"a":01}'
    echo '{"history":3,"a":"\x"}'
    echo '{"history":4} {"history":4}'
    printf '{"history":5,"a":"\xff"}\n{"history":6,\r"data: forged":1}\n{"history":7,"a":"\t"}\n'
    printf '{"history":8,"a":'
    head -c 200 /dev/zero | tr '\0' '['
    head -c 200 /dev/zero | tr '\0' ']'
    printf '}\n{"history":9,"a":"%s"}\n' "$(head -c 100000 /dev/zero | tr '\0' y)"
    printf '{"history":10,"a":[1,-2.5e+3,true,null,"\\u00e9\\n",{}]}\r\n\n'
} >runs/evil/journal.jsonl
listed '{"history":10,"a":[1,-2.5e+3,true,null,"\u00e9\n",{}]}'
get "$url/api/results" >body
[ "$(grep -c '^{"path":"evil/' body)" -eq 3 ] || fault "of hostile names: $(grep '^{"path":"evil/' body)"
has '{"path":"evil/new\u000aline\u001b[31m.hist"'
for line in 2 3 4 5 6 7 8 9 10 12; do
    grep -qF "{\"line\":$line,\"record\":null}" body || fault "line $line of the hostile journal is handed on"
done
if command -v python3 >/dev/null; then
    python3 -c 'import json, sys; json.load(sys.stdin)' <body || fault "the listing is no JSON"
fi
evil=/h/evil/%3Cimg%20src%3Dx%20onerror%3Dalert%281%29%3E%22%27%26%23%3B%25%3F.hist
status 400 "$url$evil?model=nope"
has '&lt;img src=x onerror=alert(1)&gt;'
status 200 "$url$evil"
grep -qF '<img' body && fault "a name is markup"
status 400 "$url/h/lock.hist?model=%3Cscript%3E"
grep -qF '<script>' body && fault "a model is markup"

# ---- many at once ----

cp "$root"/examples/*.hist runs/
for i in {1..24}; do
    get -o "many.$i" -w '%{http_code}\n' "$url/h/two-orders.hist?model=$((i % 2)):cc" >>codes &
    many+=($!)
    get -o "list.$i" "$url/api/results" &
    many+=($!)
done
wait "${many[@]}"
[ "$(grep -c '^400$' codes)" -eq 24 ] || fault "many at once: $(sort codes | uniq -c)"
status 200 "$url/api/results"
# Listeners have a limit, and leave room for others.
for i in {1..20}; do
    curl -s -N --max-time $hung -o "stream.$i" -w '%{http_code}\n' "$url/events" >"code.$i" &
    streams+=($!)
done
greeted() { grep -sl '^event: hello' stream.* | wc -l; }
turned_away() { cat code.* | grep -c '^503$'; }
all_answered() { [ $(($(greeted) + $(turned_away))) -eq 20 ]; }
await all_answered || fault "listeners: $(greeted) are greeted, $(turned_away) turned away"
[ "$(turned_away)" -ge 4 ] && [ "$(greeted)" -ge 15 ] || fault "of 20 listeners $(turned_away) are turned away"
status 200 "$url/"

# Those that leave make room.
kill "${streams[@]}" 2>/dev/null
wait "${streams[@]}" 2>/dev/null
rm -f stream.* code.*
streams=()
answered() { grep -qs '^event: hello' stream.new || [ -s code.new ]; }
joins() { # once the viewer knows that they have left
    rm -f stream.new code.new
    curl -s -N --max-time $hung -o stream.new -w '%{http_code}\n' "$url/events" >code.new &
    await answered && [ ! -s code.new ]
}
await joins || fault "listeners that have left keep their places"
streams+=($!)
# Connections that say nothing do not keep the others out.
for i in {1..64}; do
    exec {silent}<>"/dev/tcp/127.0.0.1/$port"
    silents+=("$silent")
done
printf 'GET / HTT' >&"${silents[0]}"
status 200 "$url/api/results"
for silent in "${silents[@]}"; do
    exec {silent}>&-
done

# ---- the end: streams are closed, nothing hangs ----

stop INT
wait "${streams[@]}"
[ "$(cat code.* | grep -c '^200$')" -eq "$(greeted)" ] || fault "streams at the end: $(sort code.* | uniq -c)"

start empty
status 200 "$url/api/results"
[ "$(tr -d '\n' <body)" = '{"files":[],"left_out":0}' ] || fault "an empty folder: $(<body)"
port=${url##*:}

# ---- what cannot be ----

# refused WORDS ARGUMENTS...
refused() {
    local status=0
    "$assay" serve "${@:2}" >out 2>&1 || status=$?
    [ $status -eq 2 ] && grep -qF -- "$1" out || fault "serve ${*:2}: status $status: $(<out)"
}
refused "port $port is in use (--port 0 takes a free one)" --port "$port" empty
refused 'nowhere: No such file or directory' nowhere
refused 'Not a directory' runs/lock.hist
refused 'runs/logs/cobra is one history (name the folder that it is in)' runs/logs/cobra
refused 'means all addresses' --bind 0.0.0.0 --port 0 empty
refused 'means all addresses' --bind :: --port 0 empty
refused 'expected an address' --bind localhost --port 0 empty
stop TERM

# A check has its time.
start runs --time 0.000001
status 503 "$url/h/two-orders.hist?model=sc"
has 'takes longer than it may'
stop HUP

echo "serve: $faults faults"
[ "$faults" -eq 0 ]
