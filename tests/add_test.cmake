# SPDX-License-Identifier: Apache-2.0
# Adds an entry to ctest's run. A test, or a part of one, that is left out says so with the words "left out" and the reason;
# cmocka reports a unit test as SKIPPED. tests/run.sh lists them. Where everything that tests need must be there, this is a
# failure: the words fail the test, and so does the status 77 of a test that is left out as a whole.

option(ASSAY_NO_SKIPS "a test that is left out fails" OFF)

# assay_add_test(NAME LABELS COMMAND...). The time is not a limit of speed, it ends what hangs: machines may be busy.
function(assay_add_test name labels)
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  set(hung 3600)
  if("long" IN_LIST labels)
    set(hung 28800)
  endif()
  set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT ${hung})
  if(ASSAY_NO_SKIPS)
    set_tests_properties(${name} PROPERTIES FAIL_REGULAR_EXPRESSION "left out;[[]  SKIPPED []]")
  else()
    set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)
  endif()
endfunction()
