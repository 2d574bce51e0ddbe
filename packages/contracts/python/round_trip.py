"""Reads and writes every golden vector with Google's own Python runtime.

    python3 round_trip.py PROTO_FOLDER... --vectors FOLDER --out FOLDER

The .proto files are compiled with protoc into a temporary folder. What Python makes of each vector is written to
--out, so that another language can read it back. The last line is the count.
"""

import argparse
import importlib
import json
import pathlib
import subprocess
import sys
import tempfile

from google.protobuf import json_format
from google.protobuf.descriptor import FieldDescriptor


def main() -> int:
    parser = argparse.ArgumentParser(description="Round trip of the golden vectors through Python")
    parser.add_argument("protos", nargs="+", type=pathlib.Path)
    parser.add_argument("--vectors", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    arguments = parser.parse_args()

    with tempfile.TemporaryDirectory() as generated:
        types = compile_messages(arguments.protos, pathlib.Path(generated))
        passed = failed = 0
        for vector in json.loads((arguments.vectors / "manifest.json").read_text(encoding="utf-8")):
            faults = round_trip(types[vector["message"]], arguments.vectors / vector["file"], arguments.out / vector["file"])
            for fault in faults:
                print(f"{vector['file']}: {fault}", file=sys.stderr)
            passed += not faults
            failed += bool(faults)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    return 1 if failed else 0


def compile_messages(roots: list[pathlib.Path], target: pathlib.Path) -> dict[str, type]:
    """The message classes of all .proto files below the roots, by their full names."""
    files = [file.relative_to(root) for root in roots for file in sorted(root.rglob("*.proto"))]
    includes = [f"--proto_path={root}" for root in roots]
    subprocess.run(["protoc", *includes, f"--python_out={target}", *map(str, files)], check=True)
    sys.path.insert(0, str(target))
    types = {}
    for file in files:
        module = importlib.import_module(".".join(file.with_suffix("").parts) + "_pb2")
        for name, descriptor in module.DESCRIPTOR.message_types_by_name.items():
            types[descriptor.full_name] = getattr(module, name)
    return types


def round_trip(message_type: type, source: pathlib.Path, target: pathlib.Path) -> list[str]:
    """What differs when a vector goes through Python, or nothing."""
    binary = source.with_name(source.name + ".binpb").read_bytes()
    text = source.with_name(source.name + ".json").read_text(encoding="utf-8")

    from_binary = message_type()
    from_binary.ParseFromString(binary)
    from_json = json_format.Parse(text, message_type())
    written_binary = from_json.SerializeToString(deterministic=True)
    written_json = json_format.MessageToJson(from_binary)

    target.parent.mkdir(parents=True, exist_ok=True)
    target.with_name(target.name + ".binpb").write_bytes(written_binary)
    target.with_name(target.name + ".json").write_text(written_json, encoding="utf-8")

    expected = json.loads(text)
    checks = {
        "binary and JSON are different messages": from_binary == from_json,
        "the bytes change": written_binary == binary,
        "the JSON changes": json.loads(written_json) == expected,
        "another set of fields is present": presence(from_binary) == keys(expected, from_binary.DESCRIPTOR),
    }
    return [fault for fault, holds in checks.items() if not holds]


def presence(message) -> dict:
    """Which fields are present, by their JSON names, all the way down: oneof members among them."""
    return {
        field.json_name: [presence(item) for item in each(field, value)] if nested(field) else True
        for field, value in message.ListFields()
    }


def keys(value: dict, descriptor) -> dict:
    """The same of a JSON object."""
    fields = {field.json_name: field for field in descriptor.fields}
    return {
        name: [keys(item, fields[name].message_type) for item in (part if isinstance(part, list) else [part])]
        if nested(fields[name])
        else True
        for name, part in value.items()
    }


def each(field: FieldDescriptor, value) -> list:
    return list(value) if field.label == FieldDescriptor.LABEL_REPEATED else [value]


def nested(field: FieldDescriptor) -> bool:
    """Whether the field holds messages whose JSON is an object of their fields."""
    return field.message_type is not None and not field.message_type.full_name.startswith("google.protobuf.")


if __name__ == "__main__":
    sys.exit(main())
