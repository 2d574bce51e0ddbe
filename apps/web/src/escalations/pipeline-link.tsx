import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { paths } from "../paths.ts";

/** The pipeline's own page. */
export const PipelineLink = ({ pipelineId, children }: { pipelineId: string; children: ReactNode }) => (
  <Link
    {...paths.pipeline(pipelineId)}
    className="anywhere underline decoration-track/50 underline-offset-4 hover:decoration-ink"
  >
    {children}
  </Link>
);
