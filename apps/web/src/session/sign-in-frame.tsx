import type { ReactNode } from "react";
import { BareFrame } from "../shell/bare-frame.tsx";
import { Lamp } from "../ui/signal.tsx";
import { useDocumentTitle } from "../ui/document-title.ts";

export function SignInFrame({ children }: { children: ReactNode }) {
  useDocumentTitle("Sign in");
  return (
    <BareFrame>
      <div className="sign-in-signal">
        <Lamp aspect="unlit" size="large" />
      </div>
      <div className="mx-auto flex w-full max-w-xl flex-col gap-6 px-4 pt-10 pb-24 sm:px-8">
        <h1 className="text-2xl font-semibold tracking-tight sm:text-3xl">Sign in</h1>
        {children}
      </div>
    </BareFrame>
  );
}

export function SignInWorking() {
  return (
    <SignInFrame>
      <output className="block text-ink-soft">Asking Signalbox…</output>
    </SignInFrame>
  );
}
