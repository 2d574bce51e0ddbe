import { compileRedactor, createStreamRedactor, redact, redactText } from "../src/index.ts";

/** Redaction against JSON.stringify of the same value in the same run: only the ratio means anything elsewhere. */
const envelope = {
  contract: {
    task_id: "importer-retry-budget",
    title: "Give the importer a retry budget",
    owner_domain: "importer",
    acceptance_criteria: [
      "Retries of one file stop when its budget is spent, and the file is listed as failed",
      "The budget can be set for each source, and its default is three",
    ],
    expected_files: { create: ["src/retry-budget.ts"], modify: ["src/importer.ts", "src/config.ts"] },
    tests: { tests_to_add: ["src/retry-budget.test.ts"], tests_to_run: ["vitest run src/importer.test.ts"] },
    environment: { lint_command: "oxlint", typecheck_command: "tsc -b", test_command: "vitest run" },
  },
  trace: { trace_id: "0af7651916cd43dd8448eb211c80319c", span_id: "b7ad6b7169203331", tenant_id: "tenant-7" },
  safety: {
    auth_scopes: ["repository:read", "repository:write"],
    prohibited_actions: ["push to the main branch"],
    tool_denylist: ["curl", "ssh"],
    max_autonomous_steps: 40,
  },
  refs: [
    {
      uri_or_locator: "src/importer.ts",
      version_or_sha: "9fceb02d0ae598e95dc970b74767f19372d61af8",
      digest: "sha256:2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae",
    },
  ],
  execution: {
    idempotency_key: "importer-retry-budget/implement/1",
    attempt_number: 1,
    risk_tier: "RISK_TIER_NORMAL",
  },
  context_in: {
    shared_context:
      "The importer reads one file after another and starts again from the first when one fails. ".repeat(4),
    decision_memo: {
      decisions: [
        { decision_id: "d-1", rationale: "A budget per source keeps one bad source from starving the rest" },
      ],
    },
  },
};
const logLine =
  "2026-01-02T10:11:12Z INFO worker-3 compiled module src/core/pipeline/advance.ts in 132 ms; 0 errors, 14 warnings\n";
const lines = (characters: number): string =>
  logLine.repeat(Math.ceil(characters / logLine.length)).slice(0, characters);
const evidence = {
  evidence: {
    items: { items: [{ type: "EVIDENCE_TYPE_TEST", command: "vitest run", output: lines(65_536) }] },
  },
};
const dirty = {
  note: lines(900),
  header: ["Authorization: Bearer ", "a1B2c3D4".repeat(5)].join(""),
  password: "x",
};

const redactor = compileRedactor();
const stream = createStreamRedactor(redactor);
const kilobyte = lines(1_000);

type Case = {
  readonly name: string;
  readonly characters: number;
  readonly work: () => unknown;
  readonly reference: () => unknown;
};
const ofValue = (name: string, value: object): Case => ({
  name,
  characters: JSON.stringify(value).length,
  work: () => redact(redactor, value),
  reference: () => JSON.stringify(value),
});
const cases: readonly Case[] = [
  ofValue("envelope of 2 KB", envelope),
  ofValue("evidence of 64 KB", evidence),
  ofValue("entry of 1 KB with two secrets", dirty),
  {
    name: "line of 1 KB",
    characters: 1_000,
    work: () => redactText(redactor, kilobyte),
    reference: () => JSON.stringify(kilobyte),
  },
  {
    name: "stream in chunks of 20",
    characters: 1_000,
    work: () => {
      let { start: state } = stream;
      for (let at = 0; at < 1_000; at += 20)
        ({ state } = stream.push(state, kilobyte.slice(at, at + 20), at === 980));
      return state;
    },
    reference: () => JSON.stringify(kilobyte),
  },
];

function megabytesPerSecond(characters: number, work: () => unknown): number {
  const turns = Math.ceil(4_000_000 / characters);
  const runs = Array.from({ length: 7 }, () => {
    const start = performance.now();
    for (let turn = 0; turn < turns; turn++) work();
    return (turns * characters) / 1_000 / (performance.now() - start);
  });
  return Math.max(...runs);
}

for (const { name, characters, work, reference } of cases) {
  const speed = megabytesPerSecond(characters, work);
  const stringify = megabytesPerSecond(characters, reference);
  console.log(
    `${name.padEnd(32)} ${speed.toFixed(0).padStart(5)} MB/s   JSON.stringify ${stringify.toFixed(0).padStart(5)} MB/s   ratio ${(speed / stringify).toFixed(2)}`,
  );
}
