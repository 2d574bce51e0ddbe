import { usePeople } from "../escalations/people.ts";
import { Moment } from "../ui/moment.tsx";
import { Fact, Panel } from "../ui/panel.tsx";
import type { Retention } from "./retention-queries.ts";
import { forHowLong, monthInWords } from "./retention-words.ts";

/** What holds now, and what becomes of the record next. */
export function RetentionStanding({ of }: { of: Retention }) {
  const { nameOf } = usePeople();
  const held = of.holds.some(({ releasedBy }) => releasedBy === null);
  return (
    <Panel heading="What holds now">
      <dl>
        <Fact name="The record is kept">{forHowLong(of.monthsInForce)}</Fact>
        {of.takesEffectAt !== null && (
          <Fact name="To come">
            {forHowLong(of.keepMonths)}, from <Moment at={of.takesEffectAt} exact /> on
          </Fact>
        )}
        {of.changedAt !== null && of.changedBy !== null && (
          <Fact name="Said by">
            {nameOf(of.changedBy)}, <Moment at={of.changedAt} />
            {of.reason !== null && <span className="mt-1 block whitespace-pre-line">{of.reason}</span>}
          </Fact>
        )}
        <Fact name="The record begins">
          {of.recordBegins === null ? "with its first entry" : <Moment at={of.recordBegins} exact />}
        </Fact>
        <Fact name="What goes next">
          <Next of={of} held={held} />
        </Fact>
      </dl>
    </Panel>
  );
}

function Next({ of: { oldest, monthsInForce }, held }: { of: Retention; held: boolean }) {
  if (held) return <>Nothing: the record is held.</>;
  if (monthsInForce === null || oldest === null || oldest.goesAt === null)
    return <>Nothing: the record is kept for ever.</>;
  return (
    <>
      {monthInWords(oldest.month)}, not before <Moment at={oldest.goesAt} exact />. Where other tenants wrote
      in the same month, it stays until each of them lets it go.
    </>
  );
}
