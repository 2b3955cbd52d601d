# SPDX-License-Identifier: Apache-2.0
# Drivers are built where the client libraries of their stores are found; `assay list drivers` and `assay drive` say what is
# missing.

# assay_driver_with(NAME TITLE MODULES...)
function(assay_driver_with name title)
  assay_packaged(assay_collect ${name} "${title}: assay drive cannot reach its servers" ${ARGN})
endfunction()

assay_driver_with(SQLITE "SQLite" sqlite3)
assay_driver_with(MARIADB "MariaDB Connector/C" libmariadb)
assay_driver_with(POSTGRES "libpq" libpq)
assay_driver_with(HIREDIS "hiredis" hiredis)
assay_driver_with(CURL "libcurl and jansson" libcurl jansson)
