import { useEffect } from "react";
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
  const again = () => void tryAgain(router, error).then(reset);
  useEffect(() => {
    // What may pass by itself is no reason to stay: the line may never have been lost, and so never comes back.
    const timer = isWorthRetrying(error) ? setInterval(again, AGAIN_AFTER_MS) : undefined;
    return () => clearInterval(timer);
  });
  return (
    <Page title={problem.title}>
      <ProblemNotice problem={{ ...problem, title: problem.detail || problem.title, detail: "" }}>
        <Button onClick={again}>Try again</Button>
      </ProblemNotice>
    </Page>
  );
}

async function tryAgain(router: AnyRouter, error: unknown): Promise<void> {
  // A browser asks for a module once and keeps its failure: only a new load asks again, and only where one can be had.
  if (/module/.test(String(error)) && (await fetch(location.href).catch(() => undefined))?.ok)
    location.reload();
  await readFailedAnew(queryClient);
  await router.invalidate();
}
