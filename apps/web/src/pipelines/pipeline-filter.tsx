import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { paths } from "../paths.ts";
import { MOST_OF_A_SEARCH } from "../search-text.ts";
import { SubmitButton } from "../ui/button.tsx";
import { Field, Select } from "../ui/field.tsx";
import { type Filter, filterStatuses, sinceOptions } from "./filter.ts";
import { pipelineStatus } from "./statuses.ts";

const anyStatus = "Any status";
const anyTime = "Any time";
const sinceWords = { hour: "The last hour", day: "The last day", week: "The last week" };
const statusWords = filterStatuses.map((status) => pipelineStatus(status).word);

/** The URL keeps what was asked for, so that a found list can be sent to somebody. */
export function PipelineFilter({ filter }: { filter: Filter }) {
  const navigate = useNavigate();
  const [q, setQ] = useState(filter.q ?? "");
  const [pack, setPack] = useState(filter.pack ?? "");
  const go = (next: Filter): void => void navigate(paths.pipelines(next));
  const { q: _q, pack: _pack, ...chosen } = filter;
  const written = {
    ...(q.trim() !== "" && { q: q.trim() }),
    ...(pack.trim() !== "" && { pack: pack.trim() }),
  };
  const { status: _status, ...withoutStatus } = { ...filter, ...written };
  const { since: _since, ...withoutSince } = { ...filter, ...written };
  return (
    <search>
      <form
        className="grid items-end gap-3 sm:grid-cols-2 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_11rem_11rem_auto]"
        onSubmit={(event) => {
          event.preventDefault();
          go({ ...chosen, ...written });
        }}
      >
        <Field
          label="Task, name or template"
          type="search"
          maxLength={MOST_OF_A_SEARCH}
          value={q}
          onValue={setQ}
        />
        <Field
          label="Sent to the pack"
          type="search"
          maxLength={MOST_OF_A_SEARCH}
          value={pack}
          onValue={setPack}
        />
        <Select
          label="Status"
          value={filter.status === undefined ? anyStatus : pipelineStatus(filter.status).word}
          options={[anyStatus, ...statusWords]}
          onValue={(word) => {
            const status = filterStatuses.find((one) => pipelineStatus(one).word === word);
            go(status === undefined ? withoutStatus : { ...withoutStatus, status });
          }}
        />
        <Select
          label="Begun in"
          value={filter.since === undefined ? anyTime : sinceWords[filter.since]}
          options={[anyTime, ...Object.values(sinceWords)]}
          onValue={(word) => {
            const since = sinceOptions.find((one) => sinceWords[one] === word);
            go(since === undefined ? withoutSince : { ...withoutSince, since });
          }}
        />
        <SubmitButton>Search</SubmitButton>
      </form>
    </search>
  );
}
