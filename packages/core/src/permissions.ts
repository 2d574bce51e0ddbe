import type { Caller, Role } from "./caller.ts";

/** What may be asked of the system, and about what. A new command adds its line here and to the table below. */
export type Subjects = {
  "pack.read": undefined;
  "pack.register": { packId: string };
  "session.close": undefined;
  "account.change": undefined;
  "token.create": undefined;
  "member.read": undefined;
  "member.invite": undefined;
  "member.change": undefined;
  "member.remove": undefined;
  "key.read": undefined;
  "key.create": undefined;
  "key.revoke": undefined;
  "task.submit": undefined;
  "attachment.keep": undefined;
  "attachment.read": undefined;
  "sap.submit": undefined;
  "sap.read": undefined;
  "sap.rate": undefined;
  "learning.read": undefined;
  "learning.decide": undefined;
  "pipeline.read": undefined;
  "pipeline.pause": undefined;
  "pipeline.resume": undefined;
  "pipeline.abort": undefined;
  "pipeline.rewind": undefined;
  "escalation.read": undefined;
  "escalation.assign": undefined;
  "escalation.comment": undefined;
  "escalation.resolve": undefined;
  "instance.read": undefined;
  "instance.heartbeat": { packId: string };
  "instance.quarantine": { packId: string };
  "instance.restore": { packId: string };
  "instance.drain": { packId: string };
  "instance.resume": { packId: string };
  "dispatch.lease": { packId: string };
  "dispatch.renew": { packId: string };
  "dispatch.report": { packId: string };
  "policy.read": undefined;
  "policy.draft": undefined;
  "policy.publish": undefined;
  "template.read": undefined;
  "template.draft": undefined;
  "template.publish": undefined;
  "alert.read": undefined;
  "audit.read": undefined;
  "retention.read": undefined;
  "retention.change": undefined;
  "retention.hold": undefined;
  "metrics.read": undefined;
  "trace.read": undefined;
};
export type Action = keyof Subjects;

export type Decision = { allowed: true } | { allowed: false; reason: string };
type Rule<A extends Action> = (caller: Caller, subject: Subjects[A]) => Decision;
type Row<A extends Action> = Record<Role, Rule<A>>;

const yes: Decision = { allowed: true };
const allow = () => yes;
const refuse = (reason: string) => {
  const no: Decision = { allowed: false, reason };
  return () => no;
};

const readers = ["viewer", "operator", "approver", "auditor", "admin"] as const;
const operators = ["operator", "admin"] as const;
const admins = ["admin"] as const;
const deciders = ["approver", "admin"] as const;
const commenters = ["operator", "approver", "admin"] as const;
const auditors = ["auditor", "admin"] as const;
const agents = ["admin", "agent"] as const;
const registrars = ["operator", "admin", "agent"] as const;

/** A row of the table: these roles may, and the others are told who allowed. */
function only<A extends Action>(doing: string, allowed: readonly Role[], rule: Rule<A> = allow): Row<A> {
  const not = refuse(`${doing} needs ${named(allowed)}`);
  const of = (role: Role) => (allowed.includes(role) ? rule : not);
  return {
    viewer: of("viewer"),
    operator: of("operator"),
    approver: of("approver"),
    auditor: of("auditor"),
    admin: of("admin"),
    agent: of("agent"),
  };
}

/** "the role operator or admin, or an agent's key" */
function named(allowed: readonly Role[]): string {
  const people = allowed.filter((role) => role !== "agent");
  const last = people.at(-1);
  const all = people.length < 2 ? last : `${people.slice(0, -1).join(", ")} or ${last}`;
  return allowed.includes("agent") ? `the role ${all}, or an agent's key` : `the role ${all}`;
}

const inSession = (caller: Caller): Decision =>
  caller.credential === "session" ? yes : { allowed: false, reason: "only a signed-in person has a session" };

/** A key that is bound to packs speaks for them and for no other. */
const forOwnPack =
  (doing: string) =>
  ({ packIds }: Caller, { packId }: { packId: string }): Decision =>
    packIds === undefined || packIds.includes(packId)
      ? yes
      : { allowed: false, reason: `${doing} needs a key that is bound to this pack, or to none` };

/** A key is nobody in particular: with one, somebody could approve under another name what they submitted; and by one submit, which ESC-8 sees. */
const byPerson = (doing: string) => {
  const no: Decision = { allowed: false, reason: `${doing} is for a person, signed in as themselves` };
  return ({ actor }: Caller): Decision => (actor.type === "human" ? yes : no);
};

