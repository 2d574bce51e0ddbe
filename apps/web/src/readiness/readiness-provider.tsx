import { useSubscription } from "@trpc/tanstack-react-query";
import { createContext, use, type ReactNode } from "react";
import { isSignedOut } from "../problem/problem.ts";
import { announceEnd } from "../session/session-channel.ts";
import { trpc } from "../trpc.ts";
import type { Readiness } from "./signals.ts";

const ReadinessContext = createContext<Readiness | undefined>(undefined);

/** One subscription for the whole shell: it also is the line whose loss the connection indicator shows. */
export function ReadinessProvider({ children }: { children: ReactNode }) {
  const { data } = useSubscription(
    trpc.system.readiness.subscriptionOptions(undefined, {
      onError: (error) => {
        if (isSignedOut(error)) announceEnd("session-ended");
      },
    }),
  );
  return <ReadinessContext value={data}>{children}</ReadinessContext>;
}

/** Undefined until the first reading has come. */
export const useReadiness = (): Readiness | undefined => use(ReadinessContext);
