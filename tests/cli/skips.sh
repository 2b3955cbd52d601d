#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The rule for tests that are left out, tried on a few that are: elsewhere each is listed with its reason and the run succeeds;
# where every test must run (ASSAY_NO_SKIPS, which CI=true turns on) each is a failure.
set -u
tests=$(realpath "$(dirname "$0")/..")
build=$(realpath "${ASSAY_BUILD:?the build folder}")
. "$tests/support/scratch.sh"

# A build without the plug-in, and a place without programs.
mkdir bare tools
cp "$build/assay" bare/assay
bash=$(command -v bash)

{
    echo 'cmake_minimum_required(VERSION 3.13)'
    echo 'project(skips NONE)'
    echo 'enable_testing()'
    echo "include($tests/add_test.cmake)"
    echo "assay_add_test(runs unit $bash -c [[echo fine]])"
    echo "assay_add_test(whole cli $bash -c [[echo whole: left out: no reason && exit 77]])"
    echo "assay_add_test(part cross $bash -c [[echo engine left out: built without it]])"
    echo "assay_add_test(bare unit $bash -c [[echo '[  SKIPPED ] some_test']])"
    echo "assay_add_test(libraries cli env ASSAY_BUILD=$PWD/bare $bash $tests/cli/libraries.sh $PWD/bare/assay)"
} >CMakeLists.txt
left_out=(whole part bare libraries)
# cmocka itself, and the datalog of unit tests.
if [ -x "$build/tests/test_datalog" ]; then
    echo "assay_add_test(datalog unit env PATH=$PWD/tools $build/tests/test_datalog)" >>CMakeLists.txt
    left_out+=(datalog)
fi

# run OPTION: the tests, with the words of the run in `said`
run() {
    rm -rf made
    cmake -S . -B made -DASSAY_NO_SKIPS="$1" >configured 2>&1 || { cat configured && exit 1; }
    bash "$tests/run.sh" 2 made >said 2>&1
}

run OFF || fault "left out where this is allowed, and the run fails: $(<said)"
for reason in 'whole: whole: left out: no reason' 'part: engine left out: built without it' 'bare: [  SKIPPED ] some_test' \
    'libraries: libraries: the plug-in left out: this build has none'; do
    grep -qF "  $reason" said || fault "not listed: $reason"
done
[ ${#left_out[@]} -eq 4 ] || grep -qE '^  datalog: datalog left out: .*clingo' said || fault "not listed: datalog, with its reason"
[ "$(grep -c '^  [a-z]*: ' said)" -eq ${#left_out[@]} ] || fault "listed otherwise than once each: $(<said)"

run ON && fault "left out where all must run, and the run succeeds"
for name in "${left_out[@]}"; do
    grep -qE "Test +#[0-9]+: $name [.]*\*\*\*Failed" said || fault "left out where all must run, and no failure: $name"
done
grep -qE 'Test +#[0-9]+: runs [.]* +Passed' said || fault "a test that is not left out fails: $(<said)"

# The words of the rule must not stand in its own output.
echo "skips: tried on ${#left_out[@]} tests, $faults faults"
[ "$faults" -eq 0 ]
