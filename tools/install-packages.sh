#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Installs the Debian packages that are missing, and only those:
#
#   tools/install-packages.sh build test ...      groups: build test libraries servers databases browser bench fuzz lint site tex
#
# When everything is there it asks dpkg once and is done: no network, no root. On a system without apt it
# says what is needed and goes on, because the packages may be there under another name.
set -u

clients() {
    echo libmariadb-dev libhiredis-dev libpq-dev libcurl4-openssl-dev libjansson-dev libsqlite3-dev
}

# For the tests of pages. Where another installation has brought node and npm, Debian's are not wanted.
node_and_npm() {
    echo chromium
    command -v npm >/dev/null || echo nodejs npm
}

packages_of() {
    case $1 in
    build) echo gcc libc6-dev make cmake ninja-build pkg-config zlib1g-dev libzstd-dev libcadical-dev picosat libmicrohttpd-dev ;;
    test) echo libcmocka-dev gringo zstd gzip curl graphviz python3-jsonschema ;;
    libraries) # with structures to stress, C++ ones for a plug-in; clients of databases
        echo libck-dev liburcu-dev libglib2.0-dev
        echo g++ libtbb-dev libboost-dev libxenium-dev libcds-dev libconcurrentqueue-dev
        clients
        ;;
    servers) echo redis-server postgresql-15 ;; # that start in seconds
    databases) # servers for `assay cluster`, and clients for `assay drive`
        echo mariadb-server galera-4 rsync redis-server postgresql-15 etcd-server iproute2
        clients
        ;;
    browser) node_and_npm ;;
    bench) echo gnuplot-nox python3 ;;
    fuzz) echo clang libclang-rt-14-dev ;;
    lint) echo clang-format clang-tidy ;;
    site) echo mkdocs mkdocs-material ;;
    tex) echo texlive-latex-base texlive-pictures texlive-latex-extra ;; # to compile pictures for papers
    *)
        echo "install-packages: unknown group '$1' (build, test, libraries, servers, databases, browser, bench, fuzz, lint, site, tex)" >&2
        return 1
        ;;
    esac
}

wanted=()
for group in "${@:-build}"; do
    list=$(packages_of "$group") || exit 2
    read -ra names <<<"${list//$'\n'/ }"
    wanted+=("${names[@]}")
done

if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    echo "install-packages: not a Debian system; needed (Debian's names): ${wanted[*]}"
    exit 0
fi

# pkg-config is a virtual package on newer Debians: what provides it counts.
installed=$(dpkg-query -W -f '${db:Status-Status} ${Package} ${Provides}\n' 2>/dev/null |
    sed -n 's/^installed //p' | tr -d ',' | tr ' ' '\n' | sed 's/:.*//' | sort -u)
missing=()
for name in "${wanted[@]}"; do
    grep -qx -- "$name" <<<"$installed" || missing+=("$name")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "install-packages: run as root: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi

# Another package manager may be at work: wait for it.
apt() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -q "$@"
}

install() {
    apt install -y --no-install-recommends "$@"
}

# One that this release does not have must not keep the others away.
install_each() {
    local name failed=()
    for name in "${missing[@]}"; do
        install "$name" || failed+=("$name")
    done
    [ ${#failed[@]} -eq 0 ] || { echo "install-packages: could not install ${failed[*]}" >&2 && return 1; }
}

# Servers are started by `assay cluster` only: while the packages are installed, a policy keeps their services from it. One that
# is there stays as it is.
policy=/usr/sbin/policy-rc.d
if [[ " $* " =~ \ (servers|databases)\  ]] && [ ! -e $policy ]; then
    trap '"${as_root[@]}" rm -f $policy' EXIT
    printf '#!/bin/sh\nexit 101\n' | "${as_root[@]}" tee $policy >/dev/null
    "${as_root[@]}" chmod 755 $policy
fi

echo "install-packages: installing ${missing[*]}"
# The package lists may be absent or old: fetch them only if the first try fails.
install "${missing[@]}" || { apt update && install "${missing[@]}"; } || install_each
