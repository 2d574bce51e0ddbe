import { useId, useState, type ReactNode } from "react";
import { ProblemNotice } from "../problem/problem-notice.tsx";
import type { Problem } from "../problem/problem.ts";
import { Brand } from "../shell/brand.tsx";
import { ThemeToggle } from "../theme/theme-toggle.tsx";
import { Button, SubmitButton } from "../ui/button.tsx";
import { useDocumentTitle } from "../ui/document-title.ts";
import { Notice } from "../ui/notice.tsx";
import { offerToken, tokenOfPastedLink } from "./sign-in-link.ts";

export function SignInFrame({ children }: { children: ReactNode }) {
  useDocumentTitle("Sign in");
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex items-center justify-between px-4 py-2 sm:px-6">
        <Brand />
        <ThemeToggle />
      </header>
      <main className="mx-auto flex w-full max-w-xl flex-1 flex-col justify-center gap-6 px-4 pt-8 pb-24 sm:px-8">
        <h1 className="text-2xl font-semibold tracking-tight sm:text-3xl">Sign in</h1>
        {children}
      </main>
    </div>
  );
}

export function SignInWorking() {
  return (
    <SignInFrame>
      <output className="block text-ink-soft">Asking Signalbox…</output>
    </SignInFrame>
  );
}

const HowToGetALink = () => (
  <p>
    Signalbox prints a new link each time it starts. In the terminal where it runs, press{" "}
    <kbd className="font-mono text-xs">Ctrl-C</kbd>, run <code className="font-mono text-xs">npm start</code>{" "}
    again, and open the link it prints. Your data stays.
  </p>
);

export function SignInRefused({ problem }: { problem: Problem }) {
  return (
    <Notice aspect="caution" title="This link cannot be used">
      <p>{problem.detail === "" ? problem.title : problem.detail}</p>
      <p>A link signs one person in, once, within 15 minutes.</p>
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

export function SignInForm({ onToken }: { onToken: () => void }) {
  const fieldId = useId();
  const faultId = useId();
  const [pasted, setPasted] = useState("");
  const [fault, setFault] = useState<string>();
  return (
    <>
      <div className="space-y-3 text-ink-soft">
        <p>You sign in by a link that Signalbox prints when it starts. Open that link, or paste it here.</p>
        <HowToGetALink />
      </div>
      <form
        noValidate
        className="space-y-3"
        onSubmit={(event) => {
          event.preventDefault();
          const token = tokenOfPastedLink(pasted);
          if (token === undefined) {
            setFault(
              "This is not a sign-in link. One looks like http://127.0.0.1:7400/sign-in#… and is pasted whole.",
            );
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
          <SubmitButton>Sign in</SubmitButton>
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
