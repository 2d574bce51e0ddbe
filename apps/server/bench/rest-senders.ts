import { Agent, request } from "node:http";

/** What the process beside the server is asked to do: as many senders as there are paths, each with one request at a time. */
export type Senders = {
  readonly origin: string;
  readonly paths: readonly string[];
  readonly headers: Record<string, string>;
  /** In it, `#id` becomes an id that was never sent before, `#n` the sender's number, and `#at` the time. */
  readonly body: string;
  readonly requestsEach: number;
};

function send(url: URL, agent: Agent, headers: Record<string, string>, body: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const sending = request(url, { method: "POST", agent, headers }, (answer) => {
      let said = "";
      answer.setEncoding("utf8").on("data", (text: string) => (said += text));
      answer.on("end", () => {
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`${url.pathname} answered ${answer.statusCode}: ${said}`));
      });
    });
    sending.on("error", reject);
    sending.end(body);
  });
}

const idOf = (count: number): string => `0199a7c0-0000-4000-8000-${count.toString(16).padStart(12, "0")}`;
let sent = Math.floor(Math.random() * 2 ** 40);

async function sendAll({ origin, paths, headers, body, requestsEach }: Senders): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: paths.length });
  const begun = performance.now();
  await Promise.all(
    paths.map(async (path, place) => {
      const url = new URL(path, origin);
      for (let count = 0; count < requestsEach; count += 1) {
        const text = body
          .replaceAll("#n", String(place))
          .replaceAll("#id", () => idOf((sent += 1)))
          .replaceAll("#at", () => new Date().toISOString());
        await send(url, agent, headers, text);
      }
    }),
  );
  agent.destroy();
  return (paths.length * requestsEach) / ((performance.now() - begun) / 1_000);
}

/** Or each of these once, so many at a time. */
export type Listed = {
  readonly origin: string;
  readonly headers: Record<string, string>;
  readonly atOnce: number;
  readonly requests: readonly { readonly path: string; readonly body: string }[];
};

async function sendListed({ origin, headers, atOnce, requests }: Listed): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const waiting = requests.map(({ path, body }) => ({ url: new URL(path, origin), body }));
  const begun = performance.now();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop())
        await send(next.url, agent, headers, next.body);
    }),
  );
  agent.destroy();
  return requests.length / ((performance.now() - begun) / 1_000);
}

process.on("message", (asked: Senders | Listed) => {
  const sending = "requests" in asked ? sendListed(asked) : sendAll(asked);
  sending.then(
    (perSecond) => process.send?.({ perSecond }),
    (error: unknown) => process.send?.({ failure: String(error) }),
  );
});