/**
 * D15: who may decide what is this one table. Every transport asks it before a command runs, and the pages ask it
 * for their buttons, so that a button is enabled exactly when the server would say yes.
 *
 * Members are invited and changed by persons only: with a link that its own call made, a key could become one.
 *
 * Who drafts also publishes: a policy is the operators' own means, its publication is on record and is taken back by
 * another. That nobody approves what they submitted is said of gates: the pipeline judges it, by the option chosen.
 */
const table: { [A in Action]: Row<A> } = {
  "pack.read": only("reading packs", [...readers, "agent"]),
  "pack.register": only("registering a pack", registrars, forOwnPack("registering a pack")),

  "session.close": only("closing a session", [...readers, "agent"], inSession),
  "account.change": only("changing an account", readers, inSession),
  "token.create": only("making a token", readers, inSession),
  "member.read": only("reading members", readers),
  "member.invite": only("inviting a member", admins, byPerson("inviting a member")),
  "member.change": only("changing a member", admins, byPerson("changing a member")),
  "member.remove": only("removing a member", admins, byPerson("removing a member")),
  "key.read": only("reading keys", auditors),
  "key.create": only("creating a key", admins),
  "key.revoke": only("revoking a key", admins),

  "task.submit": only("submitting a task", operators),
  "attachment.keep": only("keeping an attachment", registrars),
  "attachment.read": only("reading attachments", readers),
  "sap.submit": only("submitting a task of the standard agent protocol", registrars),
  "sap.read": only("reading tasks of the standard agent protocol", [...readers, "agent"]),
  "sap.rate": only("rating a result", commenters, byPerson("rating a result")),
  "learning.read": only("reading what was learnt", readers),
  // What is accepted is published, so that it is the publishers' to decide.
  "learning.decide": only("deciding on what was learnt", operators, byPerson("deciding on what was learnt")),
  "pipeline.read": only("reading pipelines", readers),
  "pipeline.pause": only("pausing a pipeline", operators),
  "pipeline.resume": only("resuming a pipeline", operators),
  "pipeline.abort": only("aborting a pipeline", operators),
  "pipeline.rewind": only("rewinding a pipeline", operators),

  "escalation.read": only("reading escalations", readers),
  "escalation.assign": only("assigning an escalation", deciders, byPerson("assigning an escalation")),
  "escalation.comment": only(
    "commenting on an escalation",
    commenters,
    byPerson("commenting on an escalation"),
  ),
  "escalation.resolve": only("resolving an escalation", deciders, byPerson("answering an escalation")),

  "instance.read": only("reading instances", readers),
  "instance.heartbeat": only("sending heartbeats", agents, forOwnPack("sending heartbeats")),
  "instance.quarantine": only("quarantining an instance", operators, byPerson("quarantining an instance")),
  "instance.restore": only("restoring an instance", operators, byPerson("restoring an instance")),
  // D7 speaks of quarantine: a deployment's own key may drain what it replaces, as it may pause a pipeline.
  "instance.drain": only("draining an instance", operators, forOwnPack("draining an instance")),
  "instance.resume": only("resuming an instance", operators, forOwnPack("resuming an instance")),
  "dispatch.lease": only("leasing work", agents, forOwnPack("leasing work")),
  "dispatch.renew": only("renewing a lease", agents, forOwnPack("renewing a lease")),
  "dispatch.report": only("reporting on a dispatch", agents, forOwnPack("reporting on a dispatch")),

  "policy.read": only("reading routing policies", readers),
  "policy.draft": only("drafting a routing policy", operators),
  "policy.publish": only("publishing a routing policy", operators),
  "template.read": only("reading pipeline templates", readers),
  "template.draft": only("drafting pipeline templates", operators),
  "template.publish": only("publishing pipeline templates", operators),

  "alert.read": only("reading alerts", readers),
  "metrics.read": only("reading metrics", readers),
  "audit.read": only("reading the audit record", auditors),
  "retention.read": only("reading how long the record is kept", auditors),
  "retention.change": only(
    "changing how long the record is kept",
    admins,
    byPerson("changing how long the record is kept"),
  ),
  "retention.hold": only("holding the record", auditors, byPerson("holding the record")),
  "trace.read": only("reading traces", readers),
};

const isAction = (name: string): name is Action => Object.hasOwn(table, name);
export const actions = Object.keys(table).filter(isAction);

/** Says whether the caller may, and if not, why: the reason is shown in the problem and on the disabled button. */
export function may<A extends Action>(caller: Caller, action: A, subject: Subjects[A]): Decision {
  const rules: Row<A> = table[action];
  return rules[caller.role](caller, subject);
}
