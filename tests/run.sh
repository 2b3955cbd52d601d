#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh JOBS BUILD CTEST-OPTION...: ctest in BUILD, and behind its summary the tests and parts of tests that were left out:
# these print a line with the words "left out" and the reason.
set -u
jobs=$1 build=$2
shift 2
cd "$build" || exit 2
ctest --output-on-failure -j"$jobs" "$@"
status=$?
awk '/^[0-9]+\/[0-9]+ Test: / { test = $3 }
     /^Output:$/ { inside = 1 }
     /^<end of output>$/ { inside = 0 }
     inside && /left out/ && !said[test, $0]++ {
         if (!any++) print "\nLeft out:"
         print "  " test ": " $0
     }' Testing/Temporary/LastTest.log
exit $status
