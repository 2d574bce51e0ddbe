import { useId } from "react";
import { Field } from "../../ui/field.tsx";

type NamedFieldProps = {
  label: string;
  value: string;
  options: readonly string[];
  fault?: string | undefined;
  onValue: (value: string) => void;
};

/** A name to type, and those that are known to choose from. */
export function NamedField({ options, ...field }: NamedFieldProps) {
  const listId = useId();
  return (
    <div className="min-w-0">
      <Field {...field} list={listId} spellCheck={false} />
      <datalist id={listId}>
        {options.map((option) => (
          <option key={option}>{option}</option>
        ))}
      </datalist>
    </div>
  );
}
