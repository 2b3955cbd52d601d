# SPDX-License-Identifier: Apache-2.0
# Adapters of real libraries are built where the libraries are found; `assay list implementations` and `assay stress` say
# what is missing.

# assay_adapters_with(NAME TITLE MODULES...). Thread sanitizers do not understand libraries that synchronize by
# instructions of their own.
function(assay_adapters_with name title)
  set(missing "${title}: assay stress cannot try its structures")
  if(ASSAY_SANITIZE MATCHES thread)
    assay_optional(assay_collect ${name} OFF "${missing}")
  else()
    assay_packaged(assay_collect ${name} "${missing}" ${ARGN})
  endif()
endfunction()

assay_adapters_with(CK "Concurrency Kit" ck)
assay_adapters_with(URCU "Userspace RCU" liburcu liburcu-cds)
assay_adapters_with(GLIB "GLib" glib-2.0)

# ---- C++ libraries: a plug-in, which the program loads ----

option(ASSAY_CPP "build the plug-in with C++ libraries for assay stress, if they are found" ON)
set(plugin_folder ${CMAKE_INSTALL_LIBDIR}/assay)
file(RELATIVE_PATH plugin_from_program /usr/${CMAKE_INSTALL_BINDIR} /usr/${plugin_folder})
target_compile_definitions(assay_collect PRIVATE ASSAY_PLUGIN_FOLDER="${plugin_from_program}")

check_language(CXX)
if(NOT ASSAY_CPP OR NOT CMAKE_CXX_COMPILER OR ASSAY_SANITIZE OR ASSAY_FUZZ)
  message(STATUS "built without the plug-in for C++ libraries")
  return()
endif()
enable_language(CXX)

# assay_plugin_with(NAME TITLE HEADER [LIBRARY]): its file is cpp/name.cpp. Without any, there is no plug-in.
function(assay_plugin_with name title header)
  find_path(${name}_INCLUDE ${header})
  if(ARGN)
    find_library(${name}_LIBRARY ${ARGN})
  else()
    set(${name}_LIBRARY "")
  endif()
  if(NOT ${name}_INCLUDE OR "${${name}_LIBRARY}" MATCHES "NOTFOUND|OFF")
    message(STATUS "built without ${title}: assay stress cannot try its containers")
    set(plugin_definitions ${plugin_definitions} ASSAY_WITH_${name}=0 PARENT_SCOPE)
    return()
  endif()
  string(TOLOWER ${name} file)
  set(plugin_definitions ${plugin_definitions} ASSAY_WITH_${name}=1 PARENT_SCOPE)
  set(plugin_sources ${plugin_sources} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/cpp/${file}.cpp PARENT_SCOPE)
  set(plugin_includes ${plugin_includes} ${${name}_INCLUDE} PARENT_SCOPE)
  set(plugin_libraries ${plugin_libraries} ${${name}_LIBRARY} PARENT_SCOPE)
endfunction()

assay_plugin_with(TBB "oneTBB" oneapi/tbb/concurrent_queue.h tbb)
assay_plugin_with(BOOST "Boost.Lockfree" boost/lockfree/queue.hpp)
assay_plugin_with(XENIUM "xenium" xenium/ramalhete_queue.hpp)
assay_plugin_with(CDS "libcds" cds/container/segmented_queue.h cds)
assay_plugin_with(MOODYCAMEL "moodycamel::ConcurrentQueue" concurrentqueue/concurrentqueue.h)
if(NOT plugin_sources)
  return()
endif()

add_library(assay_stress_cpp MODULE ${CMAKE_CURRENT_LIST_DIR}/cpp/plugin.cpp ${plugin_sources})
set_target_properties(assay_stress_cpp PROPERTIES CXX_STANDARD 17 CXX_STANDARD_REQUIRED ON CXX_EXTENSIONS OFF
                                                  CXX_VISIBILITY_PRESET hidden
                                                  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
# What is tested is compiled as users compile it, but for the time that -O3 takes.
target_compile_options(assay_stress_cpp PRIVATE -O2 -g0)
target_compile_definitions(assay_stress_cpp PRIVATE ${plugin_definitions})
target_include_directories(assay_stress_cpp PRIVATE include ${PROJECT_SOURCE_DIR})
target_include_directories(assay_stress_cpp SYSTEM PRIVATE ${plugin_includes})
target_link_libraries(assay_stress_cpp PRIVATE ${plugin_libraries} Threads::Threads)
install(TARGETS assay_stress_cpp DESTINATION ${plugin_folder})
