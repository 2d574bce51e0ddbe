import { useEffect, useEffectEvent } from "react";
import { type AnyRouter, type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { Button } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { queryClient } from "../trpc.ts";
import { ProblemNotice } from "./problem-notice.tsx";
import { isWorthRetrying, problemOf } from "./problem.ts";
import { readFailedAnew } from "./read-failed-anew.ts";

const AGAIN_AFTER_MS = 5_000;

export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const problem = problemOf(error);
  const mayPass = isWorthRetrying(error);
  const again = useEffectEvent(() => void tryAgain(router).then(reset));
  useEffect(() => {
    // What may pass by itself is no reason to stay: the line may never have been lost, and so never comes back.
    const timer = mayPass ? setInterval(() => again(), AGAIN_AFTER_MS) : undefined;
    return () => clearInterval(timer);
  }, [mayPass]);
  return (
    <Page title={problem.title}>
      <ProblemNotice problem={{ ...problem, title: problem.detail || problem.title, detail: "" }}>
        <Button
          onClick={() => {
            void tryAgain(router).then(reset);
          }}
        >
          Try again
        </Button>
      </ProblemNotice>
    </Page>
  );
}

async function tryAgain(router: AnyRouter): Promise<void> {
  await readFailedAnew(queryClient);
  await router.invalidate();
}
