import { type AnyRouter, type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { Button } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
import { queryClient } from "../trpc.ts";
import { ProblemNotice } from "./problem-notice.tsx";
import { problemOf } from "./problem.ts";

export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const router = useRouter();
  const problem = problemOf(error);
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

/** A page that reads without a loader throws what its query failed with for as long as the query keeps it. */
async function tryAgain(router: AnyRouter): Promise<void> {
  await queryClient.resetQueries({ predicate: ({ state }) => state.status === "error" });
  await router.invalidate();
}
