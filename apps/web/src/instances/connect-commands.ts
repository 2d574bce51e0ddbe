import { endpoints, type PackVersion } from "../paths.ts";
import { pythonAgent } from "./python-agent.ts";

type Connector = { name: string; what: string; says: string; code: string };

const quoted = (text: string): string => JSON.stringify(text);

/** A command of its own: pasted together with others, `read` would take the next line for the key. */
export const keepKey = "read -rs SIGNALBOX_KEY && export SIGNALBOX_KEY";

/**
 * How an agent of this pack comes in, three ways. None of them has the key in it. The first two work; the last shows itself
 * and says that it takes no work, so that nothing is given to what cannot do it.
 */
export function connectors(origin: string, pack: PackVersion): Connector[] {
  return [
    {
      name: "Python",
      what: "an agent over plain REST, with Python’s standard library",
      says: "It runs the test command of each task in the folder where it is started. Python 3.9 or newer, and nothing to install.",
      code: `cat > agent.py <<'EOF'
${pythonAgent(origin, pack)}EOF
python3 agent.py`,
    },
    {
      name: "TypeScript",
      what: "an agent that runs each task’s test command",
      says: "The package is not in npm’s registry yet. In a checkout of Signalbox, where npm start has installed it, this runs as it stands:",
      code: `cat > examples/agent.mjs <<'EOF'
import { exec } from "node:child_process";
import { promisify } from "node:util";
import { evidenceFrom, manifestFromJson, startAgent, succeeded } from "@signalbox/agent-sdk";

const url = ${quoted(origin)};
const key = process.env.SIGNALBOX_KEY;
const headers = { authorization: \`Bearer \${key}\` };
const { manifest } = await (await fetch(url + ${quoted(endpoints.pack(pack))}, { headers })).json();

const agent = await startAgent({
  url,
  key,
  pack: manifestFromJson(JSON.stringify(manifest)),
  // What it throws is a failure that may be tried again.
  work: async ({ envelope }) => {
    const command = envelope.contract?.environment?.testCommand || "true";
    const { stdout } = await promisify(exec)(command);
    const evidence = [evidenceFrom({ command, output: stdout, exitCode: 0 })];
    return succeeded({ summary: \`\${command} passed.\`, evidence });
  },
});
process.once("SIGTERM", () => agent.drain());
await agent.done;
EOF
node_modules/.bin/node examples/agent.mjs`,
    },
    {
      name: "curl",
      what: "one heartbeat with curl",
      says: "It shows the instance, which asks for no work.",
      code: `curl --fail-with-body ${origin}${endpoints.heartbeats} \\
  --header "authorization: Bearer $SIGNALBOX_KEY" \\
  --header "content-type: application/json" \\
  --data ${shellQuoted(heartbeatOf(pack, "curl-1"))}`,
    },
  ];
}

const heartbeatOf = ({ packId, packVersion }: PackVersion, instanceId: string): string =>
  JSON.stringify({
    packId,
    packVersion,
    instanceId,
    health: { status: "HEALTH_STATUS_HEALTHY" },
    capacity: { maxTasks: 0 },
  });

/** Between single quotes a shell reads everything as it is, but for the quote itself. */
const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
