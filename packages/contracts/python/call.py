"""Calls ControlPlaneService with Google's own gRPC for Python.

    SIGNALBOX_KEY=... python3 call.py HOST:PORT PROTO_FOLDER...

Each line of the input is a call, {"method": ..., "request": ...}; each line of the output is its answer,
{"code": ..., "answer": ...}, in the messages' JSON mapping. The .proto files are compiled with protoc.
"""

import json
import os
import pathlib
import sys
import tempfile

import grpc
from google.protobuf import json_format

from round_trip import compile_messages

SERVICE = "vasini.agent.v1.ControlPlaneService"
PACKAGE = "vasini.agent.v1"


def main() -> int:
    address, *folders = sys.argv[1:]
    metadata = [("authorization", f"Bearer {os.environ['SIGNALBOX_KEY']}")]
    with tempfile.TemporaryDirectory() as generated, grpc.insecure_channel(address) as channel:
        types = compile_messages([pathlib.Path(folder) for folder in folders], pathlib.Path(generated))
        for line in sys.stdin:
            asked = json.loads(line)
            method = asked["method"]
            call = channel.unary_unary(
                f"/{SERVICE}/{method}",
                request_serializer=types[f"{PACKAGE}.{method}Request"].SerializeToString,
                response_deserializer=types[f"{PACKAGE}.{method}Response"].FromString,
            )
            request = json_format.ParseDict(asked["request"], types[f"{PACKAGE}.{method}Request"]())
            try:
                answer = call(request, metadata=metadata, timeout=20)
                told = {"code": "OK", "answer": json_format.MessageToDict(answer)}
            except grpc.RpcError as error:
                told = {"code": error.code().name, "answer": error.details()}
            print(json.dumps(told), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
