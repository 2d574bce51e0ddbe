import { type RefCallback, type SubmitEvent, useEffect, useState } from "react";
import { faultOf } from "./fault-of.ts";
import { missingIn, type Required } from "./missing-in.ts";

type FormFaults = {
  readonly form: RefCallback<HTMLFormElement>;
  /** Does the work where nothing is missing; else shows what is, and asks nobody. */
  readonly attempt: (work: () => void) => void;
  readonly submit: (work: () => void) => (event: SubmitEvent) => void;
  /** What stands beside a field: that it is missing, or what the server said of it. */
  readonly fault: (field: string) => string | undefined;
};

/**
 * A form's faults beside its fields, and the focus at the first of them: whoever cannot see the page would else hear that
 * something is wrong, and not where.
 */
export function useFormFaults(error: unknown, required: Required): FormFaults {
  const [form, setForm] = useState<HTMLFormElement | null>(null);
  const [refused, setRefused] = useState(0);
  const missing = refused > 0 ? missingIn(required) : {};
  useEffect(() => {
    if (refused === 0 && (error === null || error === undefined)) return;
    form?.querySelector<HTMLElement>("[aria-invalid='true']")?.focus();
  }, [form, refused, error]);
  const attempt = (work: () => void): void => {
    if (Object.keys(missingIn(required)).length > 0) {
      setRefused(refused + 1);
      return;
    }
    setRefused(0);
    work();
  };
  return {
    form: setForm,
    attempt,
    submit: (work) => (event) => {
      event.preventDefault();
      attempt(work);
    },
    fault: (field) => missing[field] ?? faultOf(error, field),
  };
}
