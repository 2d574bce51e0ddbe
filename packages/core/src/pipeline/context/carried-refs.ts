import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { ArtifactAction, RefSchema, RefType, type Ref } from "@signalbox/contracts";
import type { Source } from "./sources.ts";

/** CARRY-5: earlier artifacts as references; of one path the last word counts, and a deleted one is not referred to. */
export function carriedRefs(sources: readonly Source[]): Ref[] {
  if (sources.every(({ result }) => result.artifacts.length === 0)) return [];
  const refs = new Map<string, Ref>();
  for (const { result } of sources) {
    for (const { path, digest, action } of result.artifacts) {
      refs.delete(path);
      if (path === "" || action === ArtifactAction.DELETED) continue;
      const fetchedAt = timestampFromMs(result.acceptedAt);
      refs.set(path, create(RefSchema, { uriOrLocator: path, digest, fetchedAt, refType: RefType.ARTIFACT }));
    }
  }
  return [...refs.values()];
}
