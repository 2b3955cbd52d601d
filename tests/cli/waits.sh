#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# No test hopes that a machine is quick. A wait is `await` with a condition that is looked at again and again: the shell
# expands the words of a command once, so a $(...) among them would be the same for ever. Nothing sleeps but support/scratch.sh,
# and programs of which a test wants that they hang.
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
. "$(dirname "$0")/../support/scratch.sh"

# evaluated_once FILE...: an await whose condition the shell has expanded. Its words end at a list operator.
evaluated_once() {
    grep -nHE '\bawait ' "$@" | sed -E "s/'[^']*'//g" | grep -E 'await [^|&;]*(\$\([^(]|`)'
}

# pauses FILE...: waits for some time
pauses() {
    grep -nHE '\b(sleep|usleep) +["$0-9]|time\.sleep\(|waitForTimeout|\bread -t' "$@" |
        grep -vE "exec (env -i )?sleep [0-9]+|solver 'sleep|scratch\.sh:"
}

# What is to be found is found, and nothing else.
cat >bad <<'END'
await test "$(cat state)" = done
await test -s file && await grep -q `cat word` file
sleep 0.3
sleep $pause
time.sleep(0.2)
await page.waitForTimeout(100)
END
cat >good <<'END'
await test -s file && [ "$(wc -l <file)" -eq 1 ]
await beyond $((total - 1)) || fault "only $(cat file)"
await eval '[ "$(cat state)" = done ]'
printf 'exec sleep 300' >fake
let_pass 0.3
END
found=$(evaluated_once bad; pauses bad)
[ "$(grep -c . <<<"$found")" -eq 6 ] || fault "of 6 bad lines these are found: $found"
found=$(evaluated_once good; pauses good)
[ -z "$found" ] || fault "good lines are refused: $found"

cd "$root/tests" || exit 2
mapfile -t scripts < <(find . -name '*.sh' -not -path ./cli/waits.sh)
mapfile -t others < <(find . \( -name '*.js' -o -name '*.py' -o -name cmd -o -name '*.case' \) -not -path '*/node_modules/*')
[ ${#scripts[@]} -gt 50 ] && [ ${#others[@]} -gt 100 ] || fault "too few files: ${#scripts[@]} and ${#others[@]}"
found=$(evaluated_once "${scripts[@]}"; pauses "${scripts[@]}" "${others[@]}")
[ -z "$found" ] || fault "these wait in hope; await a condition (support/scratch.sh): $found"
echo "waits: ${#scripts[@]} scripts and ${#others[@]} other files, $faults faults"
[ $faults -eq 0 ]
