#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The runner of golden cases: a case file and a folder are the same case; what differs is found; --accept writes both forms; a
# fault of a case file is a failure with its file and line.
set -u
golden=$(realpath "$(dirname "$0")/../golden")
. "$(dirname "$0")/../support/scratch.sh"
tried=0
# The shell is what is tried with: the snippets do not call assay.
run() { bash "$golden/run.sh" "$@"; }

# page NAME LINE...: a case file
page() {
    local name=$1
    shift
    printf '%s\n' "$@" >"$name.case"
}

# says STATUS TEXT ARGUMENTS...: the runner ends so and says this
says() {
    local status=$1 text=$2 got
    shift 2
    tried=$((tried + 1))
    run "$@" >said 2>&1
    got=$?
    [ $got -eq "$status" ] || fault "status $got, not $status: $* ($(<said))"
    grep -qF -- "$text" said || fault "'$text' is not said: $* ($(<said))"
}

# ---- both forms ----

page good 'For the reader.' '==== needs bash' '==== command' 'cat a b' 'echo no >&2' 'exit 3' \
    '==== file a' '---' '' '= ' '==== file b' 'b' '==== status 3' '==== stdout' '---' '' '= ' b '==== stderr' no
mkdir folder
printf 'cat a\nexit 3\n' >folder/cmd
printf a >folder/a
cp folder/a folder/expected.out
echo 3 >folder/status
says 0 '2 cases passed, 0 failed' "$assay" good.case folder
cp good.case as-it-was
says 0 '1 cases accepted' --accept "$assay" good.case
cmp good.case as-it-was || fault "accepting what is expected changes the case"

sed 's/exit 3/exit 4/' as-it-was >good.case
says 1 'exit status 4, expected 3' "$assay" good.case
sed 's/echo no/echo yes/' as-it-was >good.case
says 1 'good.case: standard error differs' "$assay" good.case
sed 's/cat a b/cat a/' as-it-was >good.case
says 1 'good.case: standard output differs' "$assay" good.case
sed 's/needs bash/needs bash no-such-program/' as-it-was >good.case
says 0 'left out' "$assay" good.case

# ---- accepting ----

page new 'Why.' '==== command' 'cat a; cat nothing; exit 5' '==== file a' 'a'
says 1 'new.case: no standard output is expected yet' "$assay" new.case
says 0 '1 cases accepted' --accept "$assay" new.case
page wanted 'Why.' '==== command' 'cat a; cat nothing; exit 5' '==== file a' 'a' '==== status 5' '==== stdout' 'a' \
    '==== stderr' 'cat: nothing: No such file or directory'
cmp new.case wanted.case || fault "a new case is accepted otherwise than expected"
says 0 '1 cases passed' "$assay" new.case
sed -i 's/exit 5/exit 0/; s/cat nothing/:/; s/^a$/c/' new.case
says 0 '1 cases accepted' --accept "$assay" new.case
page wanted 'Why.' '==== command' 'cat a; :; exit 0' '==== file a' 'c' '==== stdout' 'c'
cmp new.case wanted.case || fault "a case is accepted otherwise than expected"
rm -f folder/expected.out folder/status
says 0 '1 cases accepted' --accept "$assay" folder
[ "$(<folder/status)" = 3 ] && cmp folder/a folder/expected.out || fault "a folder is not accepted"
for output in 'printf a' 'echo ====' 'echo "==== stdout"'; do
    page new '==== command' "$output"
    cp new.case as-it-was
    says 1 'make it a folder' --accept "$assay" new.case
    cmp new.case as-it-was || fault "a case that cannot be accepted is changed"
done

# ---- faults ----

# wrong LINE TEXT LINES...: the line of the case file is at fault
wrong() {
    local line=$1 text=$2
    shift 2
    page wrong "$@"
    says 1 "wrong.case:$line: $text" "$assay" wrong.case
    cp wrong.case as-it-was
    says 1 "wrong.case:$line: $text" --accept "$assay" wrong.case
    cmp wrong.case as-it-was || fault "a case with a fault is changed: $text"
}
wrong 1 "there is no section 'command'" 'command' 'true'
wrong 1 "there is no section 'command'" '==== stdout'
wrong 3 "no section is called 'sdtout'" '==== command' 'true' '==== sdtout'
wrong 3 "no section is called ''" '==== command' 'true' '===='
wrong 3 "no section is called 'status'" '==== command' 'true' '==== status'
wrong 3 "no section is called 'status one'" '==== command' 'true' '==== status one'
wrong 4 "text in a section that is one line" '==== command' 'true' '==== status 1' '1'
wrong 3 "no section is called 'file'" '==== command' 'true' '==== file'
wrong 3 "no section is called 'file ../a'" '==== command' 'true' '==== file ../a'
wrong 3 "no section is called 'file expected.out'" '==== command' 'true' '==== file expected.out'
wrong 3 "cannot read engines/nothing" '==== command' 'true' '==== file a from engines/nothing'
wrong 3 "a second section 'command'" '==== command' 'true' '==== command' 'true'
wrong 5 "a second section 'file a'" '==== command' 'true' '==== file a' 'a' '==== file a' 'a'
: >wrong.case
says 1 "wrong.case:1: there is no section 'command'" "$assay" wrong.case

echo "cases: $tried runs, $faults faults"
[ "$faults" -eq 0 ]
