import { useState } from "react";
import { Field } from "../../ui/field.tsx";

type CommitProps = {
  label: string;
  hint?: string;
  value: string;
  /** Refuses with words, and the field keeps what was typed beside them. */
  onCommit: (value: string) => string | undefined;
  placeholder?: string;
  inputMode?: "numeric" | "decimal" | "text";
};

/** One edit for what was typed, and not one a key: it counts when the field is left, or with Enter. */
export function CommitField({ value, onCommit, ...field }: CommitProps) {
  const [typed, setTyped] = useState<string>();
  const [fault, setFault] = useState<string>();
  const commit = () => {
    if (typed === undefined) return;
    const reason = typed === value ? undefined : onCommit(typed);
    setFault(reason);
    if (reason === undefined) setTyped(undefined);
  };
  return (
    <Field
      {...field}
      value={typed ?? value}
      fault={fault}
      onValue={setTyped}
      onBlur={commit}
      autoComplete="off"
      spellCheck={false}
      onKeyDown={(event) => {
        if (event.key === "Enter") commit();
        if (event.key !== "Escape") return;
        setTyped(undefined);
        setFault(undefined);
      }}
    />
  );
}
