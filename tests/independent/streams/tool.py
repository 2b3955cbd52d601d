# SPDX-License-Identifier: Apache-2.0
"""Runs the monitor."""
import json
import subprocess
import sys

ASSAY = sys.argv[1]


def monitor(stream, *args):
    """The status, the violations, the summary (None: there is none) and what was said on standard error."""
    try:
        p = subprocess.run([ASSAY, "monitor", "--json", *args, "-"], input=stream.encode(), capture_output=True,
                           timeout=600)
    except subprocess.TimeoutExpired:
        return -1, [], None, "it did not end"
    records = [json.loads(line) for line in p.stdout.decode().splitlines()]
    summary = next((r for r in records if r.get("type") == "summary"), None)
    return p.returncode, [r for r in records if r.get("type") == "violation"], summary, p.stderr.decode()
