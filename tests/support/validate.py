# SPDX-License-Identifier: Apache-2.0
"""Validates JSON Lines against a schema: validate.py FOLDER NAME < LINES

FOLDER/NAME.schema.json is the schema; the others of the folder can be referred to by their names. Prints the first
faults and, at the end, how many lines there were. Lines of one shape need to be looked at only a few times: the shape is
the record with its numbers and strings replaced by their types, except for names of patterns and rules.

With --damage, each line is damaged in many ways instead, one at a time: a field is taken away, renamed, or gets a value
of another type. Prints those that are still valid, except for the optional fields given.
"""
import json
import pathlib
import sys

import jsonschema

NAMES = {"pattern", "rule", "verdict"}


def validator(folder, name):
    schemas = {path.name: json.loads(path.read_text()) for path in pathlib.Path(folder).glob("*.schema.json")}
    schema = schemas[name + ".schema.json"]
    jsonschema.Draft202012Validator.check_schema(schema)
    try:
        from referencing import Registry, Resource

        known = [(key, Resource.from_contents(value)) for key, value in schemas.items()]
        return jsonschema.Draft202012Validator(schema, registry=Registry().with_resources(known))
    except ImportError:  # releases before 4.18
        resolver = jsonschema.RefResolver.from_schema(schema, store=schemas)
        return jsonschema.Draft202012Validator(schema, resolver=resolver)


def shape(value, key=None):
    if isinstance(value, dict):
        return tuple((k, shape(v, k)) for k, v in value.items())
    if isinstance(value, list):
        return frozenset(shape(v) for v in value)
    return value if key in NAMES else type(value).__name__


def read(lines, most):
    seen = {}
    for number, line in enumerate(lines, 1):
        record = json.loads(line)
        kind = shape(record)
        seen[kind] = seen.get(kind, 0) + 1
        if seen[kind] <= most:
            yield number, record


def damaged(record, at=""):
    """The record with one fault each, and where it is."""
    if isinstance(record, dict):
        for key, value in record.items():
            where = at + "." + key
            rest = {k: v for k, v in record.items() if k != key}
            yield where + " absent", rest
            yield where + " renamed", {**rest, key + "_": value}
            for fault, worse in damaged(value, where):
                yield fault, {**record, key: worse}
        yield at + ".more", {**record, "more": 1}
    elif isinstance(record, list):
        for i, value in enumerate(record[:2]):
            for fault, worse in damaged(value, at + "[]"):
                yield fault, record[:i] + [worse] + record[i + 1:]
        yield at + " not a list", {"0": 1}
    elif isinstance(record, str):
        yield at + " a number", 7
    else:
        yield at + " a text", "seven"
        if not isinstance(record, bool) and isinstance(record, int):
            yield at + " negative", -1


def main():
    folder, name = sys.argv[1:3]
    check = validator(folder, name)
    tolerated = set(sys.argv[4:]) if "--damage" in sys.argv else None
    faults = tried = 0
    for number, record in read(sys.stdin, 3 if tolerated is None else 1):
        if tolerated is None:
            tried += 1
            for error in check.iter_errors(record):
                faults += 1
                if faults <= 5:
                    print(f"line {number}: {error.json_path}: {error.message[:200]}: {json.dumps(record)[:300]}")
            continue
        for fault, worse in damaged(record):
            tried += 1
            if fault not in tolerated and check.is_valid(worse):
                faults += 1
                tolerated.add(fault)
                print(f"line {number} is still valid with the fault '{fault}': {json.dumps(worse)[:300]}")
    print(f"{name}: {tried} records validated, {faults} faults")
    sys.exit(faults > 0)


main()
