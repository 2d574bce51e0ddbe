import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { usePeople } from "../escalations/people.ts";
import { paths } from "../paths.ts";
import { currentSession } from "../session/session.ts";
import { Moment } from "../ui/moment.tsx";
import { Fact } from "../ui/panel.tsx";
import { NameList } from "../ui/plate.tsx";
import { about } from "./about-query.ts";

export function Facts({ packCount }: { packCount: string }) {
  const { data } = useSuspenseQuery(about());
  const { data: session } = useSuspenseQuery(currentSession());
  const { nameOf } = usePeople();
  return (
    <dl>
      <Fact name="Version">
        <span className="font-mono">{data.version}</span>
      </Fact>
      <Fact name="Started">
        <Moment at={data.startedAt} exact />
      </Fact>
      <Fact name="Registered packs">
        <Link {...paths.packs()} className="font-medium underline underline-offset-4">
          {packCount}
        </Link>
      </Fact>
      {session !== null && (
        <Fact name="Signed in as">
          {nameOf(session.actor.id)}, {session.role}
        </Fact>
      )}
      <Fact name="Speaks">
        <NameList items={data.protocols} none="nothing" />
      </Fact>
    </dl>
  );
}
