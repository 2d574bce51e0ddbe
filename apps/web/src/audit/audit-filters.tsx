import { Link, useNavigate } from "@tanstack/react-router";
import { useId, useRef, useState } from "react";
import { paths } from "../paths.ts";
import { Button, SubmitButton } from "../ui/button.tsx";
import { Field, SaidBelow } from "../ui/field.tsx";
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

const inputShape =
  "min-h-10 w-full min-w-0 rounded-sm border border-track/60 bg-panel px-3 text-sm aria-invalid:border-danger-rule";
const more = ["pipelineId", "traceId", "packId", "actor", "from", "to"] as const;

/** The URL keeps what was searched for, so what was found can be sent to somebody. */
export function AuditFilters({ filter, typeFault }: { filter: AuditFilter; typeFault: string | undefined }) {
  const navigate = useNavigate();
  const [typeId, whoId] = [useId(), useId()];
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
  const isStrange = filter.eventType !== undefined && !eventNames.some((name) => name === filter.eventType);
  const isFaulty = typeFault !== undefined && wanted.eventType === filter.eventType;
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
          <div className="min-w-0">
            <label htmlFor={typeId} className="mb-1.5 block text-sm font-medium">
              What happened
            </label>
            <select
              id={typeId}
              className={inputShape}
              aria-invalid={isFaulty}
              aria-describedby={isFaulty ? `${typeId}-fault` : undefined}
              value={wanted.eventType ?? ""}
              onChange={(event) => set("eventType")(event.target.value)}
            >
              <option value="">anything</option>
              {isStrange && <option>{filter.eventType}</option>}
              {eventNames.map((name) => (
                <option key={name} value={name}>
                  {wordOf(name)}
                </option>
              ))}
            </select>
            <SaidBelow id={typeId} hint={undefined} fault={isFaulty ? typeFault : undefined} />
          </div>
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
            <Field label="Before" {...moment("to")} />
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
