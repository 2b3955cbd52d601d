#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# configure.sh BUILD [-DNAME=VALUE...]: configures the build tree, unless it has these values and no package has been installed
# or removed since. Files that change, appear or go are noticed by the build itself.
set -eu
build=$1
shift
done=$build/CMakeFiles/cmake.check_cache # written by every configuration
fresh() {
    [ -e "$done" ] && [ ! /var/lib/dpkg/status -nt "$done" ] || return
    for option; do
        sed -nE 's/^([A-Za-z_]+):[A-Z]+=/-D\1=/p' "$build/CMakeCache.txt" | grep -qxF -e "$option" || return
    done
}
fresh "$@" || exec cmake -S . -B "$build" "$@"
