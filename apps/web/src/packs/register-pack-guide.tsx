import type { ReactNode } from "react";
import { endpoints } from "../paths.ts";
import { CodeBlock } from "../ui/code-block.tsx";
import { registerExamplePack } from "./example-pack.ts";

/** What to do on the first day: one pack, by hand, to see how it goes. */
export function RegisterPackGuide() {
  return (
    <ol className="grid gap-6">
      <Step number={1} title="Have a key">
        Programs sign in by a key. Start Signalbox with{" "}
        <code className="font-mono text-xs">SIGNALBOX_BOOTSTRAP_KEY</code> set to a secret of your own, and
        put the same secret into <code className="font-mono text-xs">SIGNALBOX_KEY</code> where the agent
        runs.
        <CodeBlock what="a way to make a key" code="export SIGNALBOX_KEY=$(openssl rand -hex 24)" />
      </Step>
      <Step number={2} title="Register the pack">
        A pack says what an agent can do and how far it is trusted. A registered version never changes.
        <CodeBlock
          what="the command that registers an example pack"
          code={registerExamplePack(window.location.origin, endpoints.packs)}
        />
      </Step>
    </ol>
  );
}

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <li className="grid min-w-0 gap-x-4 gap-y-2 sm:grid-cols-[2rem_minmax(0,1fr)]">
      <span
        aria-hidden="true"
        className="flex size-8 items-center justify-center border border-track font-mono text-sm"
      >
        {number}
      </span>
      <div className="min-w-0">
        <h3 className="text-sm font-semibold">{title}</h3>
        <div className="mt-1 max-w-prose space-y-3 text-sm text-ink-soft [&>figure]:max-w-none">
          {children}
        </div>
      </div>
    </li>
  );
}
