import { type KeptAnswer, takeRequestName } from "@signalbox/db";
import type { Engine } from "../engine.ts";
import { type Beginning, type Change, done, type Outcome, type Work } from "../orchestrator/work.ts";
import type { Asked } from "../system.ts";
import { answeredBefore, type KeptForm, newAnswer, requestName } from "./kept-form.ts";
import { oneAtATime } from "./one-at-a-time.ts";

/** The same for what goes through the committer: the answer is kept in the batch's own transaction. */
export async function commitOnce<T>(
  engine: Engine,
  asked: Asked,
  form: KeptForm<T>,
  work: Work<T>,
): Promise<T> {
  const { once } = asked;
  if (once === undefined) return engine.committer.commit(work);
  const name = requestName(asked, once);
  // A batch may run again, and each time it looks and answers anew.
  let found: KeptAnswer | undefined;
  let answer: { readonly value: T } | undefined;
  const before = (): Outcome<T> | undefined =>
    found === undefined ? undefined : done(answeredBefore(form, found, once));
  const noted = (outcome: Outcome<T>): Outcome<T> => {
    answer = outcome.ok ? { value: outcome.value } : undefined;
    return outcome;
  };

  const shared: Pick<Work, "prepare" | "keeps"> = {
    async prepare(tx, around) {
      answer = undefined;
      found = await takeRequestName(tx, name);
      if (found === undefined) await work.prepare?.(tx, around);
    },
    keeps: () =>
      found === undefined && answer !== undefined ? newAnswer(form, name, once, answer.value) : undefined,
  };
  const beginning = (first: Beginning<T>): Beginning<T> => ({
    ...first,
    ...shared,
    begin(around) {
      const earlier = before();
      if (earlier !== undefined) return earlier;
      const begun = first.begin(around);
      noted("ok" in begun ? begun : done(begun.value));
      return begun;
    },
  });
  const change = (first: Change<T>): Change<T> => ({
    ...first,
    ...shared,
    concerns: (pipeline, around) => (found === undefined ? first.concerns?.(pipeline, around) : undefined),
    decide: (step) => noted(before() ?? first.decide(step)),
    conclude(draft) {
      if (found === undefined && first.conclude !== undefined) answer = { value: first.conclude(draft) };
      if (answer === undefined) throw new Error("what was refused was concluded");
      return answer.value;
    },
  });
  const named = work.kind === "beginning" ? beginning(work) : change(work);
  return oneAtATime(engine.database, name, () => engine.committer.commit(named));
}
