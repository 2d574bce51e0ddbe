/** U+0000 and half a character cannot be stored; the replacement character says that something stood there. */
export const storableText = (text: string): string => text.toWellFormed().replaceAll("\0", "\ufffd");
