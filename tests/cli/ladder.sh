#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Who may include whom. Each line names a folder and the folders that it may include; these stand on lines above it, so there
# is no cycle. A folder of a family (format.def, ...) opens its family header to the others, and the headers named behind
# the colon; its members are nobody else's business. recheck stands apart from every engine whose verdicts it judges.
set -u
cd "${ASSAY_ROOT:-$(dirname "$0")/../..}" || exit 2

ladder='
base
history    base
spec       base history                                         : spec accounts any_initial facts lens roles setting_by_key states value_forms visited
model      base                                                 : model axioms aliases
format     base history spec                                    : format cursor decode entries entry hist_line hist_plain jsonl_line plain
evidence   base history spec model                              : evidence explanation
report     base history spec model evidence                     : report columns describe wrap
solver     base                                                 : sat
engine     base model evidence                                  : engine
memory     base history solver engine
transaction base history solver model evidence engine memory
staleness  base history spec transaction
search     base history spec engine memory
scan       base history spec engine search                      : fault online part_events reveal scan
weak       base history spec model engine search scan
theory     base history spec solver engine search scan          : theory
baseline   base history format engine memory
recheck    base history spec model evidence                     : recheck
check      base history spec model engine memory transaction search
explain    base history spec model evidence engine search check
monitor    base history spec model format evidence report scan transaction check explain
lexicon    base
api        base history spec model format evidence report engine scan check explain recheck monitor lexicon
collect/stress      base history spec report
collect/implement   base collect/stress
collect/cluster     base                                        : cluster
collect/drive       base collect/cluster                        : campaign
collect             base history spec collect/stress collect/cluster collect/drive : collect access
collect/generate    base history spec collect
collect/coherence   base history collect
collect/hardware    base history collect
cli        collect
bench      base collect cli
'

breaches=$(grep -rnE --include='*.[ch]' --include='*.cpp' '^[[:space:]]*#[[:space:]]*include[[:space:]]*"' src cli collect bench |
    awk -F: -v ladder="$ladder" '
    BEGIN {
        lines = split(ladder, line, "\n")
        for (i = 1; i <= lines; i++) {
            halves = split(line[i], half, ":")
            words = split(half[1], word, " ")
            if (!words)
                continue
            folder = word[1]
            known[folder] = 1
            for (j = 2; j <= words; j++) {
                if (!known[word[j]])
                    print "ladder.sh: " folder " stands above " word[j]
                may[folder, word[j]] = 1
            }
            family[folder] = halves > 1
            words = split(half[2], word, " ")
            for (j = 1; j <= words; j++)
                open[folder "/" word[j]] = 1
        }
        split("assay assay_spec assay_monitor assay_record assay_adapter assay_driver", word, " ")
        for (j in word)
            public[word[j] ".h"] = 1
    }
    function folder_of(path) {
        sub(/^src\//, "", path)
        if (path !~ /\//)
            return ""
        sub(/\/[^\/]*$/, "", path)
        sub(/^collect\/implement\/cpp$/, "collect/implement", path)
        sub(/^(cli\/)?serve$/, "cli", path)
        return path
    }
    function breach(why) { print $1 ":" $2 ": " why }
    {
        header = $0
        sub(/^[^"]*"/, "", header)
        sub(/".*/, "", header)
        from = folder_of($1)
        to = folder_of(header)
        bare = header
        sub(/\.[a-z]*$/, "", bare)
        if (public[header])
            next
        if (header ~ /\.\./)
            breach("\"" header "\": includes are named from the root, without ..")
        else if (!known[from])
            breach("the folder " from " has no place on the ladder")
        else if (from == to || (to == "" && from == "cli"))
            next
        else if (to == "")
            breach("\"" header "\": includes are named from src/, as in \"" from "/" header "\"")
        else if (!known[to])
            breach("\"" header "\" has no place on the ladder")
        else if (!may[from, to])
            breach(from " may not include \"" header "\"")
        else if (family[to] && !open[bare])
            breach("\"" header "\" is a member of another family")
        else if ((from == "cli" || from == "bench") && to == "collect" && header != "collect/collect.h")
            breach(from " includes \"" header "\", which is not public")
    }')
# The oracles of tests are written from the definitions: they see the public headers, their own, and the support that
# knows the public headers alone.
neutral='support/(chance|evidence_line|say|tier)\.[ch]'
strangers=$(grep -rnE '^#include "' tests/oracle tests/support 2>/dev/null |
    grep -E "^tests/(oracle|$neutral)" |
    grep -vE "^tests/[^:]*:[0-9]+:#include \"(assay\.h|$neutral|oracle/[a-z]+\.h)\"" |
    grep -vE '^tests/(oracle/[a-z]+/)[^:]*:[0-9]+:#include "\1' |
    sed -E 's/^([^:]*:[0-9]+:).*"(.*)"/\1 an oracle may not include "\2"/')
[ -z "$strangers" ] || breaches+=${breaches:+$'\n'}$strangers
# A file is named once within src/, so that its name alone finds it.
twice=$(find src -name '*.[ch]' | sed 's|.*/||' | sort | uniq -d | sed 's/.*/src: two files are called &/')
[ -z "$twice" ] || breaches+=${breaches:+$'\n'}$twice
if [ -n "$breaches" ]; then
    echo "$breaches"
    echo "ladder: $(wc -l <<<"$breaches") breaches of the dependency ladder (ARCHITECTURE.md)"
    exit 1
fi
echo "ladder: every include keeps to it"
