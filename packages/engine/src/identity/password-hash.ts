import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { SignalboxError } from "@signalbox/contracts";

/** 32 MiB and about a tenth of a second (OWASP's second choice for scrypt). A hash keeps its own, so that these may rise. */
const cost = { ln: 15, r: 8, p: 3 } as const;
const hashBytes = 32;
const mostAtOnce = 2;
const mostWaiting = 50;

type Cost = { ln: number; r: number; p: number };

/** A PHC string: `$scrypt$ln=15,r=8,p=3$<salt>$<hash>`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password, salt, cost);
  return `$scrypt$ln=${cost.ln},r=${cost.r},p=${cost.p}$${text(salt)}$${text(hash)}`;
}

/** Takes as long for nobody's password as for somebody's: whether an account is there must not be heard from the clock. */
export async function isPassword(password: string, kept: string | null | undefined): Promise<boolean> {
  const parts = kept === null || kept === undefined ? undefined : readHash(kept);
  if (parts === undefined) {
    await derive(password, decoySalt, cost);
    return false;
  }
  return timingSafeEqual(await derive(password, parts.salt, parts.cost), parts.hash);
}

const decoySalt = randomBytes(16);
const phc =
  /^\$scrypt\$ln=(?<ln>\d{1,2}),r=(?<r>\d{1,2}),p=(?<p>\d{1,2})\$(?<salt>[\w+/-]+)\$(?<hash>[\w+/-]+)$/;

function readHash(kept: string): { cost: Cost; salt: Buffer; hash: Buffer } {
  const parts = phc.exec(kept)?.groups;
  const hash = Buffer.from(parts?.["hash"] ?? "", "base64url");
  if (parts === undefined || hash.length !== hashBytes)
    throw new Error("a kept password hash cannot be read");
  return {
    cost: { ln: Number(parts["ln"]), r: Number(parts["r"]), p: Number(parts["p"]) },
    salt: Buffer.from(parts["salt"] ?? "", "base64url"),
    hash,
  };
}

const text = (bytes: Buffer): string => bytes.toString("base64url");

let working = 0;
const waiting: (() => void)[] = [];

/** Each hash takes memory and a processor: many at once would starve the process of both, and whoever sends them knows it. */
async function derive(password: string, salt: Buffer, { ln, r, p }: Cost): Promise<Buffer> {
  if (working >= mostAtOnce) {
    if (waiting.length >= mostWaiting) {
      throw new SignalboxError(
        "RATE_LIMITED",
        "Too many people sign in at this moment. Try again in a few seconds.",
      );
    }
    await new Promise<void>((resolve) => void waiting.push(resolve));
  } else working += 1;
  try {
    return await new Promise<Buffer>((resolve, reject) => {
      const options = { N: 2 ** ln, r, p, maxmem: 2 ** ln * r * 128 * 2 };
      scrypt(password, salt, hashBytes, options, (error, hash) => (error ? reject(error) : resolve(hash)));
    });
  } finally {
    const next = waiting.shift();
    if (next === undefined) working -= 1;
    else next();
  }
}
