import { usePeople } from "../escalations/people.ts";
import { Button } from "../ui/button.tsx";
import { Notice } from "../ui/notice.tsx";
import type { DraftNews } from "./draft-news.ts";

/** Another has saved in the same draft: told when it happens, and not only when one saves. */
export function LaterEdit({
  edited: { newest, by },
  onSee,
}: {
  edited: Extract<DraftNews, { kind: "edited" }>;
  onSee: () => void;
}) {
  const { nameOf } = usePeople();
  return (
    <div role="alert">
      <Notice
        aspect="caution"
        title={`${by === undefined ? "Somebody" : nameOf(by)} has saved edit ${newest.edit} of this draft meanwhile`}
      >
        {newest.note !== "" && <p>With the note “{newest.note}”.</p>}
        <Button onClick={onSee}>See both</Button>
      </Notice>
    </div>
  );
}
