import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Simulation } from "../documents/document-queries.ts";
import { ProblemNotice } from "../problem/problem-notice.tsx";
import { problemOf } from "../problem/problem.ts";
import { client } from "../trpc.ts";
import { Button } from "../ui/button.tsx";
import { Select } from "../ui/field.tsx";
import { Moment } from "../ui/moment.tsx";
import { Plate } from "../ui/plate.tsx";

const counts = ["50", "200", "1000"] as const;

/** The newest decisions on record, taken again under this text: which would have gone elsewhere, and why. */
export function SimulationPanel({ text, isFaulty }: { text: string; isFaulty: boolean }) {
  const [last, setLast] = useState<(typeof counts)[number]>("200");
  const simulate = useMutation({
    mutationFn: async (asked: { text: string; last: number }) => ({
      text: asked.text,
      told: await client.documents.simulate.mutate(asked),
    }),
  });
  const { data, error, isPending } = simulate;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <p className="max-w-prose text-sm text-ink-soft">
        Each decision on record holds the facts it was taken on. Here they are taken again under this policy,
        on the facts of their moments. Nothing is sent, and nothing is kept.
      </p>
      <div className="flex flex-wrap items-end gap-3">
        <div className="w-40">
          <Select label="Decisions, the newest" value={last} options={counts} onValue={setLast} />
        </div>
        <Button
          onClick={() => simulate.mutate({ text, last: Number(last) })}
          unavailable={
            isPending ? "The record is being read." : isFaulty ? "The faults below come first." : undefined
          }
        >
          Simulate
        </Button>
      </div>
      {error !== null && <ProblemNotice problem={problemOf(error)} />}
      {data !== undefined && (
        <>
          <output className="text-sm font-medium">
            {data.text === text ? "" : "The text has changed since. "}
            {summaryOf(data.told)}
          </output>
          {data.told.differing.length > 0 && <Differing dispatches={data.told.differing} />}
        </>
      )}
    </div>
  );
}

function summaryOf({ looked, same, unreadable }: Simulation): string {
  if (looked === 0) return "No decision is on record yet.";
  const other = looked - same - unreadable;
  const lost = unreadable === 0 ? "" : ` ${unreadable} tell too little to be taken again.`;
  return `Of ${looked} decisions ${other} would not come out as they did.${lost}`;
}

const cell = "px-4 py-3 align-top text-sm first:pl-5 last:pr-5";

function Differing({ dispatches }: { dispatches: Simulation["differing"] }) {
  return (
    <div className="board overflow-x-auto">
      <table className="w-full border-collapse text-left">
        <caption className="sr-only">Decisions that would come out otherwise, the newest first</caption>
        <thead>
          <tr className="border-b border-rule">
            {["Task", "It went to", "It would go to"].map((name) => (
              <th key={name} scope="col" className={`${cell} font-medium text-ink-soft`}>
                {name}
              </th>
            ))}
            <th scope="col" className={`${cell} hidden font-medium text-ink-soft md:table-cell`}>
              Why
            </th>
          </tr>
        </thead>
        <tbody>
          {dispatches.map(({ pipelineId, stageId, attemptNumber, taskType, at, before, after, why }) => (
            <tr
              key={`${pipelineId} ${stageId} ${attemptNumber} ${at}`}
              className="border-b border-rule/70 last:border-b-0"
            >
              <th scope="row" className={`${cell} anywhere font-normal`}>
                <span className="font-medium">{taskType}</span>
                <span className="block text-ink-soft">
                  <Moment at={at} />
                </span>
                <span className="block text-ink-soft md:hidden">{why}</span>
              </th>
              <td className={`${cell} anywhere`}>
                <Place of={before} />
              </td>
              <td className={`${cell} anywhere`}>
                {after === null ? (
                  <span className="text-ink-soft">nobody can say</span>
                ) : (
                  <Place of={after} />
                )}
              </td>
              <td className={`${cell} anywhere hidden text-ink-soft md:table-cell`}>{why}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Place({ of: { outcome, packId } }: { of: Simulation["differing"][number]["before"] }) {
  if (packId !== null) return <Plate>{packId}</Plate>;
  return <>{outcome.startsWith("wait") ? "it waits" : "a person is asked"}</>;
}
