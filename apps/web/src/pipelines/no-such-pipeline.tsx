import { Link } from "@tanstack/react-router";
import { paths } from "../paths.ts";
import { Notice } from "../ui/notice.tsx";
import { Page } from "../ui/page.tsx";

export function NoSuchPipeline({ pipelineId }: { pipelineId: string }) {
  return (
    <Page title="No such pipeline">
      <Notice aspect="unlit" title="There is no such pipeline">
        <p>
          Nothing here has the id <code className="anywhere font-mono text-xs">{pipelineId}</code>.
        </p>
        <Link {...paths.pipelines()} className="font-medium underline underline-offset-4">
          Show all pipelines
        </Link>
      </Notice>
    </Page>
  );
}
