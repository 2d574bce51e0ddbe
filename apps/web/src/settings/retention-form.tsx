import type { Caller } from "@signalbox/core";
import { may } from "@signalbox/core/permissions";
import { keepsLess } from "@signalbox/core/retention";
import { useSuspenseQuery } from "@tanstack/react-query";
import { useOneAtATime } from "../commands/use-one-at-a-time.ts";
import type { Texts } from "../documents/kept-texts.ts";
import { useKeptForm } from "../documents/use-kept-form.ts";
import { isAllBeside } from "../problem/fault-of.ts";
import { Refusal } from "../problem/refusal.tsx";
import { useFormFaults } from "../problem/use-form-faults.ts";
import { currentSession } from "../session/session.ts";
import { client } from "../trpc.ts";
import { ConfirmButton } from "../ui/confirm-button.tsx";
import { Field, Select } from "../ui/field.tsx";
import { Panel } from "../ui/panel.tsx";
import { TextArea } from "../ui/text-area.tsx";
import { lookAgainAtRetention, type Retention } from "./retention-queries.ts";
import { allowedMonths, forHowLong, monthsIn } from "./retention-words.ts";

const ways = ["for ever", "for so many months"] as const;
type Wish = { way: (typeof ways)[number]; months: string; reason: string };

const wishOf = ({ keepMonths }: Retention): Wish => ({
  way: keepMonths === null ? ways[0] : ways[1],
  months: String(keepMonths ?? 84),
  reason: "",
});

const keptWish = (said: Texts, empty: Wish): Wish => ({
  way: ways.find((way) => way === said["way"]) ?? empty.way,
  months: said["months"] ?? empty.months,
  reason: said["reason"] ?? empty.reason,
});

export function RetentionForm({ of }: { of: Retention }) {
  const { data: session } = useSuspenseQuery(currentSession());
  if (session === null) return null;
  const allowed = may(session, "retention.change", undefined);
  return (
    <Panel heading="Change it">
      {allowed.allowed ? (
        <Change of={of} session={session} />
      ) : (
        <p className="text-sm text-ink-soft">Not allowed: {allowed.reason}.</p>
      )}
    </Panel>
  );
}

/** A record that has gone does not come back: what is said of it is read once more before it is said. */
function Change({ of, session }: { of: Retention; session: Caller }) {
  const empty = wishOf(of);
  const kept = useKeptForm({ session, kind: "retention" }, empty, (said) => keptWish(said, empty));
  const { way, months, reason } = kept.form;
  const set = (part: Partial<Wish>) => kept.change({ ...kept.form, ...part });
  const wanted = way === ways[0] ? null : monthsIn(months);
  const change = useOneAtATime({
    mutationFn: (keepMonths: number | null) =>
      client.retention.change.mutate({ keepMonths, reason: reason.trim() }),
    onSuccess: () => kept.clear({ way, months, reason: "" }),
    onSettled: () => lookAgainAtRetention(),
  });
  const { error } = change;
  const { form, attempt, submit, fault } = useFormFaults(error, {
    keepMonths: {
      value: wanted === undefined ? "" : "said",
      says: `Give a whole number of months, ${allowedMonths}.`,
    },
    reason: {
      value: reason,
      says: "The reason is missing: the record keeps it, and whoever objects reads it.",
    },
  });
  const same = wanted === of.keepMonths;
  return (
    <form noValidate ref={form} className="grid max-w-prose gap-5" onSubmit={submit(() => undefined)}>
      <div className="grid gap-5 sm:grid-cols-2">
        <Select
          label="Keep the record"
          value={way}
          options={ways}
          onValue={(chosen) => set({ way: chosen })}
        />
        {way === ways[1] && (
          <Field
            label="Months"
            inputMode="numeric"
            autoComplete="off"
            value={months}
            onValue={(text) => set({ months: text })}
            hint={`A whole number ${allowedMonths}, after the month in which an entry was written.`}
            fault={fault("keepMonths")}
          />
        )}
      </div>
      <TextArea
        label="Reason"
        value={reason}
        onValue={(text) => set({ reason: text })}
        hint="The record keeps it."
        fault={fault("reason")}
      />
      {error !== null && !isAllBeside(error, ["keepMonths", "reason"]) && <Refusal error={error} />}
      <div className="flex flex-wrap items-center gap-4">
        <ConfirmButton
          kind="main"
          action="Change it"
          what="how long the record is kept"
          question={`Keep the record ${forHowLong(wanted ?? null)}?`}
          before={attempt}
          unavailable={
            change.isPending
              ? "One moment…"
              : same
                ? `It is said already: ${forHowLong(of.keepMonths)}.`
                : undefined
          }
          onConfirm={() => {
            if (wanted !== undefined) change.mutate(wanted);
          }}
        >
          <p>It is kept {forHowLong(of.monthsInForce)} now.</p>
          {keepsLess(wanted ?? null, of.monthsInForce) ? (
            <p>
              The shorter time takes effect in a week, so that whoever objects can place a hold. What is older
              goes then, and does not come back.
            </p>
          ) : (
            <p>It holds at once, and nothing goes by it.</p>
          )}
        </ConfirmButton>
        <output className="text-sm text-ink-soft">{change.isSuccess && "It is said, and on record."}</output>
      </div>
    </form>
  );
}
