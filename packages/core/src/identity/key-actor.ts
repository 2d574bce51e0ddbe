/** A program's key as it stands on the record. No member's id begins so: a key is never taken for the person who made it. */
export const keyActorId = ({ label, keyId }: { label: string; keyId: string }): string =>
  `key/${label}/${keyId}`;

const keyShape = /^key\/(.+)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** What people call it; undefined for who is no key. */
export const keyLabelOf = (actorId: string): string | undefined => keyShape.exec(actorId)?.[1];

/** By what the key itself is found; undefined for who is no key. */
export const keyIdOf = (actorId: string): string | undefined => keyShape.exec(actorId)?.[2];
