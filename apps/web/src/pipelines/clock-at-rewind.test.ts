import { expect, test } from "vitest";
import { clockAtRewind } from "./clock-at-rewind.ts";

const policy = { pipelineDeadline: "1800s" };
const deadlineAt = "2026-11-19T06:00:00.000Z";

test("D13 a rewind says what the clock does as the pipeline stands", () => {
  expect(clockAtRewind({ pause: null, deadlineAt, policy })).toMatch(/keeps running/);
  for (const reason of ["person", "deadline"] as const)
    expect(clockAtRewind({ pause: { reason }, deadlineAt: null, policy })).toMatch(/stands still/);
  expect(clockAtRewind({ pause: { reason: "waiting" }, deadlineAt: null, policy })).toMatch(/it goes on/);
  expect(clockAtRewind({ pause: null, deadlineAt: null, policy: { pipelineDeadline: null } })).toMatch(
    /no deadline/,
  );
});
