import { may } from "@signalbox/core/permissions";
import type { Caller, MemberRole } from "@signalbox/core";
import { useOneAtATime } from "../commands/use-one-at-a-time.ts";
import type { Texts } from "../documents/kept-texts.ts";
import { useKeptForm } from "../documents/use-kept-form.ts";
import { isAllBeside } from "../problem/fault-of.ts";
import { ProblemNotice } from "../problem/problem-notice.tsx";
import { problemOf } from "../problem/problem.ts";
import { useFormFaults } from "../problem/use-form-faults.ts";
import { client } from "../trpc.ts";
import { SubmitButton } from "../ui/button.tsx";
import { Field, Select } from "../ui/field.tsx";
import { lookAgainAtMembers } from "./pages.ts";
import { memberRoles, wordsOf } from "./role-words.ts";

export type Handed = { name: string; link: string };

type InviteDraft = { email: string; name: string; role: MemberRole };
const emptyForm: InviteDraft = { email: "", name: "", role: "viewer" };

const keptInvitation = (said: Texts): InviteDraft => ({
  email: said["email"] ?? "",
  name: said["name"] ?? "",
  role: memberRoles.find((role) => role === said["role"]) ?? "viewer",
});

type FormProps = { session: Caller; onInvited: (handed: Handed) => void };

export function InviteForm({ session, onInvited }: FormProps) {
  const kept = useKeptForm({ session, kind: "invitation" }, emptyForm, keptInvitation);
  const { email, name, role } = kept.form;
  const set = (part: Partial<InviteDraft>) => kept.change({ ...kept.form, ...part });
  const invite = useOneAtATime({
    mutationFn: () => client.members.invite.mutate({ email, name: name.trim(), role }),
    onSuccess: ({ member, invitation }) => {
      kept.clear();
      onInvited({ name: member.name, link: invitation.link });
      return lookAgainAtMembers();
    },
  });
  const { error } = invite;
  const { form, submit, fault } = useFormFaults(error, {
    name: { value: name, says: "The name is missing: 1 to 100 characters, as others will see it." },
    email: { value: email, says: "The address is missing: one such as ada@example.org, to sign in with." },
  });
  if (!may(session, "member.invite", undefined).allowed) {
    return <p className="text-sm text-ink-soft">An administrator invites members and changes their roles.</p>;
  }
  return (
    <form
      noValidate
      className="grid gap-5 sm:grid-cols-2 lg:grid-cols-[2fr_2fr_1fr_auto] lg:items-start"
      ref={form}
      onSubmit={submit(() => {
        if (!invite.isPending) invite.mutate();
      })}
    >
      <Field
        label="Name"
        autoComplete="off"
        value={name}
        onValue={(text) => set({ name: text })}
        fault={fault("name")}
      />
      <Field
        label="Address"
        type="email"
        autoComplete="off"
        spellCheck={false}
        value={email}
        onValue={(text) => set({ email: text })}
        fault={fault("email")}
      />
      <Select label="Role" value={role} options={memberRoles} onValue={(chosen) => set({ role: chosen })} />
      <div className="lg:pt-[1.6rem]">
        <SubmitButton>{invite.isPending ? "One moment…" : "Invite"}</SubmitButton>
      </div>
      <p className="text-sm text-ink-soft sm:col-span-2 lg:col-span-4">
        {role[0]?.toUpperCase() + role.slice(1)}: {wordsOf(role)}.
      </p>
      {error !== null && !isAllBeside(error, ["name", "email"]) && (
        <div className="sm:col-span-2 lg:col-span-4">
          <ProblemNotice problem={problemOf(error)} />
        </div>
      )}
    </form>
  );
}
