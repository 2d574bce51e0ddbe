import { useId, type ReactNode } from "react";
import { describedBy, SaidBelow } from "./field.tsx";

type TextAreaProps = {
  label: string;
  hint?: ReactNode;
  fault?: string | undefined;
  rows?: number;
  /** For code and names: in one width, and no spelling is looked for. */
  code?: boolean;
  value: string;
  onValue: (value: string) => void;
  onBlur?: () => void;
};

/** A labelled field of several lines, whose hint and fault are read out with it. */
export function TextArea({
  label,
  hint,
  fault,
  rows = 3,
  code = false,
  value,
  onValue,
  onBlur,
}: TextAreaProps) {
  const id = useId();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      <textarea
        id={id}
        rows={rows}
        value={value}
        spellCheck={code ? false : undefined}
        onChange={(event) => onValue(event.target.value)}
        onBlur={onBlur}
        aria-invalid={fault !== undefined}
        aria-describedby={describedBy(id, hint, fault)}
        className={`block w-full min-w-0 rounded-sm border border-track/60 bg-panel px-3 py-2 text-sm aria-invalid:border-danger-rule disabled:border-dashed disabled:bg-transparent disabled:text-ink-soft ${code ? "font-mono" : ""}`}
      />
      <SaidBelow {...{ id, hint, fault }} />
    </div>
  );
}
