import { type OfferedRoute, procedures } from "@signalbox/api";
import { ControlPlaneService } from "@signalbox/contracts";
import { topicKinds } from "@signalbox/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { exampleWorld } from "./testing/example-world.ts";
import { type Asker, everyAsker, tableSays } from "./testing/matrix/askers.ts";
import { type Asked, differencesOf, faultsOf } from "./testing/matrix/door.ts";
import { askedMethods } from "./testing/matrix/methods.ts";
import { askedProcedures } from "./testing/matrix/procedures.ts";
import {
  actionOf,
  askedRoutes,
  isOpen,
  routeName,
  send,
  toldBy,
  unservedRoutes,
} from "./testing/matrix/routes.ts";
import { methodSamples, procedureSamples, topicSamples } from "./testing/matrix/samples.ts";
import { makeThings, type Things } from "./testing/matrix/things.ts";
import { askedTopics } from "./testing/matrix/topics.ts";
import { readDocument, type ReadOperation } from "./testing/open-api.ts";
import { packId } from "./testing/plain-agent.ts";
import { restClient } from "./testing/rest-client.ts";
import { startOidcServer } from "./testing/oidc-server.ts";
import type { TestServer } from "./testing/test-server.ts";

let opened: Awaited<ReturnType<typeof startOidcServer>>;
let server: TestServer;
const served: OfferedRoute[] = [];
let operations: readonly ReadOperation[];
let foreign: readonly Asker[];
let things: Things;
beforeAll(async () => {
  // With a provider, so that its two routes are served, listed and asked too.
  opened = await startOidcServer({ onRoute: (route) => served.push(route) });
  ({ server } = opened);
  operations = readDocument(await (await fetch(`${server.origin}/openapi.json`)).json()).operations;
  // Those who may do the most, and what is asked for is not theirs.
  const theirs = await everyAsker(server, "elsewhere", packId);
  foreign = theirs.filter(({ name }) => /^(admin|agent by key)/.test(name));
  const ours = await everyAsker(server, "default", packId);
  const administrator = ours.find(({ name }) => name === "admin signed in");
  things = await makeThings(server, restClient(server, administrator?.headers() ?? {}));
}, 30_000);
afterAll(() => opened.dispose());

const wanted = (asker: Asker, { actions }: Asked) =>
  actions.map((action) => tableSays(asker, action, packId)).find((said) => said !== "let in") ?? "let in";
/** Each time with new sessions: signing out is asked for too. */
const faultsAt = async (asked: readonly Asked[]) =>
  faultsOf(asked, await everyAsker(server, "matrix", packId), wanted);

