import type { Role } from "@signalbox/core";
import { useState } from "react";
import { useOneAtATime } from "../commands/use-one-at-a-time.ts";
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

export function KeyForm({ onMade }: { onMade: (made: NewSecret) => void }) {
  const [label, setLabel] = useState("");
  const [role, setRole] = useState<Role>("agent");
  const [packs, setPacks] = useState("");
  const [end, setEnd] = useState<End>("90 days");
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
      setLabel("");
      setPacks("");
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
        onValue={setLabel}
        fault={fault("label")}
        hint="What uses it and where, such as runner-7."
      />
      <div className="grid grid-cols-2 gap-5">
        <Select label="Role" value={role} options={roles} onValue={setRole} />
        <Select label="Good for" value={end} options={endWords} onValue={setEnd} />
      </div>
      {role === "agent" && (
        <Field
          label="Packs"
          autoComplete="off"
          spellCheck={false}
          value={packs}
          onValue={setPacks}
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
