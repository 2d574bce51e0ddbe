/** Qualifiers after which `key` names no credential. Compared without case and separators. */
const PUBLIC_QUALIFIERS = [
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
  "hot",
  "mon",
  "tur",
  "don",
];

/** Last words of a variable's name whose value is random to look at and public. */
const PUBLIC_VALUES = new Set([
  "SHA",
  "SHA1",
  "SHA256",
  "SHA512",
  "HASH",
  "DIGEST",
  "CHECKSUM",
  "INTEGRITY",
  "FINGERPRINT",
  "ETAG",
  "VERSION",
  "COMMIT",
  "REVISION",
  "REF",
  "BRANCH",
  "TAG",
  "IMAGE",
  "ID",
  "IDS",
  "UUID",
  "NAME",
  "PATH",
  "DIR",
  "FILE",
  "HOST",
  "URL",
  "URI",
  "CURSOR",
  "PUBLICKEY",
]);

const PLACEHOLDERS = new Set([
  "null",
  "none",
  "nil",
  "undefined",
  "true",
  "false",
  "empty",
  "redacted",
  "...",
]);

const squeezed = (name: string): string => name.toLowerCase().replaceAll("_", "").replaceAll("-", "");

/** Whether what stands before `key` says that the value is no secret. */
export function namesNoSecret(before: string): boolean {
  const name = squeezed(before);
  return PUBLIC_QUALIFIERS.some((qualifier) => name.endsWith(qualifier));
}

export function namesPublicValue(variable: string): boolean {
  const last = variable.slice(variable.lastIndexOf("_") + 1);
  return PUBLIC_VALUES.has(last) || variable.endsWith("PUBLIC_KEY");
}

/** What people write where the secret would stand: a reference to it, asterisks, a word in angle brackets. */
export function isPlaceholder(value: string): boolean {
  const word = value.toLowerCase().replace(/[,.)\]}]{1,4}$/, "");
  return PLACEHOLDERS.has(word) || PLACEHOLDER_FORM.test(value);
}

/** A call, or names joined by dots: code that says where the secret comes from. */
export const isReference = (value: string): boolean =>
  /^(?:\$\(|[A-Za-z_$]{1,60}(?:\.[A-Za-z_$]{1,60}){0,8}\()/.test(value) ||
  /^[a-z_$][A-Za-z_$]{0,60}(?:\.[A-Za-z_$]{1,60}){1,8}[,)\]}]{0,4}$/.test(value);

/** What begins an expression, a type or a block, behind a blank. */
export const opensCode = (value: string): boolean => /^[([{<>!]/.test(value);

const PLACEHOLDER_FORM =
  /^(?:\*+|\.{3}|x{3,}|\$[A-Z_][A-Z0-9_]*|\$\{[A-Z_][A-Z0-9_]*(?::?\?[a-z]{0,60})?\}?|\$\{\{ ?[A-Za-z_.]{1,60} ?\}\}|<[A-Za-z_ -]{1,40}>|\{\{[A-Za-z_. -]{1,60}\}\}|process\.env\.[A-Z_]{1,60})[,)\]};]{0,3}$/;
