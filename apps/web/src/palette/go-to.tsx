// A combobox over a list of options, as ARIA's authoring practices have it: the input has the focus and every key, so that
// the options and the backdrop need clicks alone, and a select would take the place where one types.
/* oxlint-disable jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/prefer-tag-over-role */
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type RefObject, useId, useRef, useState } from "react";
import { client } from "../trpc.ts";
import { type Destination, destinationsFor } from "./destinations.ts";

const shown = 5;

/** As one types every letter is another question: what is asked is what stands still for a moment. */
const found = <Data,>(
  what: string,
  typed: string,
  ask: (typed: string, options: { signal: AbortSignal }) => Promise<Data>,
) => ({
  queryKey: ["palette", what, typed],
  queryFn: ({ signal }: { signal: AbortSignal }) => ask(typed, { signal }),
  enabled: typed.length >= 2 && typed.length <= 200,
  staleTime: 10_000,
  retry: false,
});
const foundPacks = (typed: string) =>
  found("packs", typed, (query, options) => client.packs.list.query({ limit: shown, query }, options));
const foundTasks = (typed: string) =>
  found("tasks", typed, (q, options) => client.pipelines.list.query({ limit: shown, q }, options));

export function GoTo({
  dialog,
  onSheet,
}: {
  dialog: RefObject<HTMLDialogElement | null>;
  onSheet: () => void;
}) {
  const listId = useId();
  const navigate = useNavigate();
  const list = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState("");
  const [chosen, setChosen] = useState(0);
  const { data } = useQuery(foundPacks(typed.trim()));
  const tasks = useQuery(foundTasks(typed.trim())).data?.pipelines ?? [];
  const packIds = [...new Set(data?.packs.map(({ packId }) => packId))];
  const offered = typed.trim() === "" ? destinationsFor("", []) : destinationsFor(typed, packIds, tasks);
  const at = Math.min(chosen, offered.length - 1);

  const go = (destination: Destination | undefined) => {
    if (destination === undefined) return;
    dialog.current?.close();
    void navigate(destination.link);
  };
  const showKeys = () => {
    dialog.current?.close();
    onSheet();
  };
  const move = (step: number) => {
    const next = (at + step + offered.length) % offered.length;
    setChosen(next);
    list.current?.children[next]?.scrollIntoView({ block: "nearest" });
  };

  return (
    <dialog
      ref={dialog}
      aria-label="Go to"
      onClose={() => {
        setTyped("");
        setChosen(0);
      }}
      onClick={(event) => {
        // The backdrop is the dialog itself; what is inside has elements of its own.
        if (event.target === event.currentTarget) event.currentTarget.close();
      }}
      className="mx-auto mt-[12vh] w-[min(36rem,calc(100%-2rem))] overflow-hidden rounded-md border border-rule bg-panel p-0 text-ink backdrop:bg-black/50"
    >
      <div className="grid">
        <input
          role="combobox"
          aria-label="Page, task, pack, or an id"
          aria-expanded
          aria-controls={listId}
          aria-activedescendant={offered[at] === undefined ? undefined : `${listId}-${at}`}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          placeholder="Page, task, pack, or an id"
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value);
            setChosen(0);
          }}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return;
            const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
            if (step !== 0) {
              event.preventDefault();
              move(step);
            } else if (event.key === "Enter") {
              event.preventDefault();
              go(offered[at]);
            } else if (event.key === "?" && typed === "") {
              event.preventDefault();
              showKeys();
            }
          }}
          className="min-h-12 w-full border-b border-rule bg-panel px-4 text-base outline-offset-[-2px]"
        />
        <div
          ref={list}
          id={listId}
          role="listbox"
          aria-label="Where to"
          className="max-h-[min(24rem,60vh)] overflow-y-auto py-2"
        >
          {offered.map((destination, index) => (
            <div
              key={destination.id}
              id={`${listId}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              onClick={() => go(destination)}
              onMouseMove={() => setChosen(index)}
              className={`flex min-h-10 cursor-pointer items-center justify-between gap-4 px-4 text-sm ${index === at ? "bg-plate text-plate-ink" : ""}`}
            >
              <span className="truncate">{destination.name}</span>
              <span className={`shrink-0 text-xs ${index === at ? "" : "text-ink-soft"}`}>
                {destination.kind}
              </span>
            </div>
          ))}
        </div>
        <p className="flex flex-wrap items-center justify-between gap-x-4 border-t border-rule px-4 text-xs text-ink-soft">
          <span className="py-2">↑ ↓ choose, Enter goes, Escape leaves, ? shows all keys</span>
          <button type="button" onClick={showKeys} className="min-h-9 underline underline-offset-4">
            All keys
          </button>
        </p>
      </div>
    </dialog>
  );
}
