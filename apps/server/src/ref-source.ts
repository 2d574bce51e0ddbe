import { createHash } from "node:crypto";
import type { RefSource } from "@signalbox/engine";

type Outcome = Awaited<ReturnType<RefSource>>;
type RefSourceOptions = {
  /** Whatever else a task refers to is not asked for: whoever may submit one must not reach our network (ADR 0018). */
  hosts: readonly string[];
  now: () => number;
  withinMs?: number;
  mostBytes?: number;
};

const mostRedirects = 3;
/** A task may have a thousand references, and all of them may be of one host. */
const mostAtOnce = 16;
/** What a reference may be pinned with; the first is told of one that is not. */
const algorithms = ["sha256", "sha384", "sha512"];

/** Fetches http and https references anew to see what they hold now. Only the digest of a body is kept. */
export function createRefSource({
  hosts,
  now,
  withinMs = 10_000,
  mostBytes = 10 * 1024 * 1024,
}: RefSourceOptions): RefSource {
  const inTurn = atMost(mostAtOnce);
  return async ({ uriOrLocator, digest }) => {
    const url = URL.parse(uriOrLocator);
    if (url === null) return failedForGood("it is no URL");
    const refused = refusal(url, hosts);
    if (refused !== undefined) return refused;
    const algorithm = algorithms.find((name) => digest.startsWith(`${name}:`)) ?? "sha256";
    return inTurn(async () => {
      try {
        const fetchedAt = now();
        const response = await follow(url, AbortSignal.timeout(withinMs));
        const hash = createHash(algorithm);
        for await (const part of bounded(response, mostBytes)) hash.update(part);
        return { kind: "refreshed", digest: `${algorithm}:${hash.digest("hex")}`, fetchedAt };
      } catch (error) {
        return failed(reasonOf(error, withinMs));
      }
    });
  };
}

const failed = (why: string): Outcome => ({ kind: "failed", why });
/** ADR 0071: however often it is tried, and whatever is configured. */
const failedForGood = (why: string): Outcome => ({ kind: "failed", why, forGood: true });

/** What is said of a URL names its host and no more: paths and queries may hold what is nobody's business. */
function refusal(url: URL, hosts: readonly string[]): Outcome | undefined {
  if (!["http:", "https:"].includes(url.protocol)) {
    return failedForGood(`${url.protocol} is fetched from nowhere`);
  }
  if (url.username + url.password !== "") return failedForGood("it carries credentials");
  const port = url.port === "" ? usualPort(url) : url.port;
  if (hosts.includes(url.host) || hosts.includes(`${url.hostname}:${port}`)) return undefined;
  return failed(`${url.host} is not in SIGNALBOX_REF_HOSTS`);
}

const usualPort = ({ protocol }: URL): string => (protocol === "https:" ? "443" : "80");

class Refusal extends Error {}

async function follow(from: URL, signal: AbortSignal): Promise<Response> {
  let url = from;
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    const response = await fetch(url.href, {
      redirect: "manual",
      signal,
      // Digests are of what is stored there, and a small body must not unpack to a large one.
      headers: { "accept-encoding": "identity", "user-agent": "signalbox" },
    });
    const location = response.headers.get("location");
    if (response.ok) return response;
    await response.body?.cancel();
    if (response.status < 300 || response.status > 399 || location === null)
      throw new Refusal(`${url.host} answered ${response.status}`);
    url = redirected(url, location);
  }
  throw new Refusal(`${from.host} redirected more than ${mostRedirects} times`);
}

function redirected(from: URL, location: string): URL {
  const to = URL.parse(location, from.href);
  const safe = to !== null && (to.protocol === from.protocol || to.protocol === "https:");
  if (safe && to.host === from.host && to.username + to.password === "") return to;
  throw new Refusal(`${from.host} redirects elsewhere, which is not followed`);
}

async function* bounded({ body, url }: Response, mostBytes: number): AsyncIterable<Uint8Array> {
  let bytes = 0;
  for await (const part of body ?? []) {
    bytes += part.length;
    if (bytes > mostBytes)
      throw new Refusal(`${new URL(url).host} has more than the ${mostBytes} bytes that are read`);
    yield part;
  }
}

function reasonOf(error: unknown, withinMs: number): string {
  if (error instanceof Refusal) return error.message;
  if (error instanceof Error && error.name === "TimeoutError") return `it took longer than ${withinMs} ms`;
  const cause = error instanceof Error ? error.cause : undefined;
  const code =
    typeof cause === "object" && cause !== null && "code" in cause ? ` (${String(cause.code)})` : "";
  return `it could not be fetched${code}`;
}

/** Runs so many at once; the others wait in the order in which they came. */
function atMost(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= most) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
