import { useState } from "react";
import { TextArea } from "../../ui/text-area.tsx";

type AreaProps = {
  label: string;
  hint?: string;
  entries: readonly string[];
  onCommit: (entries: readonly string[] | undefined) => string | undefined;
};

/** A list, one entry a line: one edit for what was typed, when the field is left. */
export function CommitArea({ label, hint, entries, onCommit }: AreaProps) {
  const [typed, setTyped] = useState<string>();
  const [fault, setFault] = useState<string>();
  const value = entries.join("\n");
  return (
    <TextArea
      label={label}
      hint={hint}
      fault={fault}
      rows={Math.min(Math.max(entries.length + 1, 2), 8)}
      code
      value={typed ?? value}
      onValue={setTyped}
      onBlur={() => {
        if (typed === undefined) return;
        const reason = typed === value ? undefined : onCommit(listFrom(typed));
        setFault(reason);
        if (reason === undefined) setTyped(undefined);
      }}
    />
  );
}

/** Empty lines are left out, and of nothing there is no list. */
function listFrom(text: string): readonly string[] | undefined {
  const entries = text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [line.trim()]));
  return entries.length === 0 ? undefined : entries;
}
