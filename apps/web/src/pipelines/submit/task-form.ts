/** What the form asks for; the text of JSON is made of it, and may say more. */
export type TaskForm = {
  readonly way: "template" | "task type";
  readonly wayId: string;
  readonly taskId: string;
  readonly title: string;
  /** One a line. */
  readonly criteria: string;
  readonly files: string;
};

export const emptyForm: TaskForm = {
  way: "template",
  wayId: "",
  taskId: "",
  title: "",
  criteria: "",
  files: "",
};

const linesOf = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

export function submissionOf({ way, wayId, taskId, title, criteria, files }: TaskForm): string {
  const modify = linesOf(files);
  const submission = {
    [way === "template" ? "templateId" : "taskType"]: wayId.trim(),
    contract: {
      taskId: taskId.trim(),
      title: title.trim(),
      acceptanceCriteria: linesOf(criteria),
      ...(modify.length > 0 && { expectedFiles: { modify } }),
    },
  };
  return JSON.stringify(submission, null, 2);
}
