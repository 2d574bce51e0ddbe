import { type Document, parseDocument, YAMLError } from "yaml";

export type TextFault = { line: number; column: number; message: string };
export type Opened =
  | { kind: "open"; document: Document.Parsed; value: unknown }
  | { kind: "unreadable"; fault: TextFault };

/** The text as YAML that can be drawn and edited. The server judges what it says; here it need only be readable. */
export function openText(text: string): Opened {
  try {
    const document = parseDocument(text, { version: "1.2", schema: "core", prettyErrors: true });
    const [error] = document.errors;
    if (error !== undefined) return { kind: "unreadable", fault: faultOf(error) };
    // An alias counts as often as it is used, and a text of aliases to aliases would fill the page's memory.
    return { kind: "open", document, value: document.toJS({ maxAliasCount: 100 }) };
  } catch (error) {
    return { kind: "unreadable", fault: faultOf(error) };
  }
}

/** The texts that were read last: an editor asks for the one it shows with every edit, and reading 200 stages takes a frame. */
const lastRead: { text: string; opened: Opened }[] = [];
const MOST_READ = 2;

/** As `openText`, for whoever changes nothing of what comes. */
export function readText(text: string): Opened {
  const known = lastRead.find((one) => one.text === text);
  if (known !== undefined) return known.opened;
  const opened = openText(text);
  lastRead.unshift({ text, opened });
  lastRead.length = Math.min(lastRead.length, MOST_READ);
  return opened;
}

const faultOf = (error: unknown): TextFault => ({
  line: error instanceof YAMLError ? (error.linePos?.[0].line ?? 1) : 1,
  column: error instanceof YAMLError ? (error.linePos?.[0].col ?? 1) : 1,
  message: error instanceof Error ? (error.message.split("\n")[0] ?? "") : "This cannot be read as YAML.",
});

/** The document as text in the manner of `like`: its indentation, and whether lists are padded. */
export function printText(document: Document.Parsed, like: string): string {
  return document.toString({
    lineWidth: 0,
    indent: Math.min(/^( +)\S/m.exec(like)?.[1]?.length ?? 2, 8),
    indentSeq: !/^( *)[^\s#][^\n]*:\s*\n\1- /m.test(like),
    flowCollectionPadding: !/[[{][^\s\]}]/.test(like) || /\[ /.test(like),
  });
}
