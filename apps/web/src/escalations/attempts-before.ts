type Attempt = { readonly stageId: string; readonly attemptNumber: number };
type Question = { readonly stageId: string | null; readonly attemptNumber: number };

/**
 * What led to a question: the attempts at its stage; where nobody had one, and where it is the whole pipeline's, those
 * at every stage, by name. What was said last is shown of the stage that asks alone.
 */
export function attemptsBefore<Known extends Attempt>(
  all: readonly Known[],
  { stageId, attemptNumber }: Question,
): { own: boolean; named: boolean; shown: readonly Known[]; latest: Known | undefined } {
  const ofStage = all.filter((attempt) => stageId === null || attempt.stageId === stageId);
  const own = ofStage.length > 0;
  return {
    own,
    named: stageId === null || !own,
    shown: own ? ofStage : all,
    latest: ofStage.findLast((attempt) => attempt.attemptNumber <= attemptNumber),
  };
}
