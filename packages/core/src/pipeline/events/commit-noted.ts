import { AuditEventType } from "@signalbox/contracts";
import type { CommitNoted } from "../event.ts";
import { changeStage, type Ledger, record, type StageView } from "../ledger.ts";

/** COMMIT-1 (TAS-114): what the agent says of its repository is kept beside its stage; the same again is nothing new. */
export function commitNoted(ledger: Ledger, stage: StageView, { gitHash, by }: CommitNoted): void {
  const known = stage.state.commit;
  if (known?.head === gitHash) return;
  record(ledger, {
    eventType: AuditEventType.COMMIT_NOTED,
    action: "commit.noted",
    rationale: `The repository is at ${gitHash}`,
    actor: by,
    stage,
    changes: [
      changeStage(stage, {
        commit: { first: known?.first ?? gitHash, head: gitHash, notedAt: ledger.now },
      }),
    ],
  });
}
