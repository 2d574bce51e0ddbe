import { type Caller, roles, type Role } from "../caller.ts";
import { actions, may, type Action } from "../permissions.ts";

const about = { packId: "any" };
const person = (role: Role): Caller => ({
  tenantId: "any",
  actor: { type: "human", id: "any" },
  role,
  credential: "session",
});
const key = (role: Role): Caller => ({
  tenantId: "any",
  actor: { type: role === "agent" ? "agent" : "system", id: "any" },
  role,
  credential: "key",
});

/** "yes" for a person and a key alike; an agent is a key only. */
function cell(role: Role, action: Action): string {
  const byKey = may(key(role), action, about).allowed;
  if (role === "agent") return byKey ? "yes" : "";
  if (!may(person(role), action, about).allowed) return "";
  return byKey ? "yes" : "person";
}

/** The permission table as operators read it, in Markdown. */
export function rolesTable(): string {
  const rows = [
    ["action", ...roles],
    ...actions.map((action) => [`\`${action}\``].concat(roles.map((role) => cell(role, action)))),
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const line = (row: readonly string[], fill = " ") =>
    `| ${row.map((text, column) => text.padEnd(widths[column] ?? 0, fill)).join(" | ")} |`;
  const [head = [], ...body] = rows;
  const rule = head.map((_, column) => "-".repeat(widths[column] ?? 0));
  return [line(head), line(rule), ...body.map((row) => line(row))].join("\n");
}
