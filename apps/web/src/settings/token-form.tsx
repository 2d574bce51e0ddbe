import type { Caller } from "@signalbox/core";
import { useState } from "react";
import { useOneAtATime } from "../commands/use-one-at-a-time.ts";
import type { Texts } from "../documents/kept-texts.ts";
import { useKeptForm } from "../documents/use-kept-form.ts";
import { isAllBeside } from "../problem/fault-of.ts";
import { ProblemNotice } from "../problem/problem-notice.tsx";
import { problemOf } from "../problem/problem.ts";
import { useFormFaults } from "../problem/use-form-faults.ts";
import { ownSessions } from "../session/account.ts";
import { client, queryClient } from "../trpc.ts";
import { SubmitButton } from "../ui/button.tsx";
import { Field, Select } from "../ui/field.tsx";
import { ShownOnce } from "../ui/shown-once.tsx";

const ends = { "1 hour": 1, "4 hours": 4, "8 hours": 8, "12 hours": 12 } as const;
type End = keyof typeof ends;
const isEnd = (text: string): text is End => Object.hasOwn(ends, text);
const endWords = Object.keys(ends).filter(isEnd);

type TokenDraft = { label: string; end: End };
const emptyForm: TokenDraft = { label: "", end: "8 hours" };

const keptToken = (said: Texts): TokenDraft => ({
  label: said["label"] ?? "",
  end: endWords.find((end) => end === said["end"]) ?? "8 hours",
});

/** A program that has it answers questions in this person's name: over MCP, and for hours. */
export function TokenForm({ session }: { session: Caller }) {
  const kept = useKeptForm({ session, kind: "token" }, emptyForm, keptToken);
  const { label, end } = kept.form;
  const set = (part: Partial<TokenDraft>) => kept.change({ ...kept.form, ...part });
  const [made, setMade] = useState<{ label: string; token: string }>();
  const create = useOneAtATime({
    mutationFn: () => client.session.createToken.mutate({ label: label.trim(), expiresInHours: ends[end] }),
    onSuccess: (answer) => {
      kept.clear();
      setMade(answer);
      return queryClient.invalidateQueries(ownSessions());
    },
  });
  const { error } = create;
  const { form, submit, fault } = useFormFaults(error, {
    label: { value: label, says: "The label is missing: 1 to 100 characters, for which program and where." },
  });
  return (
    <div className="grid gap-6">
      <p className="text-sm text-ink-soft">
        A program on your side, such as an editor that speaks the Model Context Protocol, reads and answers
        questions in your name with it, at <code>/mcp</code> and nowhere else. What it answers stands on
        record as yours.
      </p>
      {made !== undefined && (
        <ShownOnce
          title={`The token “${made.label}”`}
          advice="Give it to the program as its bearer. Signalbox keeps only its hash and cannot show it again."
          secret={made.token}
          what={`token ${made.label}`}
          onDone={() => setMade(undefined)}
        />
      )}
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
          hint="Which program, and where."
        />
        <Select label="Good for" value={end} options={endWords} onValue={(chosen) => set({ end: chosen })} />
        <div className="sm:col-span-2">
          <SubmitButton>{create.isPending ? "One moment…" : "Make the token"}</SubmitButton>
        </div>
        {error !== null && !isAllBeside(error, ["label"]) && (
          <div className="sm:col-span-2">
            <ProblemNotice problem={problemOf(error)} />
          </div>
        )}
      </form>
    </div>
  );
}
