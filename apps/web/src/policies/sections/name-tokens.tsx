import { useId, useRef, useState } from "react";
import { useRowIds } from "../../ui/use-row-ids.ts";
import { Button } from "../../ui/button.tsx";
import { Field } from "../../ui/field.tsx";

type NameTokensProps = {
  heading: string;
  /** The list's name where the heading alone would not tell it from others. */
  label: string;
  /** What the names are taken from, for the buttons. */
  of: string;
  names: readonly string[];
  options?: readonly string[];
  addLabel: string;
  placeholder?: string;
  hint?: string;
  fault?: string | undefined;
  onAdd: (name: string) => void;
  onRemove: (place: number) => void;
};

/** A list of names: each with a way out of it, and a field for another. */
export function NameTokens(props: NameTokensProps) {
  const { heading, label, of, names, options = [], onAdd, onRemove } = props;
  const listId = useId();
  const ids = useRowIds(names);
  const [text, setText] = useState("");
  const [refused, setRefused] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  const add = () => {
    const name = text.trim();
    const reason =
      name === ""
        ? "There is nothing to add yet: write a name."
        : names.includes(name)
          ? `“${name}” is in the list already.`
          : undefined;
    setRefused(reason);
    if (reason !== undefined) {
      field.current?.focus();
      return;
    }
    onAdd(name);
    setText("");
  };
  return (
    <div className="min-w-0">
      <p className="mb-1.5 text-sm font-medium">{heading}</p>
      {names.length > 0 && (
        <ul aria-label={label} className="mb-2 flex flex-wrap gap-2">
          {names.map((name, place) => (
            <li
              key={ids[place]}
              className="anywhere inline-flex items-center rounded-[3px] border border-track/60 pl-2 font-mono text-xs"
            >
              {name}
              <button
                type="button"
                aria-label={`Remove ${name} from ${of}`}
                className="min-h-8 px-2.5 text-ink-soft hover:text-ink"
                onClick={() => onRemove(place)}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="flex items-start gap-2">
        <div className="min-w-0 flex-1">
          <Field
            label={props.addLabel}
            list={listId}
            value={text}
            onValue={(typed) => {
              setText(typed);
              setRefused(undefined);
            }}
            spellCheck={false}
            placeholder={props.placeholder}
            hint={props.hint}
            fault={refused ?? props.fault}
            ref={field}
            onKeyDown={(event) => {
              if (event.key !== "Enter") return;
              event.preventDefault();
              add();
            }}
          />
        </div>
        <div className="pt-[1.625rem]">
          <Button onClick={add}>
            Add<span className="sr-only"> to {of}</span>
          </Button>
        </div>
      </div>
      <datalist id={listId}>
        {options
          .filter((option) => !names.includes(option))
          .map((option) => (
            <option key={option}>{option}</option>
          ))}
      </datalist>
    </div>
  );
}
