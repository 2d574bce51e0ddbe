import { isScalar, type Node, visit } from "yaml";

/** A text in quotes, which is left alone, or a name that a stage's id may be. */
const WORDS = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[\p{L}\p{N}_][^\s"'{}()[\],.!=<>+*/%?:&|]*/gu;

/** Writes a stage's new id wherever a placeholder of mapped inputs looks at what the stage gave. */
export function renameInPlaceholders(inputs: unknown, from: string, to: string): void {
  if (typeof inputs !== "object" || inputs === null) return;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a value in a document that is an object is a node
  visit(inputs as Node, (_key, node) => {
    if (isScalar(node) && typeof node.value === "string") node.value = renamed(node.value, from, to);
  });
}

const renamed = (text: string, from: string, to: string): string =>
  text.replaceAll(/\{\{.*?\}\}/gs, (placeholder) =>
    placeholder.replaceAll(WORDS, (word, offset: number) =>
      word === from && placeholder[offset - 1] !== "." && placeholder[offset + word.length] === "."
        ? to
        : word,
    ),
  );
