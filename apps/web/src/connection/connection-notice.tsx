import { Notice } from "../ui/notice.tsx";
import { pageFrame } from "../ui/page-frame.ts";
import { useConnection } from "./connection-store.ts";

const clock = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });

/** Stands above the page, which stays readable: what it shows is old, and the notice says how old. */
export function ConnectionNotice() {
  const connection = useConnection();
  if (connection.kind !== "lost") return null;
  return (
    <div role="alert" className={`${pageFrame.read} pt-4 sm:pt-6`}>
      <Notice aspect="danger" title="The connection to Signalbox is lost">
        <p>
          What you see is as it was at <time>{clock.format(connection.since)}</time>. This page keeps trying
          and goes on by itself as soon as Signalbox answers: there is no need to reload.
        </p>
      </Notice>
    </div>
  );
}
