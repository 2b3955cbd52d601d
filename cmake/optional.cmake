# SPDX-License-Identifier: Apache-2.0
# Optional parts: what is missing is said by the configuration here, and by the program ("built without ...").

find_package(PkgConfig)

# assay_optional(TARGET NAME FOUND MISSING LIBRARIES...): if it was found, the target is compiled with ASSAY_WITH_NAME, and it
# and what links it get the libraries; else the words say what is missing.
function(assay_optional target name found missing)
  if(found)
    target_compile_definitions(${target} PRIVATE ASSAY_WITH_${name})
    target_link_libraries(${target} PUBLIC ${ARGN})
  else()
    message(STATUS "built without ${missing}")
  endif()
endfunction()

# assay_packaged(TARGET NAME MISSING MODULES...): the same with modules of pkg-config. They set NAME_FOUND.
function(assay_packaged target name missing)
  if(PKG_CONFIG_FOUND)
    pkg_check_modules(${name} IMPORTED_TARGET ${ARGN})
  endif()
  assay_optional(${target} ${name} "${${name}_FOUND}" "${missing}" PkgConfig::${name})
endfunction()
