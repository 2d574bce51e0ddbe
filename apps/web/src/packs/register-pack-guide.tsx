import { useIsFetching, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { endpoints, paths } from "../paths.ts";
import { Button } from "../ui/button.tsx";
import { CodeBlock } from "../ui/code-block.tsx";
import { registerExamplePack } from "./example-pack.ts";
import { packsKey } from "./pack-queries.ts";

/** What to do on the first day: one pack, by hand, to see how it goes. */
export function RegisterPackGuide() {
  return (
    <ol className="grid gap-8">
      <Step number={1} title="Have a key">
        <p>
          Programs sign in by a key. Make one in the settings, under{" "}
          <Link {...paths.keys()} className="underline underline-offset-4">
            Keys
          </Link>
          , with the role agent and the pack code-reviewer. Where the agent runs, keep it in{" "}
          <Variable>SIGNALBOX_KEY</Variable>.
        </p>
        <CodeBlock
          what="a way to keep it out of the shell’s history"
          code="read -rs SIGNALBOX_KEY && export SIGNALBOX_KEY"
        />
      </Step>
      <Step number={2} title="Register the pack">
        <p>A pack says what an agent can do and how far it is trusted. A registered version never changes.</p>
        <CodeBlock
          what="the command that registers an example pack"
          code={registerExamplePack(window.location.origin, endpoints.packs)}
        />
      </Step>
      <Step number={3} title="See it here">
        <LookAgain />
      </Step>
    </ol>
  );
}

function LookAgain() {
  const queryClient = useQueryClient();
  const isLooking = useIsFetching({ queryKey: packsKey }) > 0;
  return (
    <Button
      unavailable={isLooking ? "Signalbox is being asked." : undefined}
      onClick={() => {
        void queryClient.invalidateQueries({ queryKey: packsKey });
      }}
    >
      Look again
    </Button>
  );
}

const Variable = ({ children }: { children: string }) => (
  <code className="font-mono text-xs text-ink">{children}</code>
);

function Step({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <li className="grid min-w-0 gap-x-4 gap-y-2 sm:grid-cols-[2rem_minmax(0,1fr)]">
      <span
        aria-hidden="true"
        className="flex size-7 items-center justify-center border border-track font-mono text-sm"
      >
        {number}
      </span>
      <div className="min-w-0">
        <h3 className="font-semibold sm:pt-0.5">{title}</h3>
        <div className="mt-1 space-y-3 text-sm text-ink-soft">{children}</div>
      </div>
    </li>
  );
}
