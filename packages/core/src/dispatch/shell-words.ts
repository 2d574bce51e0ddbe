/**
 * The simple commands of a shell command line, as words: as much of POSIX sh 2.2, 2.9 and 2.10 as it takes to find
 * the program that each names. Nothing is expanded; a substitution stays part of its word. Linear in the line.
 */
export function simpleCommands(line: string): string[][] {
  const commands: string[][] = [];
  let words: string[] = [];
  let at = 0;
  while (at < line.length) {
    const character = line[at] ?? "";
    if (/[ \t\r]/.test(character)) {
      at += 1;
    } else if (/[;&|\n()]/.test(character)) {
      commands.push(words);
      words = [];
      at += 1;
    } else if (character === "#") {
      at = endOfLine(line, at);
    } else {
      const { word, end, redirects } = readWord(line, at);
      if (!redirects) words.push(word);
      at = end;
    }
  }
  commands.push(words);
  return commands.filter((command) => command.length > 0);
}

function endOfLine(line: string, at: number): number {
  const end = line.indexOf("\n", at);
  return end < 0 ? line.length : end;
}

type Word = { word: string; end: number; redirects: boolean };

function readWord(line: string, start: number): Word {
  let word = "";
  let at = start;
  while (at < line.length && !/[\s;&|()<>]/.test(line[at] ?? "")) {
    const end = endOfPart(line, at);
    word += partOf(line, at, end);
    at = end;
  }
  // What stands right before it is a word of the command, unless it is the number of what is redirected.
  if (/[<>]/.test(line[at] ?? "") && /^\d*$/.test(line.slice(start, at))) return redirection(line, at);
  return { word, end: at, redirects: false };
}

/** `2>&1`, `> file` and their like: no word of the command; a number before it belongs to it. */
function redirection(line: string, start: number): Word {
  let at = start;
  while (/[<>&|]/.test(line[at] ?? "")) at += 1;
  while (/[ \t]/.test(line[at] ?? "")) at += 1;
  while (at < line.length && !/[\s;&|()<>]/.test(line[at] ?? "")) at = endOfPart(line, at);
  return { word: "", end: at, redirects: true };
}

/** A quoted string, a substitution, an escaped character or one plain character. */
function endOfPart(line: string, at: number): number {
  const character = line[at];
  if (character === "'" || character === '"' || character === "`") return closing(line, at, character);
  if (character === "$" && line[at + 1] === "(") return closingParenthesis(line, at + 1);
  return Math.min(line.length, character === "\\" ? at + 2 : at + 1);
}

function closing(line: string, start: number, quote: string): number {
  for (let at = start + 1; at < line.length; at++) {
    if (line[at] === "\\" && quote !== "'") at += 1;
    else if (line[at] === quote) return at + 1;
  }
  return line.length;
}

function closingParenthesis(line: string, start: number): number {
  let depth = 0;
  for (let at = start; at < line.length; at++) {
    if (line[at] === "(") depth += 1;
    else if (line[at] === ")" && --depth === 0) return at + 1;
  }
  return line.length;
}

function partOf(line: string, at: number, end: number): string {
  const part = line.slice(at, end);
  const quote = part[0];
  if (quote === "'" || quote === '"')
    return part.slice(1, part.length > 1 && part.endsWith(quote) ? -1 : undefined);
  return quote === "\\" ? part.slice(1) : part;
}
