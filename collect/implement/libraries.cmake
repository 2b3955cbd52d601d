# SPDX-License-Identifier: Apache-2.0
# Adapters of real libraries are built where the libraries are found; what is missing is said here, by `assay list
# implementations` and by `assay stress`.

# assay_adapters_with(NAME TITLE MODULES...): NAME is the rest of ASSAY_WITH_NAME. Thread sanitizers do not
# understand libraries that synchronize by instructions of their own.
function(assay_adapters_with name title)
  if(PKG_CONFIG_FOUND AND NOT ASSAY_SANITIZE MATCHES thread)
    pkg_check_modules(${name} IMPORTED_TARGET ${ARGN})
  endif()
  if(${name}_FOUND)
    target_compile_definitions(assay_collect PRIVATE ASSAY_WITH_${name})
    target_link_libraries(assay_collect PRIVATE PkgConfig::${name})
  else()
    message(STATUS "built without ${title}: assay stress cannot try its structures")
  endif()
endfunction()

assay_adapters_with(CK "Concurrency Kit" ck)
assay_adapters_with(URCU "Userspace RCU" liburcu liburcu-cds)
assay_adapters_with(GLIB "GLib" glib-2.0)
