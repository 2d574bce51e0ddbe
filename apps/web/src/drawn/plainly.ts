/** They draw what follows in another order than it is written (UAX 9, 2.1 to 2.4): with them a name reads as another one. */
const reorders = /[\u202A-\u202E\u2066-\u2069]/gu;
/** Hebrew, Arabic and their like: rightly drawn from the right, and what stands beside them not. */
const fromTheRight = /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** A component hands its children on to an element, and both are made here: what holds a text apart is drawn once. */
const apart = /^\u2068(.*)\u2069$/su;

/** All of them are of one UTF-16 unit. */
export const markOf = (control: string): string => `‹U+${control.charCodeAt(0).toString(16).toUpperCase()}›`;

export const marked = (text: string): string => text.replace(reorders, markOf);

/** A text of whoever, as it is drawn: in the order in which it is written, and without a hold on what stands beside it. */
export function plainly(text: string): string {
  const shown = marked(text.replace(apart, "$1"));
  return fromTheRight.test(shown) ? `\u2068${shown}\u2069` : shown;
}
