import { useNavigate } from "@tanstack/react-router";
import { useId, useState } from "react";
import { paths } from "../paths.ts";
import { MOST_OF_A_SEARCH } from "../search-text.ts";
import { SubmitButton } from "../ui/button.tsx";

/** The URL keeps what was searched for, so a found list can be sent to somebody. */
export function PackSearch({ search }: { search: string | undefined }) {
  const fieldId = useId();
  const navigate = useNavigate();
  const [text, setText] = useState(search ?? "");
  return (
    <search>
      <form
        className="flex max-w-xl flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          const q = text.trim();
          void navigate(paths.packs(q === "" ? {} : { q }));
        }}
      >
        <div className="min-w-0 flex-1 basis-56">
          <label htmlFor={fieldId} className="mb-1.5 block text-sm font-medium">
            Pack
          </label>
          <input
            id={fieldId}
            type="search"
            maxLength={MOST_OF_A_SEARCH}
            value={text}
            onChange={(event) => setText(event.target.value)}
            className="min-h-10 w-full rounded-sm border border-track/60 bg-panel px-3 font-mono text-sm"
          />
        </div>
        <SubmitButton>Search</SubmitButton>
      </form>
    </search>
  );
}
