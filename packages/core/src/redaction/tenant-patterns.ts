import { RE2JS } from "re2js";
import { SignalboxError, type Violation } from "@signalbox/contracts";
import { isIn, WORD } from "./character-class.ts";
import { redactionFailed } from "./failure.ts";
import { markerOf } from "./marker.ts";
import type { RedactedText } from "./redact-text.ts";

export type TenantPattern = { readonly id: string; readonly engine: RE2JS };

const MOST_PATTERNS = 16;
const LONGEST_PATTERN = 256;
/** A stream holds a line back until it ends, so a line has to end. */
export const LONGEST_LINE = 65_536;

/** Compiles a tenant's own patterns on an engine whose time grows with the text alone (ADR 0011); throws VALIDATION_FAILED. */
export function compilePatterns(
  patterns: readonly { readonly id: string; readonly pattern: string }[],
): TenantPattern[] {
  const violations: Violation[] = [];
  const compiled: TenantPattern[] = [];
  if (patterns.length > MOST_PATTERNS)
    violations.push({
      field: "patterns",
      rule: "max_items",
      message: `${patterns.length} patterns; at most ${MOST_PATTERNS} are allowed`,
    });
  else
    for (const [index, { id, pattern }] of patterns.entries()) {
      const result = compileOne(pattern);
      if (typeof result === "string")
        violations.push({ field: `patterns[${index}].pattern`, rule: "re2", message: result });
      else compiled.push({ id, engine: result });
    }
  if (violations.length > 0)
    throw new SignalboxError("VALIDATION_FAILED", "The redaction policy has patterns that cannot be used", {
      violations,
    });
  return compiled;
}

function compileOne(pattern: string): RE2JS | string {
  if (pattern === "" || pattern.length > LONGEST_PATTERN)
    return `a pattern has 1 to ${LONGEST_PATTERN} characters`;
  try {
    const engine = RE2JS.compile(pattern);
    return engine.matcher("").find()
      ? "the pattern matches the empty text, so it would mask everything"
      : engine;
  } catch (error) {
    return `not a pattern in RE2 syntax: ${error instanceof Error ? error.message : "it cannot be read"}`;
  }
}

/** Line by line: a pattern never reaches over a line's end, in a stream as in a whole text. */
export function applyPatterns(patterns: readonly TenantPattern[], text: string): RedactedText {
  if (patterns.length === 0) return { text, rules: [] };
  const rules: string[] = [];
  const lines = text.split("\n").map((line) => applyToLine(patterns, line, rules));
  return rules.length === 0 ? { text, rules } : { text: lines.join("\n"), rules };
}

function applyToLine(patterns: readonly TenantPattern[], line: string, rules: string[]): string {
  if (line.length > LONGEST_LINE)
    throw redactionFailed(
      `A line of ${line.length} characters is too long for the tenant's patterns; at most ${LONGEST_LINE} are allowed`,
    );
  let masked = line;
  for (const { id, engine } of patterns) masked = applyOne(id, engine, masked, rules);
  return masked;
}

function applyOne(id: string, engine: RE2JS, line: string, rules: string[]): string {
  const markers = Array.from(
    line.matchAll(/\[redacted:[a-z-]{1,32}\]/g),
    ({ 0: text, index }) => [index, index + text.length] as const,
  );
  const matcher = engine.matcher(line);
  const pieces: string[] = [];
  let given = 0;
  for (let from = 0; from < line.length && matcher.find(from);) {
    const [start, end] = widen(line, matcher.start(), matcher.end());
    const marker = markers.find(([opening, closing]) => start < closing && end > opening);
    if (marker !== undefined) from = Math.max(marker[1], from + 1);
    else if (end <= start || start < given) from = Math.max(matcher.end(), from + 1);
    else {
      pieces.push(line.slice(given, start), markerOf(id));
      rules.push(id);
      given = end;
      from = end;
    }
  }
  return given === 0 ? line : pieces.join("") + line.slice(given);
}

/** To whole words: what remained of a word could match a second time, and would tell part of what was masked. */
function widen(line: string, start: number, end: number): readonly [number, number] {
  let from = start;
  let to = end;
  while (from > 0 && isIn(line.charCodeAt(from - 1), WORD)) from--;
  while (to < line.length && isIn(line.charCodeAt(to), WORD)) to++;
  return [from, to];
}
