import type { Caller, Role } from "@signalbox/core";
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
import { lookAgainAtKeys } from "./pages.ts";

export type NewSecret = { label: string; secret: string };

const roles: readonly Role[] = ["agent", "viewer", "operator", "approver", "auditor", "admin"];
const ends = { "30 days": 30, "90 days": 90, "a year": 365, "no end": undefined } as const;
type End = keyof typeof ends;
const isEnd = (text: string): text is End => Object.hasOwn(ends, text);
const endWords = Object.keys(ends).filter(isEnd);

const packsOf = (text: string) => text.split(/[\s,]+/).filter((packId) => packId !== "");

type KeyDraft = { label: string; role: Role; packs: string; end: End };
const emptyForm: KeyDraft = { label: "", role: "agent", packs: "", end: "90 days" };

const keptKey = (said: Texts): KeyDraft => ({
  label: said["label"] ?? "",
  role: roles.find((role) => role === said["role"]) ?? "agent",
  packs: said["packs"] ?? "",
  end: endWords.find((end) => end === said["end"]) ?? "90 days",
});

type FormProps = { session: Caller; onMade: (made: NewSecret) => void };

export function KeyForm({ session, onMade }: FormProps) {
  const kept = useKeptForm({ session, kind: "key" }, emptyForm, keptKey);
  const { label, role, packs, end } = kept.form;
  const set = (part: Partial<KeyDraft>) => kept.change({ ...kept.form, ...part });
  const create = useOneAtATime({
    mutationFn: () => {
      const expiresInDays = ends[end];
      return client.keys.create.mutate({
        label: label.trim(),
        role,
        ...(role === "agent" && { packIds: packsOf(packs) }),
        ...(expiresInDays !== undefined && { expiresInDays }),
      });
    },
    onSuccess: (made) => {
      kept.clear();
      onMade({ label: made.label, secret: made.secret });
      return lookAgainAtKeys();
    },
  });
  const { error } = create;
  const { form, submit, fault } = useFormFaults(error, {
    label: {
      value: label,
      says: "The label is missing: 1 to 100 characters, for what uses the key and where.",
    },
    ...(role === "agent" && {
      packIds: {
        value: packsOf(packs).join(","),
        says: "The packs are missing: the ids of those that the agent speaks for, such as painter, verifier.",
      },
    }),
  });
  const packsFault = fault(error === null ? "packIds" : packsField(error));
  return (
    <form
      noValidate
      className="grid gap-5 sm:grid-cols-2"
      ref={form}
      onSubmit={submit(() => {
        if (!create.isPending) create.mutate();
      })}
    >
      <Field
        label="Label"
        autoComplete="off"
        value={label}
        onValue={(text) => set({ label: text })}
        fault={fault("label")}
        hint="What uses it and where, such as runner-7."
      />
      <div className="grid grid-cols-2 gap-5">
        <Select label="Role" value={role} options={roles} onValue={(chosen) => set({ role: chosen })} />
        <Select label="Good for" value={end} options={endWords} onValue={(chosen) => set({ end: chosen })} />
      </div>
      {role === "agent" && (
        <Field
          label="Packs"
          autoComplete="off"
          spellCheck={false}
          value={packs}
          onValue={(text) => set({ packs: text })}
          fault={packsFault}
          hint="The ids of the packs that it speaks for, joined by commas. It is refused for any other."
        />
      )}
      <div className="self-end sm:col-span-2">
        <SubmitButton>{create.isPending ? "One moment…" : "Make the key"}</SubmitButton>
      </div>
      {error !== null && !isAllBeside(error, ["label", packsField(error)]) && (
        <div className="sm:col-span-2">
          <ProblemNotice problem={problemOf(error)} />
        </div>
      )}
    </form>
  );
}

/** One of them may be at fault, or the list of them. */
const packsField = (error: unknown): string =>
  problemOf(error).violations.find(({ field }) => field.startsWith("packIds"))?.field ?? "packIds";
