# SPDX-License-Identifier: Apache-2.0
# For tests of programs, to be sourced: expect STATUS TEXT COMMAND..., which ends the test unless the command ends with the
# status and says, somewhere, the text. Its output stays in the file `said` of the current folder.
expect() {
    local status=0 wanted=$1 text=$2
    shift 2
    "$@" >said 2>&1 || status=$?
    if [ $status -ne "$wanted" ] || ! grep -qF -- "$text" said; then
        echo "expected status $wanted and '$text' from: $*; got status $status and:"
        cat said
        exit 1
    fi
}
