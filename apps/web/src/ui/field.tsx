import { useId, type ComponentPropsWithRef, type ReactNode } from "react";

type FieldProps = Omit<ComponentPropsWithRef<"input">, "id" | "className" | "onChange" | "value"> & {
  label: string;
  hint?: ReactNode;
  /** What is wrong with what was given, in the server's words or the page's own. */
  fault?: string | undefined;
  value: string;
  onValue: (value: string) => void;
};

const inputShape =
  "min-h-10 w-full min-w-0 rounded-sm border border-track/60 bg-panel px-3 text-sm aria-invalid:border-danger-rule disabled:border-dashed disabled:bg-transparent disabled:text-ink-soft";

/** A labelled input whose hint and fault are read out with it. */
export function Field({ label, hint, fault, value, onValue, ...input }: FieldProps) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      <input
        {...input}
        id={id}
        value={value}
        onChange={(event) => onValue(event.target.value)}
        aria-invalid={fault !== undefined}
        aria-describedby={describedBy(id, hint, fault)}
        className={inputShape}
      />
      <SaidBelow {...{ id, hint, fault }} />
    </div>
  );
}

/** The ids of what is read out with a field, for the field of this id. */
export function describedBy(id: string, hint: ReactNode, fault: string | undefined): string | undefined {
  const ids = [hint === undefined ? [] : `${id}-hint`, fault === undefined ? [] : `${id}-fault`].flat();
  return ids.length === 0 ? undefined : ids.join(" ");
}

type SaidBelowProps = { id: string; hint: ReactNode; fault: string | undefined };

/** What helps with a field, and what is wrong with it. */
export function SaidBelow({ id, hint, fault }: SaidBelowProps) {
  return (
    <>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="mt-1.5 text-sm text-ink-soft">
          {hint}
        </p>
      )}
      {fault !== undefined && (
        <p id={`${id}-fault`} role="alert" className="anywhere mt-1.5 text-sm">
          {fault}
        </p>
      )}
    </>
  );
}

type SelectProps<Value extends string> = {
  label: string;
  /** Where the place says what it is, the label is only read out. */
  hidden?: boolean;
  value: Value;
  options: readonly Value[];
  /** What is read where an option stands; itself where nothing is said. */
  wordOf?: (option: Value) => string;
  onValue: (value: Value) => void;
  hint?: ReactNode;
  fault?: string | undefined;
  unavailable?: boolean;
};

export function Select<Value extends string>({
  label,
  hidden = false,
  value,
  options,
  wordOf,
  onValue,
  hint,
  fault,
  unavailable = false,
}: SelectProps<Value>) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className={hidden ? "sr-only" : "mb-1.5 block text-sm font-medium"}>
        {label}
      </label>
      <select
        id={id}
        value={value}
        disabled={unavailable}
        aria-invalid={fault !== undefined}
        aria-describedby={describedBy(id, hint, fault)}
        className={inputShape}
        onChange={(event) => {
          const chosen = options.find((option) => option === event.target.value);
          if (chosen !== undefined) onValue(chosen);
        }}
      >
        {options.map((option) => (
          <option key={option} value={option}>
            {wordOf?.(option) ?? option}
          </option>
        ))}
      </select>
      <SaidBelow {...{ id, hint, fault }} />
    </div>
  );
}
