import { may } from "@signalbox/core/permissions";
import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { faultOf, isAllBeside } from "../problem/fault-of.ts";
import { ProblemNotice } from "../problem/problem-notice.tsx";
import { problemOf } from "../problem/problem.ts";
import { currentSession } from "../session/session.ts";
import { client } from "../trpc.ts";
import { SubmitButton } from "../ui/button.tsx";
import { Field, Select } from "../ui/field.tsx";
import { Panel } from "../ui/panel.tsx";
import { TextArea } from "../ui/text-area.tsx";
import { lookAgainAtRetention, type Retention } from "./retention-queries.ts";

const ways = ["for ever", "for so many months"] as const;

export function RetentionForm({ of }: { of: Retention }) {
  const { data: session } = useSuspenseQuery(currentSession());
  const [way, setWay] = useState<(typeof ways)[number]>(of.keepMonths === null ? ways[0] : ways[1]);
  const [months, setMonths] = useState(String(of.keepMonths ?? 84));
  const [reason, setReason] = useState("");
  const change = useMutation({
    // What is no number is sent as 0, which the server refuses: JSON would make NaN null, and null is for ever.
    mutationFn: () =>
      client.retention.change.mutate({
        keepMonths: way === ways[0] ? null : Number(months) || 0,
        reason: reason.trim(),
      }),
    onSuccess: () => setReason(""),
    onSettled: () => lookAgainAtRetention(),
  });
  const allowed = session === null ? undefined : may(session, "retention.change", undefined);
  const { error } = change;
  return (
    <Panel heading="Change it">
      {allowed?.allowed !== true ? (
        <p className="text-sm text-ink-soft">Not allowed: {allowed?.reason}.</p>
      ) : (
        <form
          noValidate
          className="grid max-w-prose gap-5"
          onSubmit={(event) => {
            event.preventDefault();
            if (!change.isPending) change.mutate();
          }}
        >
          <div className="grid gap-5 sm:grid-cols-2">
            <Select label="Keep the record" value={way} options={ways} onValue={setWay} />
            {way === ways[1] && (
              <Field
                label="Months"
                inputMode="numeric"
                autoComplete="off"
                value={months}
                onValue={setMonths}
                hint="From 12 to 1200, after the month in which an entry was written."
                fault={monthsFault(faultOf(error, "keepMonths"), months)}
              />
            )}
          </div>
          <TextArea
            label="Reason"
            value={reason}
            onValue={setReason}
            hint="The record keeps it."
            fault={faultOf(error, "reason")}
          />
          <p className="text-sm text-ink-soft">
            A shorter time takes effect in a week, so that whoever objects can place a hold. What has gone
            does not come back.
          </p>
          {error !== null && !isAllBeside(error, ["keepMonths", "reason"]) && (
            <ProblemNotice problem={problemOf(error)} />
          )}
          <div className="flex flex-wrap items-center gap-4">
            <SubmitButton>{change.isPending ? "One moment…" : "Say so"}</SubmitButton>
            <output className="text-sm text-ink-soft">
              {change.isSuccess && "It is said, and on record."}
            </output>
          </div>
        </form>
      )}
    </Panel>
  );
}

/** The server was told 0 of what is no number, and would speak of that. */
const monthsFault = (fault: string | undefined, typed: string): string | undefined =>
  fault === undefined || /^[1-9]\d*$/.test(typed.trim())
    ? fault
    : "Give a whole number of months, from 12 to 1200.";
