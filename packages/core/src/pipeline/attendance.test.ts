import { toJson } from "@bufbuild/protobuf";
import { AuditEntrySchema } from "@signalbox/contracts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { roles } from "../caller.ts";
import {
  agesOf,
  ANSWER_WITHIN_MS,
  decideAssignment,
  escalationAssigned,
  escalationCommented,
  timelinesses,
  timelinessOf,
} from "./attendance.ts";

const ada = { memberId: "ada", role: "approver" };
const minute = 60_000;

const open = (assigneeId: string | null) => ({ open: true, assigneeId });
const json = (entry: ReturnType<typeof escalationCommented>) => toJson(AuditEntrySchema, entry);

describe("escalations are attended to", () => {
  test.each([
    [-5 * minute, "in-time"],
    [0, "in-time"],
    [20 * minute - 1, "in-time"],
    [20 * minute, "soon"],
    [30 * minute - 1, "soon"],
    [30 * minute, "late"],
    [400 * minute, "late"],
  ] as const)("ESC-10 at an age of %d ms a question is %s", (age, expected) => {
    expect(ANSWER_WITHIN_MS).toBe(30 * minute);
    expect(timelinessOf(age)).toBe(expected);
  });

  test("ESC-10 an age is of one kind, the one whose bounds it lies in", () => {
    fc.assert(
      fc.property(fc.nat(100 * minute), (age) => {
        const within = timelinesses.filter((one) => agesOf[one].from <= age && age < agesOf[one].below);
        expect(within).toEqual([timelinessOf(age)]);
      }),
    );
  });

  test("ESC-11 an open question is taken, handed on, and let go", () => {
    const anybody = { instead: undefined };
    expect(decideAssignment(open(null), { assignee: ada, ...anybody })).toEqual({ kind: "assigned" });
    expect(decideAssignment(open("bob"), { assignee: ada, ...anybody })).toEqual({ kind: "assigned" });
    expect(decideAssignment(open("bob"), { assignee: undefined, ...anybody })).toEqual({ kind: "assigned" });
    expect(decideAssignment(open("ada"), { assignee: ada, ...anybody })).toEqual({ kind: "unchanged" });
    expect(decideAssignment(open(null), { assignee: undefined, ...anybody })).toEqual({ kind: "unchanged" });
  });

  test("ESC-11 of two who take it at once the second is told of the first", () => {
    const instead = { assigneeId: null };
    expect(decideAssignment(open("bob"), { assignee: ada, instead })).toEqual({
      kind: "refused",
      why: "other-assignee",
      assigneeId: "bob",
    });
    expect(decideAssignment(open(null), { assignee: ada, instead: { assigneeId: "bob" } })).toEqual({
      kind: "refused",
      why: "other-assignee",
      assigneeId: null,
    });
    expect(decideAssignment(open("bob"), { assignee: ada, instead: { assigneeId: "bob" } })).toEqual({
      kind: "assigned",
    });
  });

  test("ESC-11 who may not answer cannot be asked to, and what is over is attended to by nobody", () => {
    const able = [...roles, "unheard of"].filter(
      (role) =>
        decideAssignment(open(null), { assignee: { memberId: "x", role }, instead: undefined }).kind ===
        "assigned",
    );
    expect(able).toEqual(["approver", "admin"]);
    const closed = { open: false, assigneeId: "ada" };
    for (const assignee of [ada, undefined])
      expect(decideAssignment(closed, { assignee, instead: undefined })).toEqual({
        kind: "refused",
        why: "closed",
      });
  });

  const context = { tenantId: "north", actor: { type: "human", id: "ada" }, requestId: "r" } as const;
  const question = {
    escalationId: "p-e1",
    pipelineId: "p",
    traceId: "t",
    stageId: "build",
    problem: "It failed",
  };

  test("ESC-12 taking, handing on and letting go are on record, each by its name, with who had it", () => {
    expect(json(escalationAssigned(context, question, { from: null, to: "ada" }))).toMatchObject({
      eventType: "AUDIT_EVENT_TYPE_ESCALATION_ASSIGNED",
      action: "escalation.taken",
      rationale: "ada attends to it",
      pipelineId: "p",
      traceId: "t",
      stageId: "build",
      actor: { id: "ada" },
      snapshot: { escalation: { escalationId: "p-e1", problem: "It failed" } },
    });
    expect(json(escalationAssigned(context, question, { from: "ada", to: "bob" }))).toMatchObject({
      action: "escalation.assigned",
      rationale: "bob attends to it; it was with ada",
    });
    expect(json(escalationAssigned(context, question, { from: "bob", to: null }))).toMatchObject({
      action: "escalation.released",
      rationale: "Nobody attends to it any more; it was with bob",
    });
  });

  test("ESC-12 a comment is on record word for word", () => {
    expect(json(escalationCommented(context, { ...question, stageId: null }, "Ask Bob."))).toMatchObject({
      eventType: "AUDIT_EVENT_TYPE_ESCALATION_COMMENTED",
      action: "escalation.commented",
      rationale: "Ask Bob.",
    });
  });
});
