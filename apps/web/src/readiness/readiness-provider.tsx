import { createContext, use, useEffect, useState, type ReactNode } from "react";
import { isSignedOut } from "../problem/problem.ts";
import { announceEnd } from "../session/session-channel.ts";
import { client } from "../trpc.ts";
import type { Readiness } from "./signals.ts";

const ReadinessContext = createContext<Readiness | undefined>(undefined);

/** One subscription for the whole shell: it also is the line whose loss the connection indicator shows. */
export function ReadinessProvider({ children }: { children: ReactNode }) {
  const [reading, setReading] = useState<Readiness>();
  useEffect(() => {
    const subscribed = client.system.readiness.subscribe(undefined, {
      onData: setReading,
      onError: (error) => {
        if (isSignedOut(error)) announceEnd("session-ended");
      },
    });
    return () => subscribed.unsubscribe();
  }, []);
  return <ReadinessContext value={reading}>{children}</ReadinessContext>;
}

/** Undefined until the first reading has come. */
export const useReadiness = (): Readiness | undefined => use(ReadinessContext);
