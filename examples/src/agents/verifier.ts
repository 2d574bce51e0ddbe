import { type Answer, type Dispatch, EvidenceType, failed, succeeded } from "@signalbox/agent-sdk";
import { failuresOf, runNamed, runNamedCommands, tailOf } from "../named-commands.ts";
import { branchOf } from "../order.ts";
import type { Yard } from "../yard.ts";

/** Runs all that the contract names in a clone: what was not committed is not there. A task without a branch is about main. */
export const verifier =
  (yard: Yard) =>
  async (dispatch: Dispatch): Promise<Answer> => {
    const branch = branchOf(dispatch.envelope);
    const ref = (await yard.hasBranch(branch)) ? branch : "main";
    return yard.inClone(ref, async (folder) => {
      const { think, turn } = dispatch;
      think(`Everything is run anew in a clone of ${ref}.`);
      const evidence = [
        ...(await runNamedCommands(dispatch, folder)),
        await runNamed(dispatch, folder, EvidenceType.MANUAL, "git log --oneline --max-count=3"),
      ];
      const [failure] = failuresOf(evidence);
      turn({
        thought:
          failure === undefined ? "It holds in a clean clone, too." : "It does not hold in a clean clone.",
        action: "Report what was run.",
        observation: evidence.map((item) => tailOf(item, 6)).join("\n"),
        confidence: failure === undefined ? 0.95 : 0.4,
      });
      if (failure !== undefined)
        return failed({ code: "VERIFICATION_FAILED", reason: tailOf(failure), evidence });
      return succeeded({ summary: `${ref} holds in a clean clone.`, evidence });
    });
  };
