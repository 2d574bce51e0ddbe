import type { ReactNode } from "react";
import { Lamp, type Aspect } from "./signal.tsx";

const frames: Record<Aspect, string> = {
  clear: "border-rule bg-panel",
  unlit: "border-rule bg-panel",
  caution: "border-caution-rule bg-caution-panel",
  danger: "border-danger-rule bg-danger-panel",
};

/** Something that a person is to read now: what happened, then what to do. */
export function Notice({ aspect, title, children }: { aspect: Aspect; title: string; children?: ReactNode }) {
  return (
    <div className={`flex gap-4 rounded-md border border-l-4 p-5 ${frames[aspect]}`}>
      <Lamp aspect={aspect} />
      <div className="min-w-0">
        <p className="anywhere font-semibold">{title}</p>
        {children !== undefined && <div className="anywhere mt-1.5 space-y-3 text-sm">{children}</div>}
      </div>
    </div>
  );
}
