import { procedures } from "@signalbox/api";
import type { Asker } from "./askers.ts";
import { type Asked, type Said, verdictOf } from "./door.ts";
import { procedureSamples } from "./samples.ts";
import { named, type Things } from "./things.ts";

/** Every tRPC procedure that is not open, as the pages call it. */
export const askedProcedures = (origin: string): Asked[] =>
  procedures.flatMap(({ path, type }): Asked[] => {
    const [action, input = {}] = procedureSamples[path] ?? ["open"];
    if (action === "open") return [];
    const text = JSON.stringify(input);
    const ask = async (asker: Asker, things: Things): Promise<Said> => {
      const answer = await call(`${origin}/trpc/${path}`, type, asker, named(text, things));
      const told = await answer.text();
      const refused = answer.status === 400 && !told.includes('"code":"INVALID_STATE"');
      const fault = { fault: `the line's input cannot be read: ${told}` };
      return { verdict: refused ? fault : verdictOf(answer.status), told: `${answer.status} ${told}` };
    };
    return [{ name: path, actions: [action], names: text.includes(`"{`), ask }];
  });

function call(url: string, type: string, asker: Asker, input: string): Promise<Response> {
  const headers = { ...asker.headers(), "content-type": "application/json" };
  if (type === "mutation") return fetch(url, { method: "POST", headers, body: input });
  return fetch(`${url}?input=${encodeURIComponent(input)}`, { headers });
}
