import { Link } from "@tanstack/react-router";
import { paths } from "../paths.ts";
import { Notice } from "../ui/notice.tsx";
import { Page } from "../ui/page.tsx";

export function NotFoundPage() {
  return (
    <Page title="No such page">
      <Notice aspect="unlit" title="The line ends here">
        <p>
          No page of Signalbox has this address. It may be mistyped, or it may name something that is not in
          your tenant.
        </p>
        <p>
          <Link {...paths.overview()} className="font-medium underline underline-offset-4">
            Go to the overview
          </Link>
        </p>
      </Notice>
    </Page>
  );
}
