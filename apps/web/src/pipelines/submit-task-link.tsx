import { may } from "@signalbox/core/permissions";
import { useSuspenseQuery } from "@tanstack/react-query";
import { paths } from "../paths.ts";
import { currentSession } from "../session/session.ts";
import { Button } from "../ui/button.tsx";
import { LinkButton } from "../ui/link-button.tsx";

const name = "Submit a task";

/** Who may not is told so here, and not on the page that they would be led to. */
export function SubmitTaskLink() {
  const { data: session } = useSuspenseQuery(currentSession());
  const decision = session === null ? undefined : may(session, "task.submit", undefined);
  if (decision?.allowed === false)
    return (
      <Button kind="main" unavailable={`Not allowed: ${decision.reason}.`} onClick={() => undefined}>
        {name}
      </Button>
    );
  return <LinkButton link={paths.submitTask()}>{name}</LinkButton>;
}
