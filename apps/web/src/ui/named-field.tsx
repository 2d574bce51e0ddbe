import { useId, type ReactNode } from "react";
import { Field } from "./field.tsx";

type Named = { readonly id: string; readonly name: string };

type NamedFieldProps = {
  label: string;
  value: string;
  options: readonly (string | Named)[];
  hint?: ReactNode;
  fault?: string | undefined;
  onValue: (value: string) => void;
};

/** A name to type, and those that are known to choose from. */
export function NamedField({ options, ...field }: NamedFieldProps) {
  const listId = useId();
  return (
    <div className="min-w-0">
      <Field {...field} list={listId} autoComplete="off" spellCheck={false} />
      <datalist id={listId}>
        {options.map((option) =>
          typeof option === "string" ? (
            <option key={option}>{option}</option>
          ) : (
            <option key={option.id} value={option.id}>
              {option.name}
            </option>
          ),
        )}
      </datalist>
    </div>
  );
}
