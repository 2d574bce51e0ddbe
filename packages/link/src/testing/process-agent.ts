import { type EnvelopeJson, workOn } from "./scripted-work.ts";

/** The scripted agent as a program of its own: the envelope on standard input, the result on standard output. */
const told = Promise.withResolvers<void>();
process.on("SIGTERM", () => told.resolve());
let text = "";
for await (const part of process.stdin) text += String(part);
const envelope: EnvelopeJson = JSON.parse(text);
const { title } = envelope.contract;
const { afterMs, ending, result } = workOn(envelope);
const answer = (): void => void process.stdout.write(JSON.stringify(result), () => process.exit(0));
const listen = async (): Promise<void> => {
  await told.promise;
  console.error(`stopped ${title}`);
  if (ending === "answer-when-told") answer();
  else process.exit(0);
};
void listen();
if (ending === "wait") console.error(`stopped at work on ${title}`);
if (ending === "die") process.kill(process.pid, "SIGKILL");
else if (ending === "wait" || ending === "answer-when-told") setInterval(() => undefined, 1_000);
else setTimeout(answer, afterMs);
