# SPDX-License-Identifier: Apache-2.0
# The viewer, where libmicrohttpd is found; without it `assay serve` says so.

if(PKG_CONFIG_FOUND)
  pkg_check_modules(MICROHTTPD IMPORTED_TARGET libmicrohttpd>=0.9.71)
endif()
if(MICROHTTPD_FOUND)
  include(cmake/Embed.cmake)
  file(GLOB ASSAY_SERVE_SOURCES CONFIGURE_DEPENDS cli/serve/*.c)
  add_library(assay_serve STATIC ${ASSAY_SERVE_SOURCES})
  assay_embed(assay_serve serve_assets web/serve/serve.html web/serve/serve.css web/serve/serve.js)
  target_link_libraries(assay_serve PUBLIC PkgConfig::MICROHTTPD assay_inside Threads::Threads)
  target_include_directories(assay_serve PUBLIC cli ${PROJECT_SOURCE_DIR})
  target_compile_definitions(assay_cli PRIVATE ASSAY_WITH_MICROHTTPD)
  target_link_libraries(assay_cli PRIVATE assay_serve)
else()
  message(STATUS "built without libmicrohttpd: assay serve cannot be used")
endif()
