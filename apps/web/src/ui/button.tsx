import { useId, type ComponentPropsWithRef, type MouseEvent, type ReactNode } from "react";

type ButtonProps = {
  children: ReactNode;
  onClick: (event: MouseEvent) => void;
  kind?: "plain" | "main";
  /** Why it cannot be used now. Such a button stays reachable by keyboard, so that the reason can be read. */
  unavailable?: ReactNode;
};

const shape =
  "inline-flex min-h-10 items-center justify-center gap-2 rounded-sm border px-4 text-sm font-medium transition-colors disabled:cursor-not-allowed disabled:border-dashed disabled:bg-transparent disabled:text-ink-soft";
const kinds = {
  plain: "border-track/60 bg-panel text-ink hover:bg-recess",
  main: "border-plate bg-plate text-plate-ink hover:bg-plate/85",
};

export function Button({ children, onClick, kind = "plain", unavailable }: ButtonProps) {
  const reasonId = useId();
  return (
    <span className="inline-flex flex-wrap items-center gap-x-3 gap-y-1">
      <button
        type="button"
        className={`${shape} ${kinds[kind]} aria-disabled:cursor-not-allowed aria-disabled:border-dashed aria-disabled:bg-transparent aria-disabled:text-ink-soft`}
        aria-disabled={unavailable !== undefined}
        aria-describedby={unavailable === undefined ? undefined : reasonId}
        onClick={unavailable === undefined ? onClick : undefined}
      >
        {children}
      </button>
      {unavailable !== undefined && (
        <span id={reasonId} className="text-sm text-ink-soft">
          {unavailable}
        </span>
      )}
    </span>
  );
}

/** The second click of a double click sends nothing: it would make a second key, and the first would never be seen. */
export function SubmitButton({ children }: { children: ReactNode }) {
  return (
    <button
      type="submit"
      className={`${shape} ${kinds.main}`}
      onClick={(event) => {
        if (event.detail > 1) event.preventDefault();
      }}
    >
      {children}
    </button>
  );
}

type IconButtonProps = Omit<ComponentPropsWithRef<"button">, "aria-label" | "type" | "title"> & {
  label: string;
};

export function IconButton({ label, children, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className="inline-flex size-10 shrink-0 items-center justify-center rounded-sm border border-transparent text-ink-soft transition-colors hover:border-rule hover:bg-panel hover:text-ink"
      {...rest}
    >
      {children}
    </button>
  );
}
