# SPDX-License-Identifier: Apache-2.0
# Files as arrays of bytes in the program: a page stays a real file in the tree, and needs no file where it is installed.
#
#   assay_embed(TARGET NAME FILES...)
#
# makes NAME.h and NAME.c in the build folder and adds them to the target. For a file serve.html the header declares the
# array NAME_serve_html, whose size is its sizeof. The build makes them anew when a file changes; that needs CMake alone.
#
#   assay_bundle(TARGET NAME PAGE)
#
# makes NAME.c of a page of web/ with its style and scripts (bundle.cmake) and adds it to the target.

if(NOT CMAKE_SCRIPT_MODE_FILE)
  set(ASSAY_EMBED_SCRIPT ${CMAKE_CURRENT_LIST_FILE})

  function(assay_embed target name)
    set(folder ${PROJECT_BINARY_DIR}/embedded)
    list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/)
    string(REPLACE ";" "|" files "${ARGN}")
    add_custom_command(OUTPUT ${folder}/${name}.c ${folder}/${name}.h VERBATIM
                       DEPENDS ${ARGN} ${ASSAY_EMBED_SCRIPT}
                       COMMAND ${CMAKE_COMMAND} -DNAME=${name} -DFOLDER=${folder} "-DFILES=${files}"
                               -P ${ASSAY_EMBED_SCRIPT}
                       COMMENT "Embedding ${name}")
    target_sources(${target} PRIVATE ${folder}/${name}.c ${folder}/${name}.h)
    target_include_directories(${target} PRIVATE ${folder})
  endfunction()

  file(GLOB ASSAY_WEB CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/*.html ${PROJECT_SOURCE_DIR}/web/*.css
       ${PROJECT_SOURCE_DIR}/web/*.js)
  function(assay_bundle target name page)
    set(out ${PROJECT_BINARY_DIR}/${name}.c)
    add_custom_command(OUTPUT ${out} VERBATIM
                       DEPENDS ${ASSAY_WEB} ${PROJECT_SOURCE_DIR}/cmake/bundle.cmake
                       COMMAND ${CMAKE_COMMAND} -DPAGE=${PROJECT_SOURCE_DIR}/web/${page} -DNAME=${name} -DOUT=${out}
                               -P ${PROJECT_SOURCE_DIR}/cmake/bundle.cmake)
    target_sources(${target} PRIVATE ${out})
  endfunction()
  return()
endif()

cmake_minimum_required(VERSION 3.18)
include(${CMAKE_CURRENT_LIST_DIR}/bytes.cmake)
string(REPLACE "|" ";" FILES "${FILES}")
set(header "/* Made by cmake/Embed.cmake. */\n#pragma once\n")
set(source "#include \"${NAME}.h\"\n")
foreach(file ${FILES})
  get_filename_component(ident ${file} NAME)
  string(MAKE_C_IDENTIFIER ${NAME}_${ident} ident)
  read_bytes(${file} bytes)
  file(SIZE ${file} size)
  string(APPEND header "extern const unsigned char ${ident}[${size}];\n")
  string(APPEND source "const unsigned char ${ident}[${size}] = {\n${bytes}};\n")
endforeach()
file(WRITE ${FOLDER}/${NAME}.h "${header}")
file(WRITE ${FOLDER}/${NAME}.c "${source}")
