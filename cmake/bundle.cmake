# SPDX-License-Identifier: Apache-2.0
# Makes one C array of a page: cmake -DPAGE=web/page.html -DNAME=web_page -DOUT=web_page.c -P bundle.cmake
#
# In the page, the line `<link rel="stylesheet" href="page.css">` becomes a style element with that file, and
# `<script type="module" src="main.js">` a script with it and what it imports. A module is a file of web/ whose imports
# stand at its head, one a line: imported modules come first, `import` lines and the word `export` are dropped, and all
# share one scope. So a browser can also run the folder as it is, and a linter sees modules.
cmake_minimum_required(VERSION 3.18)
get_filename_component(folder ${PAGE} DIRECTORY)

# Appends the module, behind its imports, to `joined`, unless it is there.
function(join_module file)
  get_property(seen GLOBAL PROPERTY seen)
  if(file IN_LIST seen)
    return()
  endif()
  set_property(GLOBAL APPEND PROPERTY seen ${file})
  file(READ ${folder}/${file} text)
  string(REGEX MATCHALL "\nimport [^\n]* from \"./[a-z_]+\\.js\";" imports "${text}")
  foreach(line IN LISTS imports)
    if(line MATCHES "\"\\./([a-z_]+\\.js)\"")
      join_module(${CMAKE_MATCH_1})
    endif()
  endforeach()
  string(REGEX REPLACE "\nimport [^\n]*" "" text "${text}")
  string(REPLACE "\nexport " "\n" text "${text}")
  get_property(joined GLOBAL PROPERTY joined)
  set_property(GLOBAL PROPERTY joined "${joined}${text}")
endfunction()

file(READ ${PAGE} page)
if(page MATCHES "<link rel=\"stylesheet\" href=\"([a-z_]+\\.css)\">")
  set(line "${CMAKE_MATCH_0}")
  file(READ ${folder}/${CMAKE_MATCH_1} style)
  string(REPLACE "${line}" "<style>\n${style}</style>" page "${page}")
endif()
if(page MATCHES "<script type=\"module\" src=\"([a-z_]+\\.js)\"></script>")
  set(line "${CMAKE_MATCH_0}")
  join_module(${CMAKE_MATCH_1})
  get_property(script GLOBAL PROPERTY joined)
  string(REPLACE "${line}" "<script>\n(() => {\n\"use strict\";\n${script}})();\n</script>" page "${page}")
endif()

file(WRITE ${OUT}.html "${page}")
include(${CMAKE_CURRENT_LIST_DIR}/bytes.cmake)
read_bytes(${OUT}.html bytes)
file(CONFIGURE OUTPUT ${OUT} @ONLY CONTENT
     "extern const char @NAME@[];\nconst char @NAME@[] = {\n@bytes@0};\n")
