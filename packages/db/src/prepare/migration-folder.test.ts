import { createRequire } from "node:module";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type * as Kit from "drizzle-kit/api";
import { describe, expect, test } from "vitest";
import * as alertWatches from "../schema/alert-watches.ts";
import * as attachments from "../schema/attachments.ts";
import * as auditEntries from "../schema/audit-entries.ts";
import * as auditHolds from "../schema/audit-holds.ts";
import * as auditRetention from "../schema/audit-retention.ts";
import * as breakers from "../schema/breakers.ts";
import * as cancelSignals from "../schema/cancel-signals.ts";
import * as columns from "../schema/columns.ts";
import * as dispatches from "../schema/dispatches.ts";
import * as escalationComments from "../schema/escalation-comments.ts";
import * as escalations from "../schema/escalations.ts";
import * as events from "../schema/events.ts";
import * as feedHorizons from "../schema/feed-horizons.ts";
import * as firedAlerts from "../schema/fired-alerts.ts";
import * as instances from "../schema/instances.ts";
import * as keptAnswers from "../schema/kept-answers.ts";
import * as keys from "../schema/keys.ts";
import * as members from "../schema/members.ts";
import * as nodes from "../schema/nodes.ts";
import * as openDispatches from "../schema/open-dispatches.ts";
import * as packs from "../schema/packs.ts";
import * as pipelineTemplates from "../schema/pipeline-templates.ts";
import * as pipelineWords from "../schema/pipeline-words.ts";
import * as pipelines from "../schema/pipelines.ts";
import * as registries from "../schema/registries.ts";
import * as results from "../schema/results.ts";
import * as routingPolicies from "../schema/routing-policies.ts";
import * as sapCacheRecords from "../schema/sap-cache-records.ts";
import * as sapAggregates from "../schema/sap-aggregates.ts";
import * as sapDecisions from "../schema/sap-decisions.ts";
import * as sapLearners from "../schema/sap-learners.ts";
import * as sapProposals from "../schema/sap-proposals.ts";
import * as sapResults from "../schema/sap-results.ts";
import * as sapSignals from "../schema/sap-signals.ts";
import * as sapTasks from "../schema/sap-tasks.ts";
import * as schemaHistory from "../schema/schema-history.ts";
import * as sessions from "../schema/sessions.ts";
import * as signInAttempts from "../schema/sign-in-attempts.ts";
import * as signInLinks from "../schema/sign-in-links.ts";
import * as stages from "../schema/stages.ts";
import * as tasks from "../schema/tasks.ts";
import * as tenants from "../schema/tenants.ts";
import * as traceRuns from "../schema/trace-runs.ts";
import * as turnStreams from "../schema/turn-streams.ts";
import * as turns from "../schema/turns.ts";
import { MIGRATIONS_FOLDER, readMigrationFolder } from "./migration-folder.ts";

const files = readMigrationFolder(MIGRATIONS_FOLDER);

describe("every migration", () => {
  test.each(files)("$tag ends with its own row in schema_history, marked", ({ mark }) => {
    expect(["breaking", "compatible"]).toContain(mark);
  });

  test("is in the journal, in order of its name and of its time", () => {
    const names = readdirSync(MIGRATIONS_FOLDER).filter((name) => name.endsWith(".sql"));
    expect(files.map(({ tag }) => `${tag}.sql`)).toEqual(names.toSorted());
    const times = files.map(({ createdAt }) => createdAt);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(new Set(times).size).toBe(times.length);
  });

  test("has a name that tells", () => {
    for (const { tag } of files) {
      expect(tag).toMatch(/^\d{4}_[a-z]+(_[a-z]+)*$/);
    }
  });
});

test("the schema in TypeScript and drizzle/ agree: drizzle-kit would generate nothing", async () => {
  // drizzle-kit's ES module cannot load under Node's own loader; its CommonJS build can.
  const kit: typeof Kit = createRequire(import.meta.url)("drizzle-kit/api");
  const tables = {
    ...alertWatches,
    ...attachments,
    ...auditEntries,
    ...auditHolds,
    ...auditRetention,
    ...breakers,
    ...cancelSignals,
    ...columns,
    ...dispatches,
    ...escalationComments,
    ...escalations,
    ...events,
    ...feedHorizons,
    ...firedAlerts,
    ...instances,
    ...keptAnswers,
    ...keys,
    ...members,
    ...nodes,
    ...openDispatches,
    ...packs,
    ...pipelineTemplates,
    ...pipelineWords,
    ...pipelines,
    ...registries,
    ...results,
    ...routingPolicies,
    ...sapCacheRecords,
    ...sapAggregates,
    ...sapDecisions,
    ...sapLearners,
    ...sapProposals,
    ...sapResults,
    ...sapSignals,
    ...sapTasks,
    ...schemaHistory,
    ...sessions,
    ...signInAttempts,
    ...signInLinks,
    ...stages,
    ...tasks,
    ...tenants,
    ...traceRuns,
    ...turnStreams,
    ...turns,
  };
  const last =
    readdirSync(join(MIGRATIONS_FOLDER, "meta")).findLast((name) => name.endsWith("_snapshot.json")) ?? "";
  const snapshot = JSON.parse(readFileSync(join(MIGRATIONS_FOLDER, "meta", last), "utf8"));
  const current = kit.generateDrizzleJson(tables, snapshot.id, ["signalbox"]);
  expect(await kit.generateMigration(snapshot, current)).toEqual([]);
  expect(await kit.generateMigration(kit.generateDrizzleJson({}), current)).not.toEqual([]);
});
