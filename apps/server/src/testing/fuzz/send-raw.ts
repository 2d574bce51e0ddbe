import type { Random } from "../seeded-random.ts";
import type { Yard } from "./door.ts";
import { faultOf, shownAnswer, shownRequest } from "./findings.ts";
import { hostileHeaders } from "./hostile.ts";
import { bytesOf, rawConnection, type RawRequest } from "./raw-http.ts";

type Sending = {
  /** It may be held back for as long as its caller asked: nobody waits for that here. */
  mayWait?: boolean;
};

const unreadBytes = 16_384;

/** Sends over one connection, and writes down what must not be. Some callers leave in the middle of what they say. */
export function rawSender(door: string, { port, live, findings }: Yard, random: Random) {
  const connection = rawConnection(port);
  let before: Buffer = Buffer.alloc(0);
  return {
    close: connection.close,
    send: async (request: RawRequest, { mayWait = false }: Sending = {}): Promise<void> => {
      const bytes = bytesOf(request);
      const leaves = random.chance(0.01);
      const sent = leaves ? bytes.subarray(0, random.between(1, bytes.length)) : bytes;
      const isHead = request.method === "HEAD";
      const withinMs = leaves ? 5 : mayWait ? 100 : 30_000;
      const told = await connection.exchange(sent, { isHead, withinMs });
      if (typeof told === "object") live.harvest(told.body.toString("latin1", 0, 20_000));
      // Who left in the middle may be hung up on; that the server is still there others find out.
      const isOwed = leaves ? typeof told === "string" : told === "silent" && mayWait;
      const fault = isOwed ? undefined : faultOf(request, told);
      if (fault !== undefined)
        findings.add({
          door,
          fault,
          sent: `${shownRequest(sent)}\n  after ${shownRequest(before)}`,
          told: shownAnswer(told),
        });
      before = sent;
      // Who is refused before all of a long body was read may find the connection stand still: they open another.
      // And who left in the middle and was answered all the same must not go on there: it would be the rest of the body.
      if (leaves || sent.length > unreadBytes) connection.close();
    },
  };
}

/** Most requests bear none, so that what they say is reached. */
export function headersOf(random: Random): [name: string, value: string][] {
  const count = random.chance(0.75) ? 0 : random.between(1, 3);
  return Array.from({ length: count }, () => {
    const [name, value] = random.pick(hostileHeaders);
    return [name, value];
  });
}
