import type { MessageInitShape } from "@bufbuild/protobuf";
import type { GateSnapshotSchema } from "@signalbox/contracts";

type Gate = MessageInitShape<typeof GateSnapshotSchema>;

/** What the gate says of a result (D14). The pipeline obeys within its budgets; it never judges by itself. */
export type Judgement =
  | { readonly verdict: "advance"; readonly gate: Gate; readonly rationale: string }
  | {
      readonly verdict: "retry";
      readonly gate: Gate;
      readonly rationale: string;
      readonly instructions: string;
    }
  | {
      readonly verdict: "reject";
      readonly gate: Gate;
      readonly rationale: string;
      readonly targetStageId: string;
      readonly instructions: string;
    }
  | {
      readonly verdict: "ask";
      readonly gate: Gate;
      readonly problem: string;
      readonly recommended: "advance" | "retry" | "rewind";
    }
  | { readonly verdict: "fail"; readonly gate: Gate; readonly rationale: string }
  /** The agent asks something before it can go on (D12). */
  | { readonly verdict: "clarify"; readonly question: string };
