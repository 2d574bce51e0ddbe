import { useId, useState } from "react";
import { Field } from "../../ui/field.tsx";

type CommitProps = {
  label: string;
  hint?: string;
  value: string;
  /** Refuses with words, and the field keeps what was typed beside them. */
  onCommit: (value: string) => string | undefined;
  placeholder?: string;
  inputMode?: "numeric" | "decimal" | "text";
  /** What is known and may be chosen; anything else may be typed. */
  offers?: readonly string[];
};

/** One edit for what was typed, and not one a key: it counts when the field is left, or with Enter. */
export function CommitField({ value, onCommit, offers, ...field }: CommitProps) {
  const listId = useId();
  const [typed, setTyped] = useState<string>();
  const [fault, setFault] = useState<string>();
  const commit = () => {
    if (typed === undefined) return;
    const reason = typed === value ? undefined : onCommit(typed);
    setFault(reason);
    if (reason === undefined) setTyped(undefined);
  };
  return (
    <div className="min-w-0">
      <Field
        {...field}
        value={typed ?? value}
        fault={fault}
        onValue={setTyped}
        onBlur={commit}
        autoComplete="off"
        spellCheck={false}
        list={offers === undefined ? undefined : listId}
        onKeyDown={(event) => {
          if (event.key === "Enter") commit();
          if (event.key !== "Escape") return;
          setTyped(undefined);
          setFault(undefined);
        }}
      />
      {offers !== undefined && (
        <datalist id={listId}>
          {offers.map((offer) => (
            <option key={offer}>{offer}</option>
          ))}
        </datalist>
      )}
    </div>
  );
}
