import { randomUUID } from "node:crypto";
import type { Result, ResultStatus, Task } from "@signalbox/contracts/sap";
import { isFinal } from "@signalbox/core";
import { describe, expect, test } from "vitest";
import { answer } from "./pipelines.ts";
import { type SapDoorUnderTest, sapPolicyText, suitePrinciples, taskFor } from "./sap-world.ts";
import { publishPolicy } from "./test-engine.ts";

type Context = Partial<Task["constitutionalContext"]>;
type Policy = NonNullable<Context["cachePolicy"]>;
type Wait = (taskId: string, fits: (status: ResultStatus) => boolean) => Promise<Result>;

/** What work comes to under a constitution, told by each door alike: codes, severities, thresholds and checks. */
export function sapJudgedSuite(name: string, open: () => SapDoorUnderTest, wait: Wait): void {
  const begun = async (...said: Parameters<typeof taskFor>) => {
    const task = taskFor(...said);
    expect((await open().submit("operator", task)).nack).toBeUndefined();
    return task.taskId;
  };
  const worked = async (capability: string, please: string) => {
    const taskId = await begun(capability, { payload: { please } });
    const { status, error, constitutionalEvidence } = await wait(taskId, isFinal);
    const { alignment, violations = [] } = constitutionalEvidence;
    return [status, error?.code, alignment, violations.map(({ severity }) => severity)];
  };

  describe(`what work comes to, by ${name}`, () => {
    test("SAP-24 SAP-31 SAP-34 each way to fail has its code, and what was broken its severity", async () => {
      const told = await Promise.all(
        ["fail", "admit", "babble", "forge", "swear"].map(async (please) => worked("doom", please)),
      );
      expect(told).toEqual([
        ["FAILED", "INTERNAL", "VALID", []],
        ["FAILED", "UNPROCESSABLE", "VALID", []],
        ["FAILED", "UNPROCESSABLE", "VALID", []],
        ["FAILED", "NON_CONSTITUTIONAL", "NON_CONSTITUTIONAL", ["high", "high"]],
        ["FAILED", "NON_CONSTITUTIONAL", "NON_CONSTITUTIONAL", ["high"]],
      ]);
      expect(await worked("mending", "falter")).toEqual(["SUCCEEDED", undefined, "VALID", ["low", "low"]]);
    });

    test("SAP-29 SAP-31 what a person let pass is a violation of medium severity, and is aligned", async () => {
      const taskId = await begun("mending", { payload: { please: "half" } });
      const asked = await wait(taskId, (status) => status === "ESCALATED");
      const escalationId = String(asked.nextActions?.[0]?.["escalationId"]);
      expect(asked.constitutionalEvidence).toMatchObject({
        alignment: "ESCALATE",
        policyChecks: [{ status: "FAIL", notes: expect.stringContaining(`is asked (${escalationId})`) }],
        violations: [{ severity: "high" }],
      });
      await answer(open().engine, { escalationId }, { option: "advance" });
      const { status, constitutionalEvidence, nextActions } = await wait(taskId, isFinal);
      expect([status, constitutionalEvidence.alignment]).toEqual(["PARTIAL", "VALID"]);
      expect(nextActions).toMatchObject([
        { payload: { stageId: "only", doneInPart: expect.stringContaining("a person let it pass: done") } },
      ]);
      expect(constitutionalEvidence.policyChecks).toMatchObject([
        { principle: "blueprint_thinking", status: "OVERRULED" },
      ]);
      expect(constitutionalEvidence.violations).toMatchObject([{ severity: "medium" }]);
    });

    const payload = { topic: randomUUID() };
    const made: Context = { pressureLevel: "consulted", constraints: ["No PII"] };
    const asking = (policy: Policy, context: Context = {}) =>
      open().submit(
        "operator",
        taskFor("consult.align", { payload }, { ...made, ...context, cachePolicy: policy }),
      );
    const told = async (policy: Policy, context: Context = {}) => {
      const { result } = await asking(policy, context);
      return result?.error === undefined ? result?.constitutionalEvidence.cache?.hit : result.error.message;
    };
    const only = { mode: "only" } as const;
    const aligned = { mode: "only", mustAlign: true } as const;

    test("SAP-46 what a threshold puts to a person no cache answers", async () => {
      const first = await begun("consult.align", { payload }, { ...made, cachePolicy: { mode: "prefer" } });
      expect((await wait(first, isFinal)).status).toBe("SUCCEEDED");
      expect(await told(only, { pressure: { strategic_pause: 60 } })).toBe(true);
      expect(await told(only, { pressure: { strategic_pause: 61 } })).toContain('"strategic_pause" is under');
      expect(await told(only, { pressureLevel: "deliberated" })).toContain("the task is deliberated");
      const { ack, result } = await asking({ mode: "prefer" }, { pressure: { strategic_pause: 61 } });
      expect([ack?.status, result]).toEqual(["QUEUED", undefined]);
      const asked = await wait(String(ack?.taskId), (status) => status === "ESCALATED");
      expect(asked.constitutionalEvidence.pressureReadings).toEqual({ strategic_pause: 61 });
    });

    test("SAP-44 mustAlign asks again by constraints, level and the checks of the policy in force", async () => {
      expect(await told(aligned)).toBe(true);
      expect(await told(aligned, { constraints: ["No PII", "Cite"] })).toContain("constraints");
      expect(await told(only, { constraints: ["No PII", "Cite"] })).toBe(true);
      expect(await told(aligned, { pressureLevel: "instant" })).toBe(true);
      const { engine } = open();
      const [blueprint, ...others] = suitePrinciples;
      const stricter = [{ ...blueprint, checks: ["evidence", "tests", "static"] }, ...others];
      await publishPolicy(engine, sapPolicyText("1.0.1", stricter));
      expect(await told(aligned)).toContain('every check that the policy names for "blueprint_thinking"');
      expect(await told(only)).toBe(true);
      await publishPolicy(engine, sapPolicyText("1.0.0"));
      expect(await told(aligned)).toBe(true);
    });
  });
}
