import type { Redis } from "../redis-streams/redis.ts";
import { GROUP, sapStreamNames, type SapStream } from "./names.ts";

/** What goes out is one entry: its fields by name. */
export type Fields = Readonly<Record<string, string>>;

const flat = (fields: Fields): string[] => Object.entries(fields).flat();

/**
 * Whoever takes the question off the list of what is pending answers it, so that of two processes that worked on it one
 * does. A Redis that came back empty knows of no group and no question: it is told the answer all the same.
 * XADD comes first, for it is what a Redis that is full refuses.
 */
const ANSWER = `
local pending = redis.pcall('XPENDING', KEYS[1], ARGV[1], ARGV[2], ARGV[2], 1)
if pending.err == nil and #pending == 0 then return 0 end
redis.call('XADD', KEYS[2], '*', unpack(ARGV, 3))
redis.pcall('XACK', KEYS[1], ARGV[1], ARGV[2])
redis.call('XDEL', KEYS[1], ARGV[2])
return 1`;

export async function answerOnce(
  redis: Redis,
  stream: SapStream,
  entryId: string,
  fields: Fields,
): Promise<void> {
  const { tasks, answers } = sapStreamNames(stream);
  await redis.call("EVAL", ANSWER, "2", tasks, answers, GROUP, entryId, ...flat(fields));
}

/** What is told and how far it was told stand together, or of two processes that tell each would tell all. */
const TELL = `
if (redis.call('GET', KEYS[2]) or '') ~= ARGV[1] then return 0 end
local at = 3
while at <= #ARGV do
  local count = tonumber(ARGV[at])
  redis.call('XADD', KEYS[1], '*', unpack(ARGV, at + 1, at + count))
  at = at + count + 1
end
redis.call('SET', KEYS[2], ARGV[2])
return 1`;

/** False where somebody else has told meanwhile: nothing was told. */
export async function tellOnce(
  redis: Redis,
  stream: SapStream,
  told: { readonly from: string; readonly to: string; readonly entries: readonly Fields[] },
): Promise<boolean> {
  const { answers, cursor } = sapStreamNames(stream);
  const entries = told.entries.flatMap((fields) => [String(2 * Object.keys(fields).length), ...flat(fields)]);
  return Number(await redis.call("EVAL", TELL, "2", answers, cursor, told.from, told.to, ...entries)) === 1;
}
