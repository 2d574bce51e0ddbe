import type { TaskEnvelope } from "@signalbox/agent-sdk";

/** What the developers of the demonstration understand of a task's title. */
export type Order =
  | { readonly kind: "rename"; readonly from: string; readonly to: string | undefined }
  | { readonly kind: "add"; readonly name: string };

const rename = /^Rename ([A-Za-z_$][\w$]{0,63})(?: to ([A-Za-z_$][\w$]{0,63}))?$/;
const add = /^Add ([A-Za-z_$][\w$]{0,63}) to \S+$/;

export function readOrder({ contract, contextIn }: TaskEnvelope): Order | undefined {
  const title = contract?.title ?? "";
  const renamed = rename.exec(title);
  if (renamed?.[1] !== undefined) {
    const answer = /^Answer: *([A-Za-z_$][\w$]{0,63})\s*$/m.exec(contextIn?.taskDelta ?? "");
    return { kind: "rename", from: renamed[1], to: renamed[2] ?? answer?.[1] };
  }
  const added = add.exec(title)?.[1];
  return added === undefined ? undefined : { kind: "add", name: added };
}

/** The pipeline that an envelope belongs to, and the branch on which its stages work. */
export const branchOf = ({ execution }: TaskEnvelope): string =>
  `pipeline/${execution?.idempotencyKey.split("/")[0] ?? ""}`;
