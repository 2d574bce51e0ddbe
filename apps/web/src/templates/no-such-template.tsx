import { Link } from "@tanstack/react-router";
import { paths } from "../paths.ts";
import { Notice } from "../ui/notice.tsx";
import { Page } from "../ui/page.tsx";
import { Plate } from "../ui/plate.tsx";

export function NoSuchTemplate({ templateId, version }: { templateId: string; version: string }) {
  return (
    <Page title="No such template">
      <Notice aspect="unlit" title="This version has no such template, or there is no such version">
        <p className="flex flex-wrap gap-2">
          <Plate>{templateId}</Plate>
          <Plate>{version}</Plate>
        </p>
        <p>
          <Link {...paths.templates()} className="font-medium underline underline-offset-4">
            Show all templates
          </Link>
        </p>
      </Notice>
    </Page>
  );
}
