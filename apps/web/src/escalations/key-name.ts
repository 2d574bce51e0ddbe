const keyShape = /^key\/(.+)\/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** A program stands on record as `key/<label>/<id>`: people know it by the label. */
export function keyInWords(actorId: string): string | undefined {
  const label = keyShape.exec(actorId)?.[1];
  return label === undefined ? undefined : `key ${label}`;
}
