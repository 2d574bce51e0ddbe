import { AgentHeartbeatSchema, AgentManifestSchema, TaskSubmissionSchema } from "@signalbox/contracts";
import { expect, test } from "vitest";
import { collectSchemas } from "./component-schemas.ts";

test("NAME-1 what an id may be is told where one is given, beside the contract's own rules", () => {
  const schemas = collectSchemas();
  for (const message of [TaskSubmissionSchema, AgentManifestSchema, AgentHeartbeatSchema])
    schemas.of(message);
  const all = schemas.all();
  const usual = expect.stringMatching(/^At most 200 characters; an id begins and ends with .* text\.$/);
  const packId = { minLength: 1, description: expect.stringContaining("At most 400 characters; an id") };
  expect(all).toMatchObject({
    Contract: { properties: { taskId: { type: "string", minLength: 1, description: usual } } },
    TaskSubmission: {
      properties: { taskType: { maxLength: 200, description: usual }, templateId: { description: usual } },
    },
    AgentManifest: { properties: { packId, supportedTaskTypes: { type: "array", description: usual } } },
    AgentHeartbeat: { properties: { packId, instanceId: { minLength: 1, description: usual } } },
  });
});
