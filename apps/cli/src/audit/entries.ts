import { z } from "zod";

/** As much of an entry as a line shows; `text` is the entry byte for byte as the server gave it. */
export type Entry = {
  readonly auditId: string;
  readonly recordedAt: string;
  readonly action: string;
  readonly actor: string;
  readonly subject: string;
  readonly rationale: string;
  readonly text: string;
};
export type EntryPage = { readonly entries: readonly Entry[]; readonly nextCursor: string | undefined };

const entryShape = z.looseObject({
  auditId: z.string(),
  recordedAt: z.string(),
  payload: z.looseObject({
    action: z.string().default(""),
    rationale: z.string().default(""),
    actor: z.looseObject({ id: z.string().default("") }).default({ id: "" }),
    pipelineId: z.string().default(""),
    stageId: z.string().default(""),
    packId: z.string().default(""),
  }),
});
const pageShape = z.looseObject({ entries: z.array(z.unknown()), nextCursor: z.string().nullish() });

/**
 * A page of the record. An entry's payload is kept as the text that it is: read and written anew it would be another
 * text, and no proof would fit it.
 */
export function readEntryPage(text: string): EntryPage | undefined {
  const page = pageShape.safeParse(parsed(text));
  if (!page.success) return undefined;
  const texts = elementTexts(text, "entries");
  const entries = texts.map((one) => {
    const read = entryShape.safeParse(parsed(one));
    return read.success ? entryFrom(read.data, one) : undefined;
  });
  if (entries.length !== page.data.entries.length || entries.includes(undefined)) return undefined;
  return {
    entries: entries.filter((one) => one !== undefined),
    nextCursor: page.data.nextCursor ?? undefined,
  };
}

const entryFrom = ({ auditId, recordedAt, payload }: z.infer<typeof entryShape>, text: string): Entry => ({
  auditId,
  recordedAt,
  action: payload.action,
  actor: payload.actor.id,
  subject: [payload.pipelineId, payload.stageId].filter(Boolean).join("/") || payload.packId,
  rationale: payload.rationale,
  text,
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The texts of the elements of a list that is a member of the outermost object. The whole must be JSON. */
export function elementTexts(text: string, member: string): string[] {
  const elements: string[] = [];
  let depth = 0;
  let begin = -1;
  let name = "";
  let inside = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at];
    if (character === '"') {
      const end = endOfString(text, at);
      if (depth === 1) name = /^\s*:/.test(text.slice(end + 1, end + 20)) ? text.slice(at + 1, end) : name;
      if (inside && depth === 2 && begin < 0) begin = at;
      at = end;
    } else if (character === "[" || character === "{") {
      depth += 1;
      if (depth === 2 && character === "[" && name === member) inside = true;
      else if (inside && depth === 3 && begin < 0) begin = at;
    } else if (character === "]" || character === "}") {
      depth -= 1;
      if (inside && depth === 1) {
        if (begin >= 0) elements.push(text.slice(begin, at).trim());
        return elements;
      }
    } else if (inside && depth === 2 && character === ",") {
      if (begin >= 0) elements.push(text.slice(begin, at).trim());
      begin = -1;
    } else if (inside && depth === 2 && begin < 0 && !/\s/.test(character ?? "")) begin = at;
  }
  return elements;
}

function endOfString(text: string, begin: number): number {
  for (let at = begin + 1; at < text.length; at += 1) {
    if (text[at] === "\\") at += 1;
    else if (text[at] === '"') return at;
  }
  return text.length;
}
