import { type DescMethod, type DescMethodUnary, fromJson, type JsonValue, toJson } from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import {
  createConnectTransport,
  createGrpcTransport,
  createGrpcWebTransport,
} from "@connectrpc/connect-node";
import { ControlPlaneService } from "@signalbox/contracts";
import type { Action } from "@signalbox/core";
import { z } from "zod";
import type { Asker } from "./askers.ts";
import type { Asked, Said, Verdict } from "./door.ts";
import { methodSamples } from "./samples.ts";
import { named, type Things } from "./things.ts";

/** Every method of the service that is there, over each protocol. */
export function askedMethods(baseUrl: string): Asked[] {
  const transports = {
    Connect: createConnectTransport({ baseUrl, httpVersion: "1.1", useBinaryFormat: false }),
    gRPC: createGrpcTransport({ baseUrl }),
    "gRPC-web": createGrpcWebTransport({ baseUrl, httpVersion: "1.1" }),
  };
  return Object.entries(transports).flatMap(([protocol, transport]) =>
    ControlPlaneService.methods.flatMap((method): Asked[] => {
      const sample = methodSamples[method.name];
      if (sample === undefined || !isUnary(method)) return [];
      const [action, request] = sample;
      return [
        askedMethod(`${method.name} by ${protocol}`, transport, method, action, JSON.stringify(request)),
      ];
    }),
  );
}

function askedMethod(
  name: string,
  transport: Transport,
  method: DescMethodUnary,
  action: Action,
  request: string,
): Asked {
  const ask = async (asker: Asker, things: Things): Promise<Said> => {
    const message = fromJson(method.input, json(named(request, things)));
    try {
      const answer = await transport.unary(method, undefined, 10_000, asker.headers(), message, undefined);
      return { verdict: "let in", told: JSON.stringify(toJson(method.output, answer.message)) };
    } catch (thrown) {
      const error = ConnectError.from(thrown);
      return { verdict: verdicts.get(error.code) ?? "let in", told: `${error.code} ${error.message}` };
    }
  };
  return { name, actions: [action], names: true, ask };
}

const isUnary = (method: DescMethod): method is DescMethodUnary => method.methodKind === "unary";

const verdicts = new Map<Code, Verdict>([
  [Code.Unauthenticated, 401],
  [Code.PermissionDenied, 403],
]);

const json = (text: string): JsonValue => z.json().parse(JSON.parse(text));
