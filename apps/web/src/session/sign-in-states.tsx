import { useId, useRef, useState } from "react";
import { ProblemNotice } from "../problem/problem-notice.tsx";
import type { Problem } from "../problem/problem.ts";
import { Button, SubmitButton } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import { offerToken, tokenOfPastedLink } from "./sign-in-link.ts";

export function SignInRefused({ problem }: { problem: Problem }) {
  return (
    <Notice aspect="caution" title="This link cannot be used">
      <p>{problem.detail === "" ? problem.title : problem.detail}</p>
      {problem.requestId !== undefined && (
        <p>
          request <code className="font-mono text-xs">{problem.requestId}</code>
        </p>
      )}
    </Notice>
  );
}

export function SignInUnanswered({ problem, onRetry }: { problem: Problem; onRetry: () => void }) {
  return (
    <ProblemNotice problem={problem}>
      <p>Your link has not been used up. Try it again when Signalbox answers.</p>
      <Button onClick={onRetry}>Try again</Button>
    </ProblemNotice>
  );
}

/** Of an end that others brought about, or time: the server says of neither which it was. */
export function SessionEnded() {
  return (
    <output className="block">
      <Notice aspect="caution" title="You were signed out">
        <p>
          Your session ran out, or an administrator ended it. Once you have signed in again you stand where
          you were. Drafts, answers, comments, tasks, ratings, and what you had filled in for a key, a token,
          an invitation or the record’s time are kept in this tab.
        </p>
      </Notice>
    </output>
  );
}

type Refusal = { readonly title: string; readonly advice: string };

const providerRefused: Refusal = {
  title: "Your organisation’s sign-in did not work out",
  advice: "Begin again. If it stays so, an administrator finds the reason in the server’s log.",
};

const refusals: ReadonlyMap<string, Refusal> = new Map([
  [
    "not-a-member",
    {
      title: "Your organisation knows you, and nobody has invited you here",
      advice:
        "Ask an administrator to invite the address that your organisation has for you, then come again. It has to be one that your organisation has verified.",
    },
  ],
  [
    "not-begun-here",
    { title: "That sign-in was not begun in this browser, or too long ago", advice: "Begin again." },
  ],
  ["unavailable", { title: "Your organisation’s sign-in does not answer", advice: "Try again in a moment." }],
]);

/** What came of a sign-in at the provider, which could only send a word back; anybody may write another into the address. */
export function OidcRefused({ reason }: { reason: string }) {
  const { title, advice } = refusals.get(reason) ?? providerRefused;
  return (
    <div role="alert">
      <Notice aspect="caution" title={title}>
        <p>{advice}</p>
      </Notice>
    </div>
  );
}

const typed = "font-mono text-[0.9em] text-ink";

export function SignInForm({ onToken }: { onToken: () => void }) {
  const fieldId = useId();
  const faultId = useId();
  const link = useRef<HTMLInputElement>(null);
  const [pasted, setPasted] = useState("");
  const [fault, setFault] = useState<string>();
  return (
    <>
      <div className="space-y-3 text-ink-soft">
        <p>
          Open the link that an administrator gave you, or paste it here. On a fresh Signalbox it is the one
          that its start prints in the terminal.
        </p>
        <p>
          A printed link is good once, for 15 minutes. For a new one press <kbd className={typed}>Ctrl-C</kbd>{" "}
          in that terminal and run <code className={typed}>npm start</code> again: your data stays. Once an
          administrator has an account, a start prints one only with{" "}
          <code className={`anywhere ${typed}`}>SIGNALBOX_SIGN_IN_LINK=always</code>.
        </p>
      </div>
      <form
        noValidate
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault();
          const token = tokenOfPastedLink(pasted);
          if (token === undefined) {
            setFault(
              `${pasted.trim() === "" ? "The link is missing." : "This is not a sign-in link."} One looks like http://127.0.0.1:7400/sign-in#… and is pasted whole.`,
            );
            link.current?.focus();
            return;
          }
          offerToken(token);
          onToken();
        }}
      >
        <label htmlFor={fieldId} className="block text-sm font-medium">
          Sign-in link
        </label>
        <div className="flex flex-wrap gap-2">
          <input
            ref={link}
            id={fieldId}
            type="password"
            autoComplete="off"
            spellCheck={false}
            value={pasted}
            onChange={(event) => setPasted(event.target.value)}
            aria-invalid={fault !== undefined}
            aria-describedby={fault === undefined ? undefined : faultId}
            className="min-h-10 min-w-0 flex-1 basis-64 rounded-sm border border-track/60 bg-panel px-3 font-mono text-sm"
          />
          <SubmitButton>Use the link</SubmitButton>
        </div>
        {fault !== undefined && (
          <p id={faultId} role="alert" className="text-sm">
            {fault}
          </p>
        )}
      </form>
    </>
  );
}
