import { Link } from "@tanstack/react-router";
import { paths } from "../paths.ts";
import { CodeBlock } from "../ui/code-block.tsx";

/** For somebody who has nothing on the line yet: agents that really work, in one command. */
export function StartDemonstration() {
  return (
    <div className="grid gap-5 text-sm text-ink-soft">
      <p className="max-w-prose">
        The demonstration puts five agents to work in a scratch repository and submits six tasks: one goes
        through, one fails first and is tried again, one is sent back, and three come to wait for you. It runs
        beside this Signalbox, with the key that it was started with:
      </p>
      <CodeBlock
        what="the command that starts the demonstration"
        code={`SIGNALBOX_BOOTSTRAP_KEY=… npm run demo -- --url ${window.location.origin}`}
      />
      <p className="max-w-prose">
        Where Signalbox was started without such a key, stop it and run{" "}
        <code className="font-mono">npm run demo</code> alone: it starts both. With packs and a policy of your
        own,{" "}
        <Link {...paths.submitTask()} className="font-medium text-ink underline underline-offset-4">
          submit a task
        </Link>
        .
      </p>
    </div>
  );
}
