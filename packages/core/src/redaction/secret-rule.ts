import type { CharacterClass } from "./character-class.ts";

/** A piece of an example that is made up when the test runs, so that nothing in the tree looks like a secret. */
export type Filler = { readonly of: Alphabet; readonly length: number };
export type Alphabet =
  | "digit"
  | "hex"
  | "lower"
  | "upper-alnum"
  | "alnum"
  | "base64"
  | "base64url"
  | "printable";
export type Example = readonly (string | Filler)[];

export const some = (of: Alphabet, length: number): Filler => ({ of, length });

/**
 * What makes a secret of the text at an anchor. Every shape reads forward only, over a bounded number of characters,
 * so that the cost of a text grows with its length whatever it holds (ADR 0011).
 */
export type Shape =
  /** The anchor itself, then at least `min` characters of a class; the secret is as long as the class goes on. */
  | {
      readonly kind: "token";
      readonly of: CharacterClass;
      readonly min: number;
      /** Its first characters look generated, since words could stand behind the anchor as well. */
      readonly mixed?: boolean;
      /** The anchor's letters count in either case. */
      readonly anyCase?: boolean;
      /** The anchor stays readable. */
      readonly keepAnchor?: boolean;
      /** The anchor is so short that it stands in words and in random text: no letter or digit may come before it. */
      readonly apart?: boolean;
      /** Class of the character that must come before the anchor. */
      readonly after?: CharacterClass;
    }
  /** `name = value`, `"name": "value"`, `--name value`. */
  | { readonly kind: "assignment"; readonly strength: "credential" | "random" }
  /** `NAME=value` where the value alone gives the secret away. */
  | { readonly kind: "random-variable" }
  /** `Authorization: Scheme credential`. */
  | { readonly kind: "authorization" }
  /** `Cookie: name=value; …`. */
  | { readonly kind: "cookie" }
  /** `scheme://user:password@host`. */
  | { readonly kind: "url" }
  /** A header, a payload and perhaps a signature with dots between. */
  | { readonly kind: "jwt" }
  /** `-----BEGIN … PRIVATE KEY-----` up to its end, or to the end of the text. */
  | { readonly kind: "armor" };

export type SecretRule = {
  readonly id: string;
  readonly description: string;
  /** Literals of which one stands in every secret of the rule. */
  readonly anchors: readonly string[];
  readonly shape: Shape;
  /** Texts that the rule masks, and texts that no rule touches. They are the rule's tests. */
  readonly masks: readonly Example[];
  readonly keeps: readonly Example[];
};
