# SPDX-License-Identifier: Apache-2.0
# Drivers are built where the client libraries of their stores are found; what is missing is said here, by `assay list
# drivers` and by `assay drive`.

# assay_driver_with(NAME TITLE MODULES...): NAME is the rest of ASSAY_WITH_NAME.
function(assay_driver_with name title)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(${name} IMPORTED_TARGET ${ARGN})
  endif()
  if(${name}_FOUND)
    target_compile_definitions(assay_collect PRIVATE ASSAY_WITH_${name})
    target_link_libraries(assay_collect PRIVATE PkgConfig::${name})
  else()
    message(STATUS "built without ${title}: assay drive cannot reach its servers")
  endif()
endfunction()

assay_driver_with(SQLITE "SQLite" sqlite3)
assay_driver_with(MARIADB "MariaDB Connector/C" libmariadb)
assay_driver_with(POSTGRES "libpq" libpq)
assay_driver_with(HIREDIS "hiredis" hiredis)
assay_driver_with(CURL "libcurl and jansson" libcurl jansson)
