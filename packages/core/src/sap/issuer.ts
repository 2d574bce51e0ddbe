import type { Task } from "@signalbox/contracts/sap";
import type { Caller } from "../caller.ts";
import type { CapabilityRule, IssuerRule } from "../documents/sap-section.ts";
import type { Decision } from "../permissions.ts";
import { quotedName } from "../quoted-text.ts";

type Issuer = Task["issuer"];

const yes: Decision = { allowed: true };
const no = (reason: string): Decision => ({ allowed: false, reason });

/** SAP-4, SAP-5 (SAP V2.0 §11): whether the caller is the issuer that the task says, and may issue for the capability. */
export function mayIssue(caller: Caller, issuer: Issuer, { capability, issuers }: CapabilityRule): Decision {
  const speaks = speaksAs(caller, issuer);
  if (!speaks.allowed) return speaks;
  if (issuers === undefined) {
    return caller.role === "agent"
      ? no(`an agent issues "${capability}" only where the policy names it as an issuer`)
      : yes;
  }
  if (issuers.some((rule) => names(rule, issuer))) return yes;
  return no(
    `the policy does not name ${issuer.agentKind} "${quotedName(issuer.agentId)}" as an issuer of "${capability}"`,
  );
}

/** SAP-16: whose task on file is told as it stands, whatever the policy says by now: the issuer's, who may read it anyhow. */
export const mayAskAgain = (caller: Caller, issuer: Issuer, submittedBy: string): boolean =>
  speaksAs(caller, issuer).allowed && (caller.role !== "agent" || submittedBy === caller.actor.id);

const names = ({ agentKind, agentId }: IssuerRule, issuer: Issuer): boolean =>
  agentKind === issuer.agentKind && (agentId === undefined || agentId === issuer.agentId);

function speaksAs({ credential, role, actor, packIds }: Caller, { agentKind, agentId }: Issuer): Decision {
  if (credential !== "key") {
    return agentKind === "user" && agentId === actor.id
      ? yes
      : no(`a signed-in person issues as user "${actor.id}", and as nobody else`);
  }
  if (packIds !== undefined) {
    return agentKind === "agent" && packIds.includes(agentId)
      ? yes
      : no(`a key that is bound to packs issues as agent ${oneOf(packIds)}, and as nobody else`);
  }
  return role === "agent" && agentKind !== "agent" ? no("an agent's key issues as an agent") : yes;
}

const MOST_NAMED = 5;

function oneOf(ids: readonly string[]): string {
  const named = ids.slice(0, MOST_NAMED).map((id) => `"${id}"`);
  return (ids.length > MOST_NAMED ? [...named, "another of its packs"] : named).join(" or ");
}
