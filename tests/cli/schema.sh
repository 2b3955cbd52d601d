#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The JSON of evidence, of `check --json` and of the journal of `drive` fits the schemas in docs/reference/. The histories are those
# of the golden cases and of examples/; between them every pattern must come up. Damaged records do not fit: each field is
# taken away, renamed or given another type. Only optional fields may be absent.
set -u
root=$(realpath "$(dirname "$0")/../..")
. "$root/tests/support/scratch.sh"
python3 -c 'import jsonschema; jsonschema.Draft202012Validator' 2>/dev/null ||
    { echo "schema: left out: no jsonschema for python3 here (Debian: python3-jsonschema)" && exit 77; }

validate() { python3 -W ignore "$root/tests/support/validate.py" "$root/docs/reference" "$@" >said || fault "$1: $(<said)" && cat said; }

# ---- histories ----

golden=$root/tests/golden
unpack=() n=0
while IFS= read -r case; do
    mkdir "$n"
    unpack+=("folder=$PWD/$n" "$case")
    n=$((n + 1))
done < <(find "$golden" -name '*.case' | sort)
awk -f "$golden/unpack.awk" root="$golden" "${unpack[@]}"
# Two patterns that no file of a golden case has.
printf 'a: read(x) => 1\na: write(y, 1)\nb: read(y) => 1\nb: write(x, 1)\n' >cyclic.hist
"$assay" gen object --object cas-register --threads 50 --operations 10000 --values 100 --observers 33 --mutate 1 --distance 0 \
    --seed 1 --out value.hist
find . "$root/examples" -name '*.hist' -size -64k | sort >files
echo ./value.hist >>files

# A model of each family and of each kind of evidence; most of them do not apply to a history, which is an error to validate.
models=cc,ccv,cm,ccm,wccm,wsc,wtso,sc,tso,pso,lin,sc-object,return-value,monotonic-reads,level:causal,rc,ra,tcc,pc,psi,si,ser,si-strict
xargs -d '\n' "$assay" check --json --time 2 -j 2 -m $models --evidence proofs.jsonl <files >results.jsonl 2>/dev/null
"$assay" check --json --shrink -m lin,cc -f hist cyclic.hist nowhere.hist >>results.jsonl 2>/dev/null
"$assay" check --json -m PL-3,weak:\ vis\ \>=\ po --visibility read=weak "$root/examples/transactions.hist" >>results.jsonl 2>/dev/null

for pattern in $(sed -nE 's/^X\(([A-Za-z]+),.*/\1/p' "$root/src/evidence/pattern.def"); do
    grep -q "\"pattern\":\"$pattern\"" proofs.jsonl || fault "no evidence with the pattern $pattern"
    grep -q "\"$pattern\"" "$root/docs/reference/evidence.schema.json" || fault "the schema does not know the pattern $pattern"
done

# ---- validation ----

"$assay" drive memory --workload register --sessions 2 --ops 40 --histories 2 --set bug=dirty-read,abort=20 --out run \
    >said 2>&1
[ -f run/journal.jsonl ] || fault "not driven: $(<said)"
"$assay" drive memory --workload counter --ops 40 --histories 1 --check none --set bug=dropped --settle 0 --fault lag:1@0 --out bare \
    >/dev/null 2>&1
cat run/journal.jsonl bare/journal.jsonl >journal.jsonl
validate evidence <proofs.jsonl
validate check <results.jsonl
validate journal <journal.jsonl

# ---- damage ----

optional=('.file absent' '.orders[].thread absent' '.closed absent' '.object absent' '.visible absent' '.whole absent'
    '.suspects absent' '.inferred_from absent' '.sights absent' '.sources absent' '.cases absent' '.reasons[].to a number' '.sources[][] a number' '.cases[].sources[][] a number')
validate evidence --damage "${optional[@]}" <proofs.jsonl
optional=('.means absent' '.meaning absent' '.sentence absent' '.inferred_from absent' '.visibility absent' '.vacuous absent' '.shrunk absent' '.index absent')
validate check --damage "${optional[@]}" < <(grep '"evidence":null' results.jsonl)
# Settings are those of the driver.
optional=('.isolation absent' '.settings.bug absent' '.settings.bug renamed' '.settings.abort absent' '.settings.abort renamed'
    '.file absent' '.verdicts[].pattern absent' '.durability absent' '.settle absent' '.faults absent')
validate journal --damage "${optional[@]}" <journal.jsonl
echo "schema: $faults faults"
[ "$faults" -eq 0 ]
