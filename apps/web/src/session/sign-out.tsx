import { useState, useTransition } from "react";
import { signOut } from "./session.ts";

export function SignOut() {
  const [isLeaving, startLeaving] = useTransition();
  const [failed, setFailed] = useState(false);
  const leave = () =>
    startLeaving(async () => {
      try {
        await signOut();
      } catch {
        setFailed(true);
      }
    });
  return (
    <>
      <button
        type="button"
        className="min-h-10 rounded-sm px-2 text-sm whitespace-nowrap text-ink-soft underline-offset-4 hover:text-ink hover:underline"
        aria-busy={isLeaving}
        onClick={leave}
      >
        Sign out
      </button>
      {failed && (
        <span role="alert" className="text-sm">
          You are still signed in: the server did not answer.
        </span>
      )}
    </>
  );
}
