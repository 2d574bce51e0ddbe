import { fieldsOf, listOf, textOf } from "../attempts/json-fields.ts";

/** What a stage's result says of one artifact. */
type Said = {
  readonly stageId: string;
  readonly attemptNumber: number;
  readonly action: string;
  readonly digest: string;
};
type History = { readonly path: string; readonly said: readonly Said[] };

type Stage = {
  readonly stageId: string;
  readonly attemptNumber: number;
  /** Of the contract's JSON, as it was kept. */
  readonly result: { readonly artifacts: unknown } | null;
};

/** Each artifact once, by its path, with what each stage in turn says became of it: the last is how it stands. */
export function artifactsOf(stages: readonly Stage[]): readonly History[] {
  const histories = new Map<string, Said[]>();
  for (const { stageId, attemptNumber, result } of stages)
    for (const artifact of listOf(result?.artifacts).map(fieldsOf)) {
      const path = textOf(artifact["path"]);
      const [action, digest] = [textOf(artifact["action"]), textOf(artifact["digest"])];
      const said = { stageId, attemptNumber, action, digest };
      histories.set(path, [...(histories.get(path) ?? []), said]);
    }
  return [...histories]
    .map(([path, said]) => ({ path, said }))
    .toSorted((one, other) => (one.path < other.path ? -1 : 1));
}
