/** They draw what follows in another order than it is written (UAX 9, 2.1 to 2.4): with them a name reads as another one. */
const reorders = /[\u202A-\u202E\u2066-\u2069]/gu;
/** Hebrew, Arabic and their like: rightly drawn from the right, and what stands beside them not. */
const fromTheRight = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

const markOf = (control: string): string => `‹U+${(control.codePointAt(0) ?? 0).toString(16).toUpperCase()}›`;

/** A text of whoever, as it is drawn: in the order in which it is written, and without a hold on what stands beside it. */
export function plainly(text: string): string {
  const marked = text.replace(reorders, markOf);
  return fromTheRight.test(marked) ? `\u2068${marked}\u2069` : marked;
}
