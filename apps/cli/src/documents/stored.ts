import { type Client, pathOf } from "../connection/client.ts";
import { CommandFailure } from "../failure.ts";
import { storedDocument, type StoredDocument } from "./answers.ts";
import { type DocumentKind, kinds } from "./kinds.ts";

/** A stored version, or the one that is active; undefined where there is none. */
export async function findStored(
  client: Client,
  kind: DocumentKind,
  version: string,
): Promise<StoredDocument | undefined> {
  try {
    return await getStored(client, kind, version);
  } catch (error) {
    if (error instanceof CommandFailure && error.problem?.code === "NOT_FOUND") return undefined;
    throw error;
  }
}

export const getStored = (client: Client, kind: DocumentKind, version: string): Promise<StoredDocument> =>
  client.read(storedDocument, "GET", `${kinds[kind].path}${pathOf`/${version}`}`);
