import { SignalboxError } from "@signalbox/contracts";
import { judgeRepeat, type Once } from "@signalbox/core";
import type { KeptAnswer, NewKeptAnswer, RequestName } from "@signalbox/db";
import type { Asked } from "../system.ts";

/** How a command's answer is kept, and read again by whoever sends the request once more. */
export type KeptForm<T> = {
  /** A JSON object. */
  readonly write: (value: T) => string;
  readonly read: (text: string) => T;
  readonly pipelineIdOf?: (value: T) => string;
};

/** An answer that is JSON as it is. */
export const plainForm = <T extends object>(): KeptForm<T> => ({
  write: (value) => JSON.stringify(value),
  read: (text): T => JSON.parse(text),
});

/** A command that answers nothing but that it is done. */
export const silentForm: KeptForm<void> = { write: () => "{}", read: () => undefined };

export const requestName = ({ caller }: Asked, { key }: Once): RequestName => ({
  tenantId: caller.tenantId,
  actorId: caller.actor.id,
  requestKey: key,
});

/** What was answered the first time, or why it is not answered again. */
export function answeredBefore<T>(form: KeptForm<T>, found: KeptAnswer, once: Once): T {
  const decision = judgeRepeat(found, once);
  if (decision.kind === "refused") throw new SignalboxError(decision.code, decision.detail);
  return form.read(found.answer);
}

export const newAnswer = <T>(
  form: KeptForm<T>,
  name: RequestName,
  { digest }: Once,
  value: T,
): NewKeptAnswer => ({
  ...name,
  digest: Buffer.from(digest).toString("hex"),
  answer: form.write(value),
  pipelineId: form.pipelineIdOf?.(value) ?? null,
});
