import { expect, test } from "vitest";
import { taskInWords } from "./task-name.ts";

const called = (sourceTaskId: string | null, taskTitle: string | null) =>
  taskInWords({ pipelineId: "0199", sourceTaskId, taskTitle });

test("a task is called by its id and title, by what it has of them, or by its pipeline", () => {
  expect(called("TAS-114", "Mend the rounding")).toBe("TAS-114 Mend the rounding");
  expect(called("TAS-114", null)).toBe("TAS-114");
  expect(called("", "Mend the rounding")).toBe("Mend the rounding");
  expect(called(null, null)).toBe("0199");
});
