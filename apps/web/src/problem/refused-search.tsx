import type { ReactNode } from "react";
import { Page } from "../ui/page.tsx";
import { ProblemNotice } from "./problem-notice.tsx";
import { type Problem, problemOf } from "./problem.ts";

/** Why a list cannot be searched for what the address says; whatever else goes wrong is no matter of the search. */
export async function refusalOf(asked: Promise<unknown>): Promise<Problem | undefined> {
  try {
    await asked;
    return undefined;
  } catch (error) {
    const problem = problemOf(error);
    if (problem.code !== "VALIDATION_FAILED") throw error;
    return problem;
  }
}

type Props = { problem: Problem; title: string; filters: ReactNode; showAll: ReactNode };

/** The filters stay, to be mended, and so does the way to the whole list. */
export const RefusedSearch = ({ problem, title, filters, showAll }: Props) => (
  <Page wide title={title}>
    <div className="grid gap-6">
      {filters}
      <div role="alert">
        <ProblemNotice problem={problem}>
          <p>{showAll}</p>
        </ProblemNotice>
      </div>
    </div>
  </Page>
);
