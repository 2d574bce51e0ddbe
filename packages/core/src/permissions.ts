import type { Caller, Role } from "./caller.ts";

/** What may be asked of the system, and about what. A new command adds its line here and to the table below. */
export type Subjects = {
  "pack.read": undefined;
  "pack.register": { packId: string };
  "session.close": undefined;
};
export type Action = keyof Subjects;

export type Decision = { allowed: true } | { allowed: false; reason: string };
type Rule<A extends Action> = (caller: Caller, subject: Subjects[A]) => Decision;

const yes: Decision = { allowed: true };
const allow = () => yes;
const refuse = (reason: string) => {
  const no: Decision = { allowed: false, reason };
  return () => no;
};
const onlyPeople = (caller: Caller): Decision =>
  caller.credential === "session" ? yes : { allowed: false, reason: "only a signed-in person has a session" };

const notRegistrar = refuse("registering a pack needs the role operator or admin, or an agent's key");

/**
 * D15: who may decide what is this one table. Every transport asks it before a command runs, and the pages ask it
 * for their buttons, so that a button is enabled exactly when the server would say yes.
 */
const table: { [A in Action]: Record<Role, Rule<A>> } = {
  "pack.read": {
    viewer: allow,
    operator: allow,
    approver: allow,
    auditor: allow,
    admin: allow,
    agent: allow,
  },
  "pack.register": {
    viewer: notRegistrar,
    operator: allow,
    approver: notRegistrar,
    auditor: notRegistrar,
    admin: allow,
    agent: allow,
  },
  "session.close": {
    viewer: onlyPeople,
    operator: onlyPeople,
    approver: onlyPeople,
    auditor: onlyPeople,
    admin: onlyPeople,
    agent: onlyPeople,
  },
};

const isAction = (name: string): name is Action => Object.hasOwn(table, name);
export const actions = Object.keys(table).filter(isAction);

/** Says whether the caller may, and if not, why: the reason is shown in the problem and on the disabled button. */
export function may<A extends Action>(caller: Caller, action: A, subject: Subjects[A]): Decision {
  const rules: Record<Role, Rule<A>> = table[action];
  return rules[caller.role](caller, subject);
}
