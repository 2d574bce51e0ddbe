import type { MemberRole } from "@signalbox/core";
import { mayLeave } from "@signalbox/core/members";
import { may } from "@signalbox/core/permissions";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useOneAtATime } from "../commands/use-one-at-a-time.ts";
import { Refusal } from "../problem/refusal.tsx";
import { currentSession } from "../session/session.ts";
import { client } from "../trpc.ts";
import { CommandButton } from "../ui/command-button.tsx";
import { ConfirmButton } from "../ui/confirm-button.tsx";
import { Select } from "../ui/field.tsx";
import { Moment } from "../ui/moment.tsx";
import { Plate } from "../ui/plate.tsx";
import type { Handed } from "./invite-form.tsx";
import { lookAgainAtMembers, type Member } from "./pages.ts";
import { isMemberRole, memberRoles } from "./role-words.ts";

const onSettled = () => lookAgainAtMembers();

type ListProps = {
  members: readonly Member[];
  /** Whether these are all that there are. */
  isWhole: boolean;
  onLink: (handed: Handed) => void;
};

export function MemberList({ members, isWhole, onLink }: ListProps) {
  const admins = members.filter(({ role }) => role === "admin").length;
  return (
    <ul aria-label="Members" className="board divide-y divide-rule/70">
      {members.map((member) => (
        <li key={member.memberId} className="px-5 py-4">
          <MemberRow member={member} isNeeded={isWhole && !mayLeave(member, admins - 1)} onLink={onLink} />
        </li>
      ))}
    </ul>
  );
}

type RowProps = {
  member: Member;
  /** The only administrator, without whom nobody could let anybody in. */
  isNeeded: boolean;
  onLink: (handed: Handed) => void;
};

const neededWords =
  "The only administrator stays: give somebody else the role admin first, and then change or remove this one.";

function MemberRow({ member, isNeeded, onLink }: RowProps) {
  const { data: session } = useSuspenseQuery(currentSession());
  const { memberId, name } = member;
  const change = useOneAtATime({
    mutationFn: (role: string) => client.members.change.mutate({ memberId, role }),
    onSettled,
  });
  const remove = useOneAtATime({ mutationFn: () => client.members.remove.mutate({ memberId }), onSettled });
  const signOut = useOneAtATime({ mutationFn: () => client.members.signOut.mutate({ memberId }), onSettled });
  const link = useOneAtATime({
    mutationFn: () => client.members.link.mutate({ memberId }),
    onSuccess: (made) => onLink({ name, link: made.link }),
    onSettled,
  });
  const manages = session !== null && may(session, "member.change", undefined).allowed;
  const isOwn = session?.actor.id === memberId;
  const error = change.error ?? remove.error ?? signOut.error ?? link.error;
  return (
    <div className="grid gap-3">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="min-w-0 flex-1 basis-56">
          <p className="anywhere font-medium">
            {name}
            {isOwn && <span className="font-normal text-ink-soft"> (you)</span>}
          </p>
          <p className="anywhere text-sm text-ink-soft">{member.email ?? "no address yet"}</p>
          <p className="mt-1 text-sm text-ink-soft">
            <Standing member={member} />
          </p>
        </div>
        {manages && isMemberRole(member.role) ? (
          <RoleChoice
            name={name}
            role={member.role}
            isNeeded={isNeeded}
            isAsked={change.isPending}
            onRole={(role) => change.mutate(role)}
          />
        ) : (
          <Plate>{member.role}</Plate>
        )}
      </div>
      {manages && (
        <div className="flex flex-wrap gap-2">
          <CommandButton onClick={() => link.mutate()}>
            New link<span className="sr-only"> for {name}</span>
          </CommandButton>
          {!isOwn && member.lastSignedInAt !== null && (
            <ConfirmButton
              action="Sign out"
              what={name}
              question={`Sign ${name} out everywhere?`}
              onConfirm={() => signOut.mutate()}
            >
              <p>Every session of theirs ends. They can sign in again.</p>
            </ConfirmButton>
          )}
          <ConfirmButton
            action="Remove"
            what={name}
            question={`Remove ${name}?`}
            unavailable={isNeeded ? neededWords : undefined}
            onConfirm={() => remove.mutate()}
          >
            <p>
              Every session of theirs ends, and they cannot sign in again. What they did stays on record. Keys
              that they made go on working: look through them afterwards.
            </p>
          </ConfirmButton>
        </div>
      )}
      {error !== null && <Refusal error={error} />}
    </div>
  );
}

type ChoiceProps = {
  name: string;
  role: MemberRole;
  isNeeded: boolean;
  isAsked: boolean;
  onRole: (role: MemberRole) => void;
};

/** An arrow key changes what a select shows: what it grants waits for the button. */
function RoleChoice({ name, role, isNeeded, isAsked, onRole }: ChoiceProps) {
  const [choice, setChoice] = useState({ from: role, to: role });
  // Somebody else may have changed it since.
  const wanted = choice.from === role ? choice.to : role;
  const missing = wanted === role ? "Choose another role first." : undefined;
  const unavailable = isAsked ? "It is being asked for." : missing;
  return (
    <div className="flex flex-wrap items-center gap-2">
      <div className="w-36">
        <Select
          label={`Role of ${name}`}
          hidden
          value={wanted}
          options={memberRoles}
          onValue={(to) => setChoice({ from: role, to })}
          unavailable={isNeeded}
        />
      </div>
      {!isNeeded && (
        <CommandButton
          unavailable={unavailable && <span className="sr-only">{unavailable}</span>}
          onClick={() => onRole(wanted)}
        >
          Change role<span className="sr-only"> of {name}</span>
        </CommandButton>
      )}
    </div>
  );
}

function Standing({
  member: { lastSignedInAt, invitedUntil, hasPassword, hasIdentity },
}: {
  member: Member;
}) {
  const ways = [hasPassword ? ["a password"] : [], hasIdentity ? ["your organisation’s sign-in"] : []].flat();
  return (
    <>
      {lastSignedInAt === null ? (
        "Has never signed in"
      ) : (
        <>
          Signed in last <Moment at={lastSignedInAt} />
        </>
      )}
      {ways.length > 0 && `; has ${ways.join(" and ")}`}
      {invitedUntil !== null && (
        <>
          ; has a link until <Moment at={invitedUntil} />
        </>
      )}
    </>
  );
}
