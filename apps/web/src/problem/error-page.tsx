import { useRouter, type ErrorComponentProps } from "@tanstack/react-router";
import { Button } from "../ui/button.tsx";
import { Page } from "../ui/page.tsx";
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
            void router.invalidate().then(reset);
          }}
        >
          Try again
        </Button>
      </ProblemNotice>
    </Page>
  );
}
