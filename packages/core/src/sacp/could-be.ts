import type { ASTNode } from "@marcbachmann/cel-js";

/** What an expression might come to. */
export type Could = { readonly hold: boolean; readonly fail: boolean };

export type Known = {
  /** It reads something of which only the answer says what it is. */
  readonly isOpen: (node: ASTNode) => boolean;
  /** What a part comes to that reads nothing open; undefined where that cannot be told. */
  readonly tell: (node: ASTNode) => unknown;
};

/** SACP-34: what a condition could come to, if all of it that is open, or cannot be told, were anything at all. */
export function couldBe(node: ASTNode, known: Known): Could {
  const value = known.isOpen(node) ? undefined : known.tell(node);
  if (typeof value === "boolean") return { hold: value, fail: !value };
  if (node.op === "&&" || node.op === "||") {
    const [one, other] = [couldBe(node.args[0], known), couldBe(node.args[1], known)];
    return node.op === "&&"
      ? { hold: one.hold && other.hold, fail: one.fail || other.fail }
      : { hold: one.hold || other.hold, fail: one.fail && other.fail };
  }
  if (node.op === "!_") {
    const { hold, fail } = couldBe(node.args, known);
    return { hold: fail, fail: hold };
  }
  if (node.op !== "?:") return { hold: true, fail: true };
  const asked = couldBe(node.args[0], known);
  const [then, otherwise] = [couldBe(node.args[1], known), couldBe(node.args[2], known)];
  return {
    hold: (asked.hold && then.hold) || (asked.fail && otherwise.hold),
    fail: (asked.hold && then.fail) || (asked.fail && otherwise.fail),
  };
}
