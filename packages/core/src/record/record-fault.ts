/** What is wrong with something that was stored, and where in it. */
export class RecordFault extends Error {
  readonly place: string;
  readonly what: string;

  constructor(what: string, place = "", options?: ErrorOptions) {
    super(place === "" ? what : `${place}: ${what}`, options);
    this.name = "RecordFault";
    this.place = place;
    this.what = what;
  }
}

/** Reads what stands at a place; a fault within is told with that place. */
export function readAt<T>(place: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw faultAt(place, error);
  }
}

export function faultAt(place: string, error: unknown): RecordFault {
  if (!(error instanceof RecordFault)) {
    return new RecordFault(error instanceof Error ? error.message : String(error), place, { cause: error });
  }
  const inner = error.place === "" || error.place.startsWith("[") ? error.place : `.${error.place}`;
  return new RecordFault(error.what, place + inner);
}

/** A value as an error shows it: short, whatever it is. */
export function shown(value: unknown): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}
