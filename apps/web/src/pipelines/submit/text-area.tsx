import { useId } from "react";

type TextAreaProps = {
  label: string;
  hint?: string;
  fault?: string | undefined;
  value: string;
  rows: number;
  onValue: (value: string) => void;
};

export function TextArea({ label, hint, fault, value, rows, onValue }: TextAreaProps) {
  const id = useId();
  const described = [hint === undefined ? [] : `${id}-hint`, fault === undefined ? [] : `${id}-fault`].flat();
  return (
    <div className="min-w-0">
      <label htmlFor={id} className="mb-1.5 block text-sm font-medium">
        {label}
      </label>
      <textarea
        id={id}
        rows={rows}
        value={value}
        spellCheck={false}
        aria-invalid={fault !== undefined}
        aria-describedby={described.length === 0 ? undefined : described.join(" ")}
        onChange={(event) => onValue(event.target.value)}
        className="w-full min-w-0 rounded-sm border border-track/60 bg-panel px-3 py-2 font-mono text-sm aria-invalid:border-danger-rule"
      />
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
    </div>
  );
}
