import { setTimeout as pause } from "node:timers/promises";
import { seededRandom } from "../seeded-random.ts";
import { connectDoor } from "./connect-door.ts";
import type { Door, Yard } from "./door.ts";
import { grpcDoor } from "./grpc-door.ts";
import { restDoor } from "./rest-door.ts";
import { streamDoor, trpcSocketDoor } from "./socket-door.ts";
import { trpcDoor } from "./trpc-door.ts";

const doors: readonly Door[] = [restDoor, connectDoor, grpcDoor, trpcDoor, streamDoor, trpcSocketDoor];

/** All doors at once, each for its share of so many bodies and frames; says how many went through which. */
export async function fuzz(yard: Yard, seed: number, requests: number): Promise<Map<string, number>> {
  const sent = new Map<string, number>();
  const work = doors.flatMap((door, place) => {
    const share = Math.ceil(requests * door.share);
    let left = share;
    return Array.from({ length: door.workers }, async (_, number) => {
      const worker = door.open(yard, seededRandom(seed + place * 1_000 + number));
      while (left > 0) {
        const count = await worker.next();
        left -= count;
      }
      worker.close();
      sent.set(door.name, share - left);
    });
  });
  await Promise.all(work);
  // What was left half-way is noticed, and forgotten.
  await pause(1_000);
  return sent;
}
