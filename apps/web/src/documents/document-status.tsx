import { Lamp, type Aspect } from "../ui/signal.tsx";
import type { DocumentVersion } from "./document-queries.ts";

const aspectOf = (status: string): Aspect => (status === "active" ? "clear" : "unlit");
const wordsOf = (status: string): string => (status === "active" ? "in force" : status);

export function DocumentStatus({ status }: { status: DocumentVersion["status"] }) {
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <Lamp aspect={aspectOf(status)} size="small" />
      {wordsOf(status)}
    </span>
  );
}
