/**
 * Ids that are made from where a thing stands, so that whoever holds one finds the pipeline without a look-up, and no
 * two nodes can give one dispatch two of them.
 */
export type DispatchPlace = {
  readonly pipelineId: string;
  readonly stageOrder: number;
  readonly attemptNumber: number;
};

export type EscalationPlace = { readonly pipelineId: string; readonly number: number };

/** ID-1: a stage's attempt is sent once at most, so stage and attempt name the dispatch. */
export const dispatchIdOf = ({ pipelineId, stageOrder, attemptNumber }: DispatchPlace): string =>
  `${pipelineId}-d${stageOrder}.${attemptNumber}`;

/** ESC-2: questions are numbered within their pipeline. */
export const escalationIdOf = ({ pipelineId, number }: EscalationPlace): string => `${pipelineId}-e${number}`;

/** ID-2: the key under which a repeated dispatch of a stage can be told by an agent; attempts share it. */
export const idempotencyKeyOf = (pipelineId: string, stageId: string): string => `${pipelineId}/${stageId}`;

const dispatchId = /^(?<pipeline>[\w-]{1,64})-d(?<stage>0|[1-9]\d{0,3})\.(?<attempt>[1-9]\d{0,8})$/;
const escalationId = /^(?<pipeline>[\w-]{1,64})-e(?<number>[1-9]\d{0,8})$/;

/** ID-3: undefined for a text that names no dispatch; a hostile one is refused here, before anything is asked for. */
export function readDispatchId(text: string): DispatchPlace | undefined {
  const parts = dispatchId.exec(text)?.groups;
  return (
    parts && {
      pipelineId: parts["pipeline"] ?? "",
      stageOrder: Number(parts["stage"]),
      attemptNumber: Number(parts["attempt"]),
    }
  );
}

export function readEscalationId(text: string): EscalationPlace | undefined {
  const parts = escalationId.exec(text)?.groups;
  return parts && { pipelineId: parts["pipeline"] ?? "", number: Number(parts["number"]) };
}
