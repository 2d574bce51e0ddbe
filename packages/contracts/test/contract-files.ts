import type { DescFile } from "@bufbuild/protobuf";
import { AgentService, CONTRACT_MESSAGES, ControlPlaneService } from "../src/index.ts";

/** The contract's files, found by their imports from those of the messages that travel. */
export function contractFiles(): DescFile[] {
  const found = new Set([
    AgentService.file,
    ControlPlaneService.file,
    ...CONTRACT_MESSAGES.map(({ file }) => file),
  ]);
  for (const { dependencies } of found) {
    for (const file of dependencies.filter(({ proto }) => proto.package === "vasini.agent.v1"))
      found.add(file);
  }
  return [...found];
}
