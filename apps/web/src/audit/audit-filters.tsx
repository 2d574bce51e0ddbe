import { Link, useNavigate } from "@tanstack/react-router";
import { useId, useRef, useState } from "react";
import { paths } from "../paths.ts";
import { Button, SubmitButton } from "../ui/button.tsx";
import { Field, Select } from "../ui/field.tsx";
import {
  type AuditFilter,
  filterOf,
  type FilterName,
  isNarrowed,
  localOf,
  momentOf,
} from "./audit-filter.ts";
import { MOST_OF_A_SEARCH } from "../search-text.ts";
import { eventNames, wordOf } from "./event-words.ts";
import { useWho } from "./use-who.ts";

/** What is wrong with what was searched for, in a person's words. */
export type FilterFaults = Partial<Record<"eventType" | "to", string>>;

const more = ["pipelineId", "traceId", "packId", "actor", "from", "to"] as const;

const typeWord = (type: string): string => (type === "" ? "anything" : wordOf(type));

/** The URL keeps what was searched for, so what was found can be sent to somebody. */
export function AuditFilters({ filter, faults }: { filter: AuditFilter; faults: FilterFaults }) {
  const navigate = useNavigate();
  const whoId = useId();
  const [wanted, setWanted] = useState<AuditFilter>(filter);
  const [isOpen, setOpen] = useState(more.some((name) => filter[name] !== undefined));
  const hasAsked = useRef(false);
  const who = useWho(filter.actor, isOpen);
  const set = (name: FilterName) => (text: string) => setWanted((was) => ({ ...was, [name]: text }));
  const field = (name: FilterName) => ({ value: wanted[name] ?? "", onValue: set(name) });
  const moment = (name: "from" | "to") => ({
    type: "datetime-local",
    value: localOf(wanted[name]),
    onValue: (local: string) => set(name)(momentOf(local) ?? ""),
  });
  // What the address asks for may be a later server's, or nobody's; either way it is what was asked.
  const strange = [filter.eventType ?? []].flat().filter((type) => !eventNames.some((name) => name === type));
  const search = async () => {
    const actor = await who.read();
    if (actor !== undefined) await navigate(paths.audit(filterOf({ ...wanted, actor })));
  };
  return (
    <search>
      <form
        noValidate
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          void search();
        }}
      >
        <div className="grid gap-4 sm:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_auto] sm:items-start">
          <Field
            label="Words"
            type="search"
            maxLength={MOST_OF_A_SEARCH}
            {...field("q")}
            placeholder="quarantine OR breaker, “no instance”, -probe"
          />
          <Select
            label="What happened"
            value={wanted.eventType ?? ""}
            options={["", ...strange, ...eventNames]}
            wordOf={typeWord}
            onValue={set("eventType")}
            fault={wanted.eventType === filter.eventType ? faults.eventType : undefined}
          />
          <div className="sm:pt-[1.6rem]">
            <SubmitButton>Search</SubmitButton>
          </div>
        </div>
        {isOpen && (
          <div
            ref={(opened) => {
              if (hasAsked.current) opened?.querySelector("input")?.focus();
              hasAsked.current = false;
            }}
            className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3"
          >
            <Field label="Pipeline" spellCheck={false} autoComplete="off" {...field("pipelineId")} />
            <Field label="Trace or request" spellCheck={false} autoComplete="off" {...field("traceId")} />
            <Field label="Pack" spellCheck={false} autoComplete="off" {...field("packId")} />
            <Field
              label="Who"
              list={whoId}
              spellCheck={false}
              autoComplete="off"
              value={who.value}
              onValue={who.onValue}
              fault={who.fault}
            />
            <datalist id={whoId}>
              {who.offers.map(({ id, says }) => (
                <option key={id}>{says}</option>
              ))}
            </datalist>
            <Field label="From" {...moment("from")} />
            <Field
              label="Before"
              {...moment("to")}
              fault={wanted.from === filter.from && wanted.to === filter.to ? faults.to : undefined}
            />
          </div>
        )}
        <div className="flex flex-wrap items-center gap-4 text-sm">
          {!isOpen && (
            <Button
              onClick={() => {
                hasAsked.current = true;
                setOpen(true);
              }}
            >
              Narrow further
            </Button>
          )}
          {isNarrowed(filter) && (
            <Link {...paths.audit()} className="font-medium underline underline-offset-4">
              Show the whole record
            </Link>
          )}
        </div>
      </form>
    </search>
  );
}
