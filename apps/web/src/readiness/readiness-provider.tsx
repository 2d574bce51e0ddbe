import { createContext, use, useEffect, useState, type ReactNode } from "react";
import { reconnectDelay } from "../connection/connection.ts";
import { reportLine } from "../connection/connection-store.ts";
import type { Readiness } from "./signals.ts";

const ReadinessContext = createContext<Readiness | undefined>(undefined);

/** One subscription for the whole shell: it also is the line whose loss the connection indicator shows. */
export function ReadinessProvider({ children }: { children: ReactNode }) {
  const [reading, setReading] = useState<Readiness>();
  useEffect(() => {
    const over = new AbortController();
    void follow(setReading, over.signal);
    return () => over.abort();
  }, []);
  return <ReadinessContext value={reading}>{children}</ReadinessContext>;
}

/** Undefined until the first reading has come. */
export const useReadiness = (): Readiness | undefined => use(ReadinessContext);

/** Nothing that is shown first waits for the line's own code; a server that went away before it came is a lost line. */
async function follow(onReading: (reading: Readiness) => void, over: AbortSignal): Promise<void> {
  for (let attempt = 0; !over.aborted; attempt += 1) {
    try {
      const { followReadiness } = await import("./readings.ts");
      if (!over.aborted) over.addEventListener("abort", followReadiness(onReading));
      return;
    } catch {
      reportLine("calls", { type: "failed", at: Date.now() });
      await new Promise((resolve) => setTimeout(resolve, reconnectDelay(attempt, Math.random)));
    }
  }
}
