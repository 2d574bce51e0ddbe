import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { cruise, type ICruiseResult, type ICruiseOptions } from "dependency-cruiser";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import config, { mayImport, rooms } from "../.dependency-cruiser.mjs";

type Room = keyof typeof rooms;
const names = Object.keys(rooms) as Room[];
const exported = (room: string) => room.replaceAll("-", "_");

/** A small house in a folder of its own: each room imports every other by name, and breaks each further rule once. */
function furnish(house: string) {
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(house, path)), { recursive: true });
    writeFileSync(join(house, path), text);
  };
  for (const room of names) {
    const dependencies = Object.fromEntries(names.map((other) => [`@signalbox/${other}`, "*"]));
    write(
      `${rooms[room]}/package.json`,
      JSON.stringify({
        name: `@signalbox/${room}`,
        type: "module",
        exports: { ".": "./src/index.ts" },
        dependencies,
      }),
    );
    write(`${rooms[room]}/src/index.ts`, `export const ${exported(room)} = true;\n`);
    mkdirSync(join(house, "node_modules/@signalbox"), { recursive: true });
    symlinkSync(join(house, rooms[room]), join(house, "node_modules/@signalbox", room));
    for (const other of names.filter((name) => name !== room)) {
      write(
        `${rooms[room]}/src/imports-${other}.ts`,
        `import { ${exported(other)} } from "@signalbox/${other}";\nvoid ${exported(other)};\n`,
      );
      write(
        `${rooms[room]}/src/types-of-${other}.ts`,
        `import type { ${exported(other)} } from "@signalbox/${other}";\nexport type T = typeof ${exported(other)};\n`,
      );
    }
  }
  write("packages/core/src/reads-files.ts", `import { readFileSync } from "node:fs";\nvoid readFileSync;\n`);
  write(
    "packages/core/src/reads-files.test.ts",
    `import { readFileSync } from "node:fs";\nvoid readFileSync;\n`,
  );
  write("packages/api/src/by-path.ts", `import { engine } from "../../engine/src/index.ts";\nvoid engine;\n`);
  write("apps/cli/src/dev/engine.ts", `import { engine } from "@signalbox/engine";\nvoid engine;\n`);
  write("packages/api/src/cycle-a.ts", `import "./cycle-b.ts";\n`);
  write("packages/api/src/cycle-b.ts", `import "./cycle-a.ts";\n`);
  write("packages/core/src/takes-a-library.ts", `import "fastify";\n`);
  write(
    "packages/core/package.json",
    JSON.stringify({
      name: "@signalbox/core",
      type: "module",
      exports: { ".": "./src/index.ts" },
      dependencies: { fastify: "*" },
    }),
  );
  write("node_modules/fastify/package.json", JSON.stringify({ name: "fastify", main: "index.js" }));
  write("node_modules/fastify/index.js", "");
  write("packages/db/src/imports-nothing-there.ts", `import "./gone.ts";\n`);
  write(
    "packages/engine/src/tests-with-testkit.test.ts",
    `import { testkit } from "@signalbox/testkit";\nvoid testkit;\n`,
  );
}

describe("the import table", () => {
  let house: string;
  let broken: Set<string>;

  beforeAll(async () => {
    house = realpathSync(mkdtempSync(join(tmpdir(), "house-")));
    furnish(house);
    const { options, ...ruleSet } = config;
    const { output } = await cruise(["apps", "packages", "bench", "e2e", "examples"], {
      ...(options as ICruiseOptions),
      baseDir: house,
      validate: true,
      ruleSet: ruleSet as NonNullable<ICruiseOptions["ruleSet"]>,
    });
    broken = new Set((output as ICruiseResult).summary.violations.map((v) => `${v.from}: ${v.rule.name}`));
  }, 60_000);

  afterAll(() => rmSync(house, { recursive: true, force: true }));

  for (const room of names) {
    for (const other of names.filter((name) => name !== room)) {
      const allowed = (mayImport[room] as readonly string[]).includes(other);
      test(`${room} ${allowed ? "may" : "may not"} import ${other}`, () => {
        expect(broken.has(`${rooms[room]}/src/types-of-${other}.ts: room-${room}`)).toBe(!allowed);
        expect(broken.has(`${rooms[room]}/src/imports-${other}.ts: room-${room}`)).toBe(!allowed);
      });
    }
  }

  test("the SPA may import types of api, and none of its code", () => {
    expect(broken).toContain("apps/web/src/imports-api.ts: web-takes-types-of-api");
    expect(broken).not.toContain("apps/web/src/types-of-api.ts: web-takes-types-of-api");
  });

  test("one file of the command line runs the engine, the others are clients", () => {
    expect(broken).toContain("apps/cli/src/imports-engine.ts: cli-runs-the-engine-in-one-file");
    expect(broken).not.toContain("apps/cli/src/dev/engine.ts: cli-runs-the-engine-in-one-file");
  });

  test("core may not import Node.js modules, its tests may", () => {
    expect(broken).toContain("packages/core/src/reads-files.ts: core-is-pure");
    expect(broken).not.toContain("packages/core/src/reads-files.test.ts: core-is-pure");
  });

  test("core may not import a library that is not listed", () => {
    expect(broken).toContain("packages/core/src/takes-a-library.ts: libraries-core");
    expect(broken).not.toContain("packages/core/src/imports-contracts.ts: libraries-core");
  });

  test("a room is entered by its name", () => {
    expect(broken).toContain("packages/api/src/by-path.ts: front-door");
    expect(broken).not.toContain("packages/api/src/imports-engine.ts: front-door");
  });

  test("cycles and unresolvable imports are refused", () => {
    expect(broken).toContain("packages/api/src/cycle-a.ts: no-cycle");
    expect(broken).toContain("packages/db/src/imports-nothing-there.ts: resolvable");
  });

  test("only tests import testkit", () => {
    expect(broken).toContain("packages/engine/src/imports-testkit.ts: room-engine");
    expect(broken).not.toContain("packages/engine/src/tests-with-testkit.test.ts: room-engine-tests");
  });
});
