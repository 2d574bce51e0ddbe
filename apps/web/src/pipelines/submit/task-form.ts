import type { Texts } from "../../documents/kept-texts.ts";
import type { Required } from "../../problem/missing-in.ts";

/** What the form says of a task that leaves it to the route, and of one that says nothing of it. */
export const risks = ["as the route says", "low", "normal", "critical"] as const;
export const priorities = ["not said", "low", "normal", "high", "critical"] as const;

/** What the form asks for; the text of JSON is made of it, and may say more. */
export type TaskForm = {
  readonly way: "template" | "task type";
  readonly wayId: string;
  readonly taskId: string;
  readonly title: string;
  /** One a line. */
  readonly criteria: string;
  readonly files: string;
  readonly risk: (typeof risks)[number];
  readonly priority: (typeof priorities)[number];
};

export const emptyForm: TaskForm = {
  way: "template",
  wayId: "",
  taskId: "",
  title: "",
  criteria: "",
  files: "",
  risk: risks[0],
  priority: priorities[0],
};

/** The form with the text of JSON, where somebody has written in that. */
export type TaskDraft = TaskForm & { readonly written?: string | undefined };

export const keptTask = (said: Texts): TaskDraft => ({
  way: said["way"] === "task type" ? "task type" : "template",
  wayId: said["wayId"] ?? "",
  taskId: said["taskId"] ?? "",
  title: said["title"] ?? "",
  criteria: said["criteria"] ?? "",
  files: said["files"] ?? "",
  risk: risks.find((one) => one === said["risk"]) ?? risks[0],
  priority: priorities.find((one) => one === said["priority"]) ?? priorities[0],
  written: said["written"],
});

/** What no task goes without, by the names that the server's faults have. */
export const neededOf = ({ way, wayId, taskId, title, criteria }: TaskForm): Required => ({
  [way === "template" ? "templateId" : "taskType"]: {
    value: wayId,
    says: way === "template" ? "The template’s id is missing." : "The task type is missing.",
  },
  "contract.taskId": { value: taskId, says: "The task’s id is missing: as your tracker names it." },
  "contract.title": { value: title, says: "The title is missing: what is to be done, in a line." },
  "contract.acceptanceCriteria": {
    value: criteria,
    says: "What it is accepted by is missing: one criterion a line, at least one.",
  },
});

const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

export function submissionOf(form: TaskForm): string {
  const { way, wayId, taskId, title, criteria, files, risk, priority } = form;
  const modify = linesOf(files);
  const execution = {
    ...(risk !== risks[0] && { riskTier: `RISK_TIER_${risk.toUpperCase()}` }),
    ...(priority !== priorities[0] && { priority: `PRIORITY_${priority.toUpperCase()}` }),
  };
  const submission = {
    [way === "template" ? "templateId" : "taskType"]: wayId.trim(),
    contract: {
      taskId: taskId.trim(),
      title: title.trim(),
      acceptanceCriteria: linesOf(criteria),
      ...(modify.length > 0 && { expectedFiles: { modify } }),
    },
    ...(Object.keys(execution).length > 0 && { execution }),
  };
  return JSON.stringify(submission, null, 2);
}
