import type { ReactNode } from "react";
import { endpoints } from "../paths.ts";

/** The pipeline's own page. */
export const PipelineLink = ({ pipelineId, children }: { pipelineId: string; children: ReactNode }) => (
  <a
    href={endpoints.pipelinePage(pipelineId)}
    className="anywhere underline decoration-track/50 underline-offset-4 hover:decoration-ink"
  >
    {children}
  </a>
);
