import { ANSWER_LIMITS } from "./limits.ts";

/** How many objects of one text are tried: the last ones, since a model corrects itself and tools come before the answer (§8). */
const MOST_TRIED = 8;
const FENCE = "```";

const THINKING_ENDS = /<\/think(?:ing)?>/gi;

/** What follows a model's thinking in tags, whose drafts are no answer; undefined where it did not think so, or says nothing. */
export function afterThinking(text: string): string | undefined {
  let end = -1;
  for (const { index, 0: tag } of text.matchAll(THINKING_ENDS)) end = index + tag.length;
  const said = end === -1 ? "" : text.slice(end).trim();
  return said.includes("{") ? said : undefined;
}

/** What stands in markdown's code fences, last first; of a fence that is never closed, what follows it (§7.1, step 1). */
export function fencedTexts(text: string): string[] {
  const last: { readonly start: number; end: number | undefined }[] = [];
  let open = false;
  for (let at = text.indexOf(FENCE); at !== -1; at = text.indexOf(FENCE, at + FENCE.length)) {
    const before = last.at(-1);
    if (open && before !== undefined) before.end = at;
    else last.push({ start: at + FENCE.length, end: undefined });
    if (last.length > MOST_TRIED) last.shift();
    open = !open;
  }
  return last
    .map(({ start, end }) => withoutLanguage(text.slice(start, end)))
    .filter((inner) => inner.startsWith("{"))
    .toReversed();
}

const withoutLanguage = (inner: string): string =>
  inner.replace(/^[ \t]*[\w+-]{0,20}[ \t]*(?=\s|\{)/, "").trim();

/** From the first brace to the last one (§7.1, step 2); undefined where there are no two. */
export function bracedText(text: string): string | undefined {
  const first = text.indexOf("{");
  const last = text.lastIndexOf("}");
  return first === -1 || last < first ? undefined : text.slice(first, last + 1);
}

const SEPARATOR = /[{}"]/g;

/** The objects that stand one after the other between other text, last first: where braces alone cannot tell them apart. */
export function separateTexts(text: string): string[] {
  const found: { readonly start: number; readonly end: number }[] = [];
  let depth = 0;
  let start = 0;
  SEPARATOR.lastIndex = 0;
  for (let looked = 0; looked < ANSWER_LIMITS.separators; looked += 1) {
    const next = SEPARATOR.exec(text);
    if (next === null) break;
    const { index } = next;
    if (text[index] === "{") {
      if (depth === 0) start = index;
      depth += 1;
    } else if (text[index] === "}") {
      if (depth === 1) found.push({ start, end: index + 1 });
      if (depth > 0) depth -= 1;
    } else if (depth > 0) {
      const end = endOfString(text, index);
      if (end === -1) break;
      SEPARATOR.lastIndex = end;
    }
  }
  return found
    .slice(-MOST_TRIED)
    .map((one) => text.slice(one.start, one.end))
    .toReversed();
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Where a text in JSON ends that begins here; -1 where it does not. From its first escaped quote on it is read letter by letter: half a megabyte of them would each begin a search. */
export function endOfString(text: string, from: number): number {
  const first = text.indexOf('"', from + 1);
  if (first === -1 || text.charCodeAt(first - 1) !== BACKSLASH) return first === -1 ? -1 : first + 1;
  let slashes = 1;
  while (text.charCodeAt(first - 1 - slashes) === BACKSLASH) slashes += 1;
  if (slashes % 2 === 0) return first + 1;
  for (let at = first + 1; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === QUOTE) return at + 1;
    if (unit === BACKSLASH) at += 1;
  }
  return -1;
}
