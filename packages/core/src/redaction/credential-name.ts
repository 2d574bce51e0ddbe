import { looksRandom } from "./randomness.ts";

/**
 * What a field's name says of its value: `whole` masks whatever it is, `texts` masks the strings in it (the plural of a
 * credential is as often a count), `generated` masks a string that looks generated.
 */
export type NamedCredential = "whole" | "texts" | "generated";

const SINGULAR = [
  "password",
  "passwd",
  "passphrase",
  "passcode",
  "pwd",
  "secret",
  "token",
  "authorization",
  "credential",
  "cookie",
  "set cookie",
  "api key",
  "access key",
  "account key",
  "private key",
  "secret key",
  "signing key",
  "encryption key",
  "master key",
  "shared key",
  "connection string",
  "password hash",
  "jwt",
];
const PLURAL = new Set(SINGULAR.map((name) => `${name}s`));
const WHOLE = new Set(SINGULAR);
/** The same run together, as in `apikey` and `dbpassword`: only where no other word ends in it. */
const JOINED = [
  "password",
  "passwd",
  "passphrase",
  "apikey",
  "accesskey",
  "secretkey",
  "privatekey",
  "accesstoken",
  "authtoken",
  "refreshtoken",
  "sessiontoken",
  "clientsecret",
  "connectionstring",
  "setcookie",
];
const GENERATED = new Set(["key", "auth", "pass", "salt", "signature", "bearer", "dsn", "pat"]);
const NOT_A_KEY = new Set([
  "public",
  "primary",
  "foreign",
  "partition",
  "sort",
  "row",
  "cache",
  "idempotency",
  "dedupe",
  "unique",
  "routing",
  "object",
  "index",
  "lookup",
  "group",
  "translation",
]);

/** `dbPassword`, `DB_PASSWORD`, `db-password` and `db.password` are the words db and password. */
export function wordsOf(name: string): string[] {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== "");
}

export function namedCredential(name: string): NamedCredential | undefined {
  const words = wordsOf(name.slice(-LONGEST_NAME));
  const last = words.at(-1);
  if (last === undefined) return undefined;
  const lastTwo = words.slice(-2).join(" ");
  if (WHOLE.has(last) || WHOLE.has(lastTwo) || JOINED.some((joined) => words.join("").endsWith(joined)))
    return "whole";
  if (last === "credentials") return "whole";
  if (PLURAL.has(last) || PLURAL.has(lastTwo)) return "texts";
  if (GENERATED.has(last) && !NOT_A_KEY.has(words.at(-2) ?? "")) return "generated";
  return undefined;
}

/** The end of a name decides, so the rest of an endless one is not read. */
const LONGEST_NAME = 128;

export const looksGenerated = (text: string): boolean => looksRandom(text, 16, 3);
