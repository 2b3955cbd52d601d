# SPDX-License-Identifier: Apache-2.0
# Writes OUT, a C file that names the commit of SOURCE, where git knows it. The file changes only with the commit.
cmake_minimum_required(VERSION 3.18)
execute_process(COMMAND git describe --always --dirty --abbrev=12 --exclude=* WORKING_DIRECTORY ${SOURCE}
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(failed OR NOT commit MATCHES "^[0-9a-z-]+$")
  set(commit unknown)
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT "#include \"bench/machine.h\"\n\nconst char machine_commit[] = \"@commit@\";\n" @ONLY)
