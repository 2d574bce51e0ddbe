import {
  type ASTNode,
  Environment,
  EvaluationError,
  ParseError,
  serialize,
  TypeError as CelTypeError,
} from "@marcbachmann/cel-js";
import { couldBe } from "./could-be.ts";

export type ExpressionFault = {
  readonly message: string;
  /** Where in the expression, counted from 0. */
  readonly offset: number;
};

type Evaluated =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "none"; readonly why: string };

type Values = Readonly<Record<string, unknown>>;

export type Expression = {
  readonly type: string;
  /** Every `variable.field` that it reads, such as `response.status`. */
  readonly reads: ReadonlySet<string>;
  /** Texts that it compares with a field, by that field. */
  readonly compares: readonly { readonly field: string; readonly text: string; readonly offset: number }[];
  readonly evaluate: (values: Values) => Evaluated;
  /** Whether it could be true, if each of these `variable.field`s were anything at all. */
  readonly couldHold: (values: Values, open: ReadonlySet<string>) => boolean;
};

export type Compiled =
  | { readonly kind: "compiled"; readonly expression: Expression }
  | { readonly kind: "faulty"; readonly fault: ExpressionFault };

const LONGEST_EXPRESSION = 2_000;
const limits = {
  maxAstNodes: 400,
  maxDepth: 24,
  maxListElements: 100,
  maxMapEntries: 100,
  maxCallArguments: 8,
};

/** Macros that go over a list. One inside another takes the list's length squared, and an agent says how long the list is. */
const macros: ReadonlySet<string> = new Set(["all", "exists", "exists_one", "map", "filter"]);

export const newEnvironment = (): Environment =>
  new Environment({ limits, homogeneousAggregateLiterals: false });

/** SACP-10: an expression as it may be asked again and again: parsed, of known names and types, and of bounded cost. */
export function compileExpression(environment: Environment, text: string): Compiled {
  if (text.length > LONGEST_EXPRESSION) {
    return faulty(`has ${text.length} characters; at most ${LONGEST_EXPRESSION} are allowed`, 0);
  }
  try {
    const parsed = environment.parse(text);
    const checked = parsed.check();
    if (!checked.valid) return faulty(checked.error?.summary ?? "is of no type", startOf(checked.error));
    const costly = costlyPart(parsed.ast, false);
    if (costly !== undefined) return { kind: "faulty", fault: costly };
    const expression: Expression = {
      type: checked.type ?? "dyn",
      reads: new Set(readsOf(parsed.ast)),
      compares: comparesOf(parsed.ast),
      evaluate: (values) => evaluated(() => parsed(values) as unknown),
      couldHold: (values, open) =>
        couldBe(parsed.ast, {
          isOpen: (node) => readsOf(node).some((field) => open.has(field)),
          tell: (node) => valueOfPart(environment, node, values),
        }).hold,
    };
    return { kind: "compiled", expression };
  } catch (error) {
    if (error instanceof ParseError || error instanceof CelTypeError)
      return faulty(error.summary, startOf(error));
    throw error;
  }
}

const faulty = (message: string, offset: number): Compiled => ({
  kind: "faulty",
  fault: { message, offset },
});
const startOf = (error: ParseError | CelTypeError | undefined): number =>
  error?.range?.start ?? error?.node?.start ?? 0;

function evaluated(evaluate: () => unknown): Evaluated {
  try {
    return { kind: "value", value: evaluate() };
  } catch (error) {
    if (error instanceof EvaluationError || error instanceof CelTypeError)
      return { kind: "none", why: error.summary };
    throw error;
  }
}

/**
 * cel-js evaluates what it has parsed, and prints some parts as what it does not read again (1e21, a character of two halves),
 * or as another part: 1 - (2 - 3) without its parentheses, a small number as 0.
 */
function valueOfPart(environment: Environment, part: ASTNode, values: Values): unknown {
  try {
    const parsed = environment.parse(serialize(part));
    if (shapeOf(parsed.ast) !== shapeOf(part)) return undefined;
    const found = evaluated(() => parsed(values) as unknown);
    return found.kind === "value" ? found.value : undefined;
  } catch (error) {
    if (error instanceof ParseError) return undefined;
    throw error;
  }
}

const isNode = (value: unknown): value is ASTNode =>
  typeof value === "object" && value !== null && "op" in value && "args" in value;

/** What it says, without where it stands. */
const shapeOf = (part: ASTNode): string =>
  JSON.stringify(part, (_, value: unknown) => {
    if (typeof value === "bigint") return { whole: String(value) };
    return isNode(value) ? { op: value.op, args: value.args } : value;
  });

function childrenOf({ args }: ASTNode): ASTNode[] {
  const found: ASTNode[] = [];
  const take = (value: unknown): void => {
    if (isNode(value)) found.push(value);
    else if (Array.isArray(value)) for (const inner of value) take(inner);
  };
  take(args);
  return found;
}

function costlyPart(node: ASTNode, inMacro: boolean): ExpressionFault | undefined {
  const name = node.op === "rcall" ? node.args[0] : "";
  if (name === "matches") {
    const message =
      "matches() is not offered: a pattern can take time without end. Use contains(), startsWith() or endsWith()";
    return { message, offset: node.start };
  }
  const isMacro = macros.has(name);
  if (isMacro && inMacro)
    return { message: `${name}() stands inside another macro; one level is allowed`, offset: node.start };
  for (const child of childrenOf(node)) {
    const found = costlyPart(child, inMacro || isMacro);
    if (found !== undefined) return found;
  }
  return undefined;
}

const fieldOf = (node: ASTNode | undefined): string | undefined =>
  node?.op === "." && node.args[0].op === "id" ? `${node.args[0].args}.${node.args[1]}` : undefined;

function readsOf(node: ASTNode): string[] {
  const field = fieldOf(node);
  const alone = node.op === "id" ? [node.args] : [];
  return field === undefined ? [...alone, ...childrenOf(node).flatMap(readsOf)] : [field];
}

function comparesOf(node: ASTNode): { field: string; text: string; offset: number }[] {
  const inside = childrenOf(node).flatMap(comparesOf);
  if (node.op !== "==" && node.op !== "!=" && node.op !== "in") return inside;
  const [one, other] = node.args;
  const field = fieldOf(one) ?? fieldOf(other);
  if (field === undefined) return inside;
  const texts = [one, other].flatMap((side) => (side.op === "list" ? side.args : [side]));
  return [
    ...inside,
    ...texts.flatMap((side) =>
      side.op === "value" && typeof side.args === "string"
        ? { field, text: side.args, offset: side.start }
        : [],
    ),
  ];
}
