# SPDX-License-Identifier: Apache-2.0
# The viewer, where libmicrohttpd is found; without it `assay serve` says so. Its parts that need no server have tests of
# their own.

set(parts broadcast json_object request tree whole)
list(TRANSFORM parts REPLACE "(.+)" "${CMAKE_CURRENT_LIST_DIR}/\\1.c")
add_library(assay_serve_parts STATIC EXCLUDE_FROM_ALL ${parts})
target_link_libraries(assay_serve_parts PUBLIC assay_terminal)

assay_packaged(assay_cli MICROHTTPD "libmicrohttpd: assay serve cannot be used" libmicrohttpd>=0.9.71)
if(MICROHTTPD_FOUND)
  file(GLOB ASSAY_SERVE_SOURCES CONFIGURE_DEPENDS cli/serve/*.c)
  list(REMOVE_ITEM ASSAY_SERVE_SOURCES ${parts})
  add_library(assay_serve STATIC ${ASSAY_SERVE_SOURCES})
  assay_embed(assay_serve serve_assets web/serve/serve.html web/serve/serve.css web/serve/serve.js)
  target_link_libraries(assay_serve PUBLIC PkgConfig::MICROHTTPD assay_serve_parts)
  target_link_libraries(assay_cli PRIVATE assay_serve)
endif()
