/**
 * The import table of the house (docs/architecture.md), enforced. A room may import what stands in its row and
 * nothing else of the workspace; `scripts/boundaries.test.ts` shows that each forbidden pair fails.
 */
export const rooms = {
  contracts: "packages/contracts",
  "agent-sdk": "packages/agent-sdk",
  core: "packages/core",
  db: "packages/db",
  engine: "packages/engine",
  link: "packages/link",
  api: "packages/api",
  testkit: "packages/testkit",
  server: "apps/server",
  cli: "apps/cli",
  web: "apps/web",
  bench: "bench",
  e2e: "e2e",
  examples: "examples",
};

export const mayImport = {
  contracts: [],
  "agent-sdk": ["contracts"],
  core: ["contracts"],
  db: ["contracts", "core"],
  engine: ["contracts", "core", "db"],
  link: ["contracts", "core", "engine"],
  api: ["contracts", "core", "engine"],
  testkit: ["contracts", "core", "db", "engine"],
  server: ["contracts", "agent-sdk", "core", "db", "engine", "link", "api"],
  cli: ["contracts", "core", "db", "engine", "link"],
  web: ["core", "api"],
  bench: ["contracts", "core", "db", "engine"],
  // Real agents, by the package that any agent is written with.
  e2e: ["agent-sdk"],
  // The demonstration runs a Signalbox in its own process; its agents know no more of it than its address.
  examples: ["agent-sdk", "server"],
};

/** npm packages that a room may import; a room that is not listed is not restricted. */
const libraries = {
  contracts: ["@bufbuild/protobuf", "@bufbuild/protovalidate", "@bufbuild/cel", "zod"],
  "agent-sdk": ["@bufbuild/protobuf"],
  core: [
    "@bufbuild/protobuf",
    "@marcbachmann/cel-js",
    "ajv",
    "canonicalize",
    "re2js",
    "semver",
    "yaml",
    "zod",
  ],
};

const tests = "\\.test\\.tsx?$|/(test|testing|bench|scripts)/";
const within = (room) => `^${rooms[room]}/`;
const anyOf = (paths) => paths.join("|");
const escaped = (text) => text.replaceAll("/", "\\/");

const roomRules = Object.keys(rooms).map((room) => ({
  name: `room-${room}`,
  comment: `${room} may import: ${mayImport[room].join(", ") || "no other room"}`,
  severity: "error",
  from: { path: within(room), pathNot: tests },
  to: {
    path: anyOf(
      Object.keys(rooms)
        .filter((other) => other !== room && !mayImport[room].includes(other))
        .map(within),
    ),
  },
}));

const testRoomRules = Object.keys(rooms).map((room) => ({
  name: `room-${room}-tests`,
  comment: `the tests of ${room} may import what ${room} may, and testkit`,
  severity: "error",
  from: { path: `^${rooms[room]}/.*(${tests})` },
  to: {
    path: anyOf(
      Object.keys(rooms)
        .filter((other) => other !== room && other !== "testkit" && !mayImport[room].includes(other))
        .map(within),
    ),
  },
}));

const libraryRules = Object.entries(libraries).map(([room, allowed]) => ({
  name: `libraries-${room}`,
  comment: `${room} may import these libraries only: ${allowed.join(", ")}`,
  severity: "error",
  from: { path: `${within(room)}src/`, pathNot: tests },
  to: {
    dependencyTypes: ["npm", "npm-dev", "npm-optional", "npm-peer", "npm-no-pkg", "npm-unknown"],
    pathNot: [
      ...allowed.map((name) => `node_modules/${escaped(name)}(/|$)`),
      ...allowed.map((name) => `^${escaped(name)}(/|$)`),
    ],
  },
}));

export default {
  forbidden: [
    ...roomRules,
    ...testRoomRules,
    ...libraryRules,
    {
      name: "core-is-pure",
      comment:
        "core takes inputs and the time, and gives state and effects; an agent may run elsewhere: no Node.js module",
      severity: "error",
      from: { path: "^packages/(core|contracts|agent-sdk)/src/", pathNot: tests },
      to: { dependencyTypes: ["core"] },
    },
    {
      name: "web-takes-types-of-api",
      comment: "the SPA takes the router's type; none of the server's code may reach the browser",
      severity: "error",
      from: { path: "^apps/web/" },
      to: { path: "^packages/api/", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "cli-runs-the-engine-in-one-file",
      comment:
        "the command line is a client of the server; only its dev mode runs the engine, behind one file",
      severity: "error",
      from: { path: "^apps/cli/src/", pathNot: ["^apps/cli/src/dev/engine\\.ts$", tests] },
      to: { path: "^packages/(db|engine|link)/" },
    },
    {
      name: "front-door",
      comment: "another room is entered by its package name, never by a path into its folder",
      severity: "error",
      from: { path: "^((?:apps|packages)/[^/]+|bench|e2e|examples)/" },
      to: {
        path: "^((?:apps|packages)/[^/]+|bench|e2e|examples)/",
        pathNot: "^$1/",
        dependencyTypes: ["local"],
      },
    },
    {
      name: "no-cycle",
      comment: "a cycle makes the order of loading matter",
      severity: "error",
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ["type-only"] } },
    },
    {
      name: "resolvable",
      comment: "an import that cannot be resolved is checked by nobody",
      severity: "error",
      from: {},
      to: { couldNotResolve: true, pathNot: "^(virtual:|vite/)|\\.css$" },
    },
    {
      name: "declared",
      comment: "an undeclared package is there by luck",
      severity: "error",
      from: {},
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown"] },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    combinedDependencies: false,
    exclude: { path: "(^|/)(dist|test-results)/" },
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".json"],
    },
  },
};
