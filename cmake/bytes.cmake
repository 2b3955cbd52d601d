# SPDX-License-Identifier: Apache-2.0
# A file as the elements of a C array, which needs no escapes: read_bytes(FILE OUT), for scripts that embed files.
function(read_bytes file out)
  file(READ ${file} bytes HEX)
  string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  set(${out} "${bytes}" PARENT_SCOPE)
endfunction()
