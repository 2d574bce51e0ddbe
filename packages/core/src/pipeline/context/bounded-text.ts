/** A passage of a text that has a limit; `from` names the stage it comes from, where it comes from one. */
export type Passage = {
  readonly text: string;
  readonly what: string;
  readonly from: string | null;
  /** What it lost before it came here. */
  readonly lost?: number;
};

export type LeftOut = {
  readonly what: string;
  readonly from: string | null;
  readonly characters: number;
};

export type BoundedText = { readonly text: string; readonly leftOut: readonly LeftOut[] };

const nothingSaid: BoundedText = { text: "", leftOut: [] };
const separator = "\n\n";
/** Room for the mark at the end, whatever its numbers. */
const markRoom = 80;
/** Less than this of a passage says nothing. */
const worthClipping = 256;

/**
 * CARRY-6: passages in order of importance, at most `limit` UTF-16 units long, which is never more code points than the
 * contract counts. What does not fit is clipped or left out, and both the text and the answer say so.
 */
export function boundedText(passages: readonly Passage[], limit: number): BoundedText {
  if (passages.length === 0) return nothingSaid;
  const given = passages.filter(({ text }) => text !== "");
  const whole = given.map(({ text }) => text).join(separator);
  if (whole.length <= limit) return { text: whole, leftOut: given.flatMap(lostBefore) };
  const kept: string[] = [];
  const leftOut: LeftOut[] = [];
  let room = limit - markRoom;
  for (const { text, what, from, lost = 0 } of given) {
    const cost = text.length + separator.length;
    if (cost <= room) {
      kept.push(text);
      room -= cost;
      if (lost > 0) leftOut.push({ what, from, characters: lost });
      continue;
    }
    const clipped =
      room >= worthClipping ? clip(text, room - separator.length) : { text: "", lost: text.length };
    if (clipped.text !== "") {
      kept.push(clipped.text);
      room -= clipped.text.length + separator.length;
    }
    leftOut.push({ what, from, characters: clipped.lost + lost });
  }
  return { text: [...kept, markOf(leftOut)].join(separator), leftOut };
}

const lostBefore = ({ what, from, lost = 0 }: Passage): LeftOut[] =>
  lost === 0 ? [] : [{ what, from, characters: lost }];

function markOf(leftOut: readonly LeftOut[]): string {
  const characters = leftOut.reduce((sum, one) => sum + one.characters, 0);
  return `[Left out for length: ${characters} characters of ${leftOut.length} passages]`;
}

const markOfLoss = (lost: number): string => ` [… ${lost} characters left out]`;

/** The beginning of a text with a mark that says how much is gone; never half of a surrogate pair. */
export function clip(text: string, limit: number): { readonly text: string; readonly lost: number } {
  if (text.length <= limit) return { text, lost: 0 };
  const room = Math.max(0, limit - markOfLoss(text.length).length);
  const last = text.charCodeAt(room - 1);
  const end = room > 0 && last >= 0xd800 && last <= 0xdbff ? room - 1 : room;
  const lost = text.length - end;
  return { text: text.slice(0, end) + markOfLoss(lost), lost };
}
