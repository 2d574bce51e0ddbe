import { createHash, randomUUID } from "node:crypto";
import { insertSapProposal, openDatabase } from "@signalbox/db";

/** A proposal as the learner puts it, about a territory of its own, so that none takes another one's place. */
export async function proposeSomething({ appUrl }: { readonly appUrl: string }): Promise<string> {
  const territory = randomUUID();
  const change = {
    kind: "playbook",
    capability: "feature-implementation",
    territory,
    text: "From corrected results:\n- Cite the chapter.\n- Answer in one page.",
  };
  const proposal = { change, why: "People corrected two results.", evidence: ["ada on a task"] };
  const database = openDatabase({ url: appUrl, applicationName: "test", maxConnections: 1 });
  try {
    return await database.inTenant("default", (tx) =>
      insertSapProposal(tx, {
        kind: change.kind,
        subject: territory,
        digest: createHash("sha256").update(territory).digest("hex"),
        proposal: JSON.stringify(proposal),
        policyVersion: null,
      }),
    );
  } finally {
    await database.close();
  }
}
