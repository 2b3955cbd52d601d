#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Tests of the pages: run.sh lint WORK | run.sh test WORK ASSAY | run.sh measure WORK ASSAY | run.sh screenshots WORK
# ASSAY FOLDER. The packages of package-lock.json are installed into WORK, which is outside of the source tree.
set -u
here=$(realpath "$(dirname "$0")")
what=${1:?lint, test, measure or screenshots} work=${2:?a folder to work in}

left_out() {
    echo "browser: left out: $1"
    exit 77
}

command -v node >/dev/null && command -v npm >/dev/null || left_out "no node and npm here (Debian: nodejs, npm)"
mkdir -p "$work"
cp "$here"/package.json "$here"/package-lock.json "$here"/*.js "$work"/
(
    flock 9
    cd "$work" && cmp -s package-lock.json installed ||
        { npm ci --no-audit --no-fund --ignore-scripts >npm.log 2>&1 && cp package-lock.json installed; }
) 9>"$work/lock" || left_out "npm cannot install the packages of tests/browser: $(tail -n1 "$work/npm.log")"

case $what in
lint)
    rm -rf "$work/web" && cp -r "$here/../../web" "$work/web"
    cd "$work" && node_modules/.bin/eslint --max-warnings 0 web ./*.js && echo "eslint: web/ and tests/browser are clean"
    ;;
test | measure | screenshots)
    chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
        left_out "no Chromium here (Debian: chromium)"
    folder=$(realpath "${4:-.}")
    ASSAY=$(realpath "${3:?which assay}") CHROMIUM=$chromium SCRATCH=$(mktemp -d)
    export ASSAY CHROMIUM SCRATCH
    trap 'rm -rf "$SCRATCH"' EXIT
    cd "$work" || exit
    case $what in
    test)
        command -v mkdocs >/dev/null || left_out "no mkdocs here (Debian: mkdocs, mkdocs-material)"
        "$here/../../tools/site.sh" "$SCRATCH/site" || exit
        node --test --test-reporter=spec ./*.test.js
        ;;
    measure) node opening.js ;;
    screenshots) node screenshots.js "$folder" ;;
    esac
    ;;
esac
