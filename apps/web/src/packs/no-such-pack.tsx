import { Link } from "@tanstack/react-router";
import { paths, type PackVersion } from "../paths.ts";
import { Notice } from "../ui/notice.tsx";
import { Page } from "../ui/page.tsx";
import { Plate } from "../ui/plate.tsx";

export function NoSuchPack({ packId, packVersion }: PackVersion) {
  return (
    <Page title="No such pack version">
      <Notice aspect="unlit" title="This pack version is not registered">
        <p className="flex flex-wrap gap-2">
          <Plate>{packId}</Plate>
          <Plate>{packVersion}</Plate>
        </p>
        <p>
          <Link {...paths.packs()} className="font-medium underline underline-offset-4">
            Show all packs
          </Link>
        </p>
      </Notice>
    </Page>
  );
}
