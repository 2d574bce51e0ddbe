import { Link } from "@tanstack/react-router";
import { type ReactNode, useState } from "react";
import { useOneAtATime } from "../commands/use-one-at-a-time.ts";
import type { Simulation } from "../documents/document-queries.ts";
import { paths } from "../paths.ts";
import { TaskName } from "../pipelines/task-name.tsx";
import { ProblemNotice } from "../problem/problem-notice.tsx";
import { problemOf } from "../problem/problem.ts";
import { client } from "../trpc.ts";
import { CommandButton } from "../ui/command-button.tsx";
import { Select } from "../ui/field.tsx";
import { Moment } from "../ui/moment.tsx";
import { Panel } from "../ui/panel.tsx";
import { Plate } from "../ui/plate.tsx";
import { simulationWords } from "./simulation-words.ts";

const counts = ["50", "200", "1000"] as const;

/** The newest decisions on record, taken again under this text: which would have gone elsewhere, and why. */
export function SimulationPanel({ text, isFaulty }: { text: string; isFaulty: boolean }) {
  const [last, setLast] = useState<(typeof counts)[number]>("200");
  const simulate = useOneAtATime({
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
        <CommandButton
          onClick={() => simulate.mutate({ text, last: Number(last) })}
          unavailable={
            isPending ? "The record is being read." : isFaulty ? "The faults below come first." : undefined
          }
        >
          Simulate
        </CommandButton>
      </div>
      {error !== null && <ProblemNotice problem={problemOf(error)} />}
      {data !== undefined && (
        <>
          <output className="text-sm font-medium">
            {data.text === text ? "" : "The text has changed since. "}
            {simulationWords(data.told)}
          </output>
          {data.told.differing.length > 0 && (
            <Differing dispatches={data.told.differing} count={data.told.elsewhere} />
          )}
          {data.told.undecided.length > 0 && (
            <Undecided dispatches={data.told.undecided} count={data.told.undecidable} />
          )}
        </>
      )}
    </div>
  );
}

const cell = "px-4 py-3 align-top text-sm first:pl-5 last:pr-5";

type RowsProps<Dispatch> = { dispatches: readonly Dispatch[]; count: number };

function Differing({ dispatches, count }: RowsProps<Simulation["differing"][number]>) {
  return (
    <Board
      caption="Decisions that would come out otherwise, the newest first"
      columns={["Task", "It went to", "It would go to"]}
      left={count - dispatches.length}
    >
      {dispatches.map((dispatch) => (
        <Row key={keyOf(dispatch)} of={dispatch} />
      ))}
    </Board>
  );
}

/** Neither the same nor a change: the record of that moment does not hold what the answer depends on. */
function Undecided({ dispatches, count }: RowsProps<Simulation["undecided"][number]>) {
  return (
    <Panel heading="Nobody can say">
      <Board
        caption="Decisions of which nobody can say how they would come out, the newest first"
        columns={["Task", "It went to"]}
        left={count - dispatches.length}
      >
        {dispatches.map((dispatch) => (
          <Row key={keyOf(dispatch)} of={dispatch} />
        ))}
      </Board>
    </Panel>
  );
}

function Board(props: { caption: string; columns: readonly string[]; left: number; children: ReactNode }) {
  return (
    <div className="grid gap-2">
      <div className="board overflow-x-auto">
        <table className="w-full border-collapse text-left">
          <caption className="sr-only">{props.caption}</caption>
          <thead>
            <tr className="border-b border-rule">
              {props.columns.map((name) => (
                <th key={name} scope="col" className={`${cell} font-medium text-ink-soft`}>
                  {name}
                </th>
              ))}
              <th scope="col" className={`${cell} hidden font-medium text-ink-soft md:table-cell`}>
                Why
              </th>
            </tr>
          </thead>
          <tbody>{props.children}</tbody>
        </table>
      </div>
      {props.left > 0 && <p className="text-sm text-ink-soft">{props.left} older ones are not listed.</p>}
    </div>
  );
}

type Told = Simulation["differing"][number] | Simulation["undecided"][number];

const keyOf = ({ pipelineId, stageId, attemptNumber, at }: Told) =>
  `${pipelineId} ${stageId} ${attemptNumber} ${at}`;

function Row({ of: { taskType, stageId, at, before, why, ...rest } }: { of: Told }) {
  return (
    <tr className="border-b border-rule/70 last:border-b-0">
      <th scope="row" className={`${cell} anywhere font-normal`}>
        <Link
          {...paths.pipeline(rest.pipelineId)}
          className="underline decoration-track/50 underline-offset-4"
        >
          <TaskName {...rest} />
        </Link>
        <span className="block">
          {taskType}
          {stageId !== taskType && <span className="text-ink-soft">, stage {stageId}</span>}
        </span>
        <span className="block text-ink-soft">
          <Moment at={at} />
        </span>
        <span className="block text-ink-soft md:hidden">{why}</span>
      </th>
      <td className={`${cell} anywhere`}>
        <Place of={before} />
      </td>
      {"after" in rest && (
        <td className={`${cell} anywhere`}>
          <Place of={rest.after} />
        </td>
      )}
      <td className={`${cell} anywhere hidden text-ink-soft md:table-cell`}>{why}</td>
    </tr>
  );
}

function Place({ of: { outcome, packId } }: { of: Simulation["differing"][number]["before"] }) {
  if (packId !== null) return <Plate>{packId}</Plate>;
  return <>{outcome.startsWith("wait") ? "it waits" : "a person is asked"}</>;
}
