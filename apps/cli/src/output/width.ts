import stringWidth from "string-width";

const graphemes = new Intl.Segmenter();

export const widthOf = (text: string): number => stringWidth(text);

/** The beginning of a text in so many columns, with a mark where something was left out. */
export function fitted(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let [kept, width] = ["", 0];
  for (const { segment } of graphemes.segment(text)) {
    const next = width + widthOf(segment);
    if (next > columns - 1) break;
    [kept, width] = [kept + segment, next];
  }
  return `${kept}…`;
}

export const padded = (text: string, columns: number): string =>
  text + " ".repeat(Math.max(0, columns - widthOf(text)));

/** Words on lines of so many columns; a word that is longer stands on a line of its own. */
export function wrapped(text: string, columns: number): string[] {
  return text.split("\n").flatMap((paragraph) => {
    const lines: string[] = [];
    let line = "";
    for (const word of paragraph.split(" ")) {
      if (line !== "" && widthOf(line) + 1 + widthOf(word) > columns) {
        lines.push(line);
        line = word;
      } else line = line === "" ? word : `${line} ${word}`;
    }
    lines.push(line);
    return lines;
  });
}
