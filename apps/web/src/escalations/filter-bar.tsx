import { useNavigate } from "@tanstack/react-router";
import { useId, useState, type ReactNode } from "react";
import { paths } from "../paths.ts";
import { SubmitButton } from "../ui/button.tsx";
import { usePeople } from "./people.ts";
import { readFilter, type InboxFilter } from "./inbox-filters.ts";
import { causeWords } from "./words.ts";

const control = "min-h-10 w-full min-w-0 rounded-sm border border-track/60 bg-panel px-3 text-sm";

const statusChoices = [
  ["open", "Waiting"],
  ["closed", "Closed"],
  ["all", "All"],
] as const;
const dueChoices = [
  ["", "At any time"],
  ["in-time", "In time"],
  ["soon", "Due soon"],
  ["late", "Late"],
] as const;

/** Each choice is at once in the URL, so that what is shown can be sent to somebody. */
export function FilterBar({ filter }: { filter: InboxFilter }) {
  const navigate = useNavigate();
  const { able } = usePeople();
  const change = (part: Record<string, string>) =>
    void navigate(paths.escalations(readFilter({ ...filter, ...part })));
  return (
    <search className="grid grid-cols-2 items-end gap-3 lg:grid-cols-4">
      <Choice
        label="Status"
        value={filter.status ?? "open"}
        choices={statusChoices}
        onChoice={(status) => change({ status })}
      />
      <Choice
        label="With"
        value={filter.assignee ?? ""}
        choices={[
          ["", "Anybody"],
          ["me", "Me"],
          ["nobody", "Nobody"],
          ...able.map(({ memberId, name }): [string, string] => [memberId, name]),
        ]}
        onChoice={(assignee) => change({ assignee })}
      />
      <Choice
        label="Why"
        value={filter.cause ?? ""}
        choices={[["", "Any cause"], ...Object.entries(causeWords)]}
        onChoice={(cause) => change({ cause })}
      />
      <Choice
        label="To be answered"
        value={filter.due ?? ""}
        choices={dueChoices}
        onChoice={(due) => change({ due })}
      />
      <TextField
        key={`task ${filter.q}`}
        label="Task"
        hint="id or words of its title"
        value={filter.q ?? ""}
        onValue={(q) => change({ q })}
      />
      <TextField
        key={`pack ${filter.pack}`}
        label="Pack"
        hint="any"
        value={filter.pack ?? ""}
        onValue={(pack) => change({ pack })}
      />
    </search>
  );
}

type ChoiceProps = {
  label: string;
  value: string;
  choices: readonly (readonly [value: string, word: string])[];
  onChoice: (value: string) => void;
};

function Choice({ label, value, choices, onChoice }: ChoiceProps) {
  const known = choices.some(([one]) => one === value);
  return (
    <Labelled label={label}>
      {(id) => (
        <select id={id} value={value} onChange={(event) => onChoice(event.target.value)} className={control}>
          {!known && <option value={value}>{value}</option>}
          {choices.map(([one, word]) => (
            <option key={one} value={one}>
              {word}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

type TextProps = { label: string; hint: string; value: string; onValue: (value: string) => void };

function TextField({ label, hint, value, onValue }: TextProps) {
  const [text, setText] = useState(value);
  return (
    <form
      className="col-span-2 flex min-w-0 items-end gap-2"
      onSubmit={(event) => {
        event.preventDefault();
        onValue(text);
      }}
    >
      <Labelled label={label}>
        {(id) => (
          <input
            id={id}
            type="search"
            value={text}
            placeholder={hint}
            maxLength={200}
            onChange={(event) => setText(event.target.value)}
            className={control}
          />
        )}
      </Labelled>
      <SubmitButton>
        Find<span className="sr-only"> {label.toLowerCase()}</span>
      </SubmitButton>
    </form>
  );
}

function Labelled({ label, children }: { label: string; children: (id: string) => ReactNode }) {
  const id = useId();
  return (
    <div className="min-w-0 flex-1">
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      {children(id)}
    </div>
  );
}
