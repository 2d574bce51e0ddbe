import type { Violation } from "@signalbox/contracts";
import { isMemberRole, type MemberRole, memberRoles } from "../caller.ts";

const longestEmail = 254;
const longestName = 100;
/** One `@` between two parts without spaces: what is stricter refuses addresses that work (RFC 5321 §2.4). */
const emailShape = /^[^\s@\p{Cc}]+@[^\s@\p{Cc}]+$/u;

/** MEM-1: the one form in which an address is kept and compared; undefined where the text is none. */
export function normalEmail(text: string): string | undefined {
  const email = text.trim().normalize("NFC").toLowerCase();
  return email.length <= longestEmail && email.isWellFormed() && emailShape.test(email) ? email : undefined;
}

/** What may be shown as a name on one line, of a person or a key. */
export function findNameFaults(field: string, name: string, most: number = longestName): Violation[] {
  if (name.length < 1 || name.length > most) {
    return [
      { field, rule: "name.length", message: `has ${name.length} characters; 1 to ${most} are allowed` },
    ];
  }
  if (name.trim() === name && name.isWellFormed() && !/\p{Cc}/u.test(name)) return [];
  const message = "must not begin or end with white space, nor hold a control character or half a character";
  return [{ field, rule: "name.fit", message }];
}

export type MemberWish = {
  email?: string | undefined;
  name?: string | undefined;
  role?: string | undefined;
};

/** MEM-1: every fault of what a member is to be. */
export function findMemberFaults({ email, name, role }: MemberWish): Violation[] {
  return [
    ...(email === undefined || normalEmail(email) !== undefined
      ? []
      : [{ field: "email", rule: "email", message: `is no address such as ada@example.org` }]),
    ...(name === undefined ? [] : findNameFaults("name", name)),
    ...(role === undefined || isMemberRole(role)
      ? []
      : [{ field: "role", rule: "role", message: `must be one of ${memberRoles.join(", ")}` }]),
  ];
}

type Standing = { email: string | null; name: string; role: string };
export type MemberChanges = { email?: string; name?: string; role?: MemberRole };
export type MemberDecision =
  | { outcome: "changed"; changes: MemberChanges }
  | { outcome: "unchanged" }
  | { outcome: "last-administrator" };

/** MEM-2, MEM-3: what of a wish changes something. `otherAdmins` counts the administrators beside this one. */
export function decideMemberChange(member: Standing, wish: MemberWish, otherAdmins: number): MemberDecision {
  const email = wish.email === undefined ? undefined : normalEmail(wish.email);
  const changes: MemberChanges = {
    ...(email !== undefined && email !== member.email && { email }),
    ...(wish.name !== undefined && wish.name !== member.name && { name: wish.name }),
    ...(isMemberRole(wish.role) && wish.role !== member.role && { role: wish.role }),
  };
  if (Object.keys(changes).length === 0) return { outcome: "unchanged" };
  if (changes.role !== undefined && !mayLeave(member, otherAdmins)) return { outcome: "last-administrator" };
  return { outcome: "changed", changes };
}

/** MEM-2: whether the tenant can do without this member as what they are. */
export const mayLeave = ({ role }: Pick<Standing, "role">, otherAdmins: number): boolean =>
  role !== "admin" || otherAdmins > 0;