describe("D15 REST", () => {
  test("each operation names its action in the permission table, or is open to everybody", () => {
    const unnamed = operations.filter((one) => !isOpen(one) && actionOf(one) === undefined);
    // Its tools are commands, each of which asks the table itself.
    expect(unnamed.map(({ operationId }) => operationId)).toEqual(["callTool"]);
    expect(operations.filter(isOpen).map(routeName).toSorted()).toEqual(openOperations);
  });

  test("everybody is let in where the permission table says so, and nowhere else", async () => {
    const asked = askedRoutes(server.origin, operations, served);
    expect(asked.length).toBeGreaterThan(60);
    expect(await faultsAt(asked)).toEqual({});
  }, 60_000);

  test("the way to the provider is open to whoever comes, and the way back to nobody who did not begin it there", async () => {
    const askers = [...(await everyAsker(server, "matrix", packId)), ...foreign];
    expect(askers.length).toBeGreaterThan(12);
    for (const asker of askers) {
      const headers = asker.headers();
      const ask = (path: string) => fetch(`${server.origin}${path}`, { headers, redirect: "manual" });
      for (const tenantId of ["default", "elsewhere", "never-was"]) {
        const begun = await ask(`/v1/session/oidc?tenantId=${tenantId}`);
        const to = new URL(begun.headers.get("location") ?? "");
        expect([asker.name, begun.status, to.origin]).toEqual([
          asker.name,
          303,
          new URL(opened.provider.issuer).origin,
        ]);
        expect(begun.headers.getSetCookie().map((cookie) => cookie.split("=", 1)[0])).toEqual([
          "signalbox_oidc",
        ]);
      }
      const back = await ask("/v1/session/oidc/callback?code=stolen&state=stolen");
      expect([asker.name, back.status, back.headers.get("location")]).toEqual([
        asker.name,
        303,
        "/sign-in?refused=not-begun-here",
      ]);
      // Nothing of it signs anybody in.
      expect(back.headers.getSetCookie().filter((cookie) => cookie.startsWith("signalbox_session"))).toEqual(
        [],
      );
    }
  }, 60_000);

  test("a verb that a path does not serve is refused to whoever comes", async () => {
    const resources = unservedRoutes(operations, served).filter(({ path }) => path.startsWith("/v1/"));
    const answers = resources.map(async ({ method, path }) => {
      const { status } = await fetch(`${server.origin}${path.replaceAll(/[{}]/g, "")}`, { method });
      return { method, path, status };
    });
    expect(answers.length).toBeGreaterThan(100);
    expect((await Promise.all(answers)).filter(({ status }) => status !== 405)).toEqual([]);
  });

  test("another tenant's and what never was look the same", async () => {
    const world = exampleWorld(server, operations);
    await world.prepare();
    // What a person does for the examples is done in their session.
    for (const one of operations) if (one.operationId === "openSession") await world.send(one);
    const faults: Record<string, unknown> = {};
    for (const operation of operations.filter((one) => one.path.includes("{") && !isOpen(one))) {
      const ids = await world.idsOf(operation);
      for (const asker of foreign) {
        const theirs = await toldBy(send(server.origin, operation, asker, { ids }), ids);
        const never = await toldBy(send(server.origin, operation, asker), {});
        if (theirs !== never) faults[`${asker.name}: ${operation.operationId}`] = { theirs, never };
      }
    }
    expect(faults).toEqual({});
  }, 60_000);
});

const openOperations = [
  "GET /.well-known/jwks.json",
  "GET /healthz",
  "GET /openapi.json",
  "GET /readyz",
  "GET /v1/attachments/{attachmentId}/content",
  "GET /v1/session/oidc",
  "GET /v1/session/oidc/callback",
  "POST /v1/session",
];

describe("D15 every line of testing/matrix/samples.ts", () => {
  test("is a tRPC procedure's, and each has one", () => {
    const lineless = procedures.filter(({ path }) => procedureSamples[path] === undefined);
    expect(lineless.map(({ path }) => `"${path}": [action, input],`)).toEqual([]);
    const names = new Set(procedures.map(({ path }) => path));
    expect(Object.keys(procedureSamples).filter((path) => !names.has(path))).toEqual([]);
    const subscriptions = procedures.filter(({ type }) => type === "subscription");
    expect(subscriptions.map(({ path }) => path)).toEqual(["system.readiness"]);
    const open = Object.entries(procedureSamples).filter(([, [action]]) => action === "open");
    // Who is signed in, how one signs in, what this is, and whether it is ready.
    expect(open.map(([path]) => path).toSorted()).toEqual([
      "session.current",
      "session.ways",
      "system.about",
      "system.readiness",
    ]);
  });

  test("is a method's of ControlPlaneService, and each has one", () => {
    const names = ControlPlaneService.methods.map(({ name }) => name);
    expect(Object.keys(methodSamples).toSorted()).toEqual(names.toSorted());
  });

  test("is a topic's of the stream, and each has one", () => {
    expect(Object.keys(topicSamples).toSorted()).toEqual(topicKinds.toSorted());
  });
});

const doors = {
  tRPC: askedProcedures,
  "Connect, gRPC and gRPC-web": askedMethods,
  "the stream": askedTopics,
};

describe.each(Object.entries(doors))("D15 %s", (_door, askedAt) => {
  test("everybody is let in where the permission table says so, and nowhere else", async () => {
    expect(await faultsAt(askedAt(server.origin))).toEqual({});
  }, 60_000);

  test("another tenant's and what never was look the same", async () => {
    expect(await differencesOf(askedAt(server.origin), foreign, things)).toEqual({});
  }, 60_000);
});
