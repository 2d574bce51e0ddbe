import { createClient } from "@redis/client";
import type { Result } from "@signalbox/contracts/sap";
import { ResultSchema } from "@signalbox/contracts/sap";
import type { SapExchange } from "@signalbox/engine";
import { sapStreamNames, type SapStream } from "../sap-streams/names.ts";
import { setTimeout as pause } from "node:timers/promises";
import { until } from "./until.ts";

export type SapRedisSender = Awaited<ReturnType<typeof openSender>>;

/** A program that knows Redis, its two streams and JSON, and nothing else of Signalbox. */
export async function openSender(url: string, stream: SapStream, { reads = true } = {}) {
  const { tasks, answers } = sapStreamNames(stream);
  const client = createClient({ url, RESP: 2 });
  client.on("error", () => undefined);
  const reader = client.duplicate();
  reader.on("error", () => undefined);
  await Promise.all([client.connect(), reader.connect()]);
  const replies = new Map<string, SapExchange>();
  const results = new Map<string, Result[]>();
  const heard: { readonly fields: Readonly<Record<string, string>>; readonly answer: SapExchange }[] = [];
  const seen = new Set<string>();
  const stopping = new AbortController();

  async function listen(): Promise<void> {
    let last = "0";
    while (!stopping.signal.aborted) {
      const read = await reader.xRead({ key: answers, id: last }, { BLOCK: 200, COUNT: 100 }).catch(() => {
        // What it knew of its place is worth nothing to a Redis that came back empty.
        last = "0";
        return null;
      });
      if (read === null) await pause(20);
      for (const { messages } of (read ?? []) as {
        messages: { id: string; message: Record<string, string> }[];
      }[])
        for (const { id, message } of messages) {
          last = id;
          // Read again, since it could not be removed while Redis was away.
          if (seen.has(id)) {
            await client.xDel(answers, id).catch(() => undefined);
            continue;
          }
          seen.add(id);
          const answer = JSON.parse(message["answer"] ?? "") as SapExchange;
          heard.push({ fields: message, answer });
          // A question that is taken up again is answered as its task stands by then: an answer is not what was told.
          if (message["reply_to"] !== undefined) replies.set(message["reply_to"], answer);
          else if (answer.result !== undefined) {
            const told = results.get(answer.result.taskId) ?? [];
            results.set(answer.result.taskId, [...told, ResultSchema.parse(answer.result)]);
          }
          await client.xDel(answers, id).catch(() => undefined);
        }
    }
  }
  const listening = reads ? listen() : Promise.resolve();

  const say = (fields: Record<string, string>): Promise<string> => client.xAdd(tasks, "*", fields);
  async function ask(fields: Record<string, string>): Promise<SapExchange> {
    const id = await say(fields);
    await until(() => replies.has(id));
    return replies.get(id) ?? {};
  }
  return {
    client,
    tasks,
    answers,
    heard,
    replies,
    say,
    ask,
    submit: (task: unknown) => ask({ task: JSON.stringify(task) }),
    /** As it is read, and not as it was told. */
    read: (taskId: string) => ask({ read: taskId }),
    /** As they were told, in their order. */
    told: (taskId: string): readonly Result[] => results.get(taskId) ?? [],
    async stop() {
      stopping.abort();
      await listening;
      client.destroy();
      reader.destroy();
    },
  };
}
