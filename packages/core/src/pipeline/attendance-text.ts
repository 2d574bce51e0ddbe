/** ESC-12: who attends to a question, and who did before, as the record says it: by id. */
export const attendanceText = ({ from, to }: { from: string | null; to: string | null }): string =>
  [
    to === null ? "Nobody attends to it any more" : `${to} attends to it`,
    ...(from === null ? [] : [`it was with ${from}`]),
  ].join("; ");

const ids = /^(\S+)(?= attends to it(?:;|$))|(?<=; it was with )(\S+)$/g;

/** The same by name, for who reads it. */
export const attendanceByName = (text: string, nameOf: (id: string) => string): string =>
  text.replaceAll(ids, (id) => nameOf(id));
