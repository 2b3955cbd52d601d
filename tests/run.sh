#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# run.sh JOBS BUILD CTEST-OPTION...: ctest in BUILD, and behind its summary the tests and parts of tests that were left out:
# they print a line with the words "left out" and the reason. A unit test that cmocka skipped without such a line is listed, too.
set -u
jobs=$1 build=$2
shift 2
cd "$build" || exit 2
# One more than there are cores: a fifth of the tests mostly wait, for a server, a child, or a clock.
ctest --output-on-failure -j$((jobs + 1)) "$@"
status=$?
awk 'function list(line) {
         if (said[test, line]++) return
         if (!any++) print "\nLeft out:"
         print "  " test ": " line
     }
     /^[0-9]+\/[0-9]+ Test: / { test = $3; reason = 0 }
     /^Output:$/ { inside = 1 }
     /^<end of output>$/ { inside = 0 }
     inside && /left out/ { list($0); reason = 1 }
     inside && /^\[  SKIPPED \] [^0-9]/ && !reason { list($0) }' Testing/Temporary/LastTest.log
exit $status
