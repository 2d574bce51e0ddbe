import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import { paths } from "../paths.ts";
import { partsWithEscalations } from "./escalation-ids.ts";

/** A text of the record's in which a question is named by its id: the id leads there, and is short. */
export function WithEscalations({ text }: { text: string }) {
  return partsWithEscalations(text).map(({ at, words, escalationId, name }) =>
    escalationId === undefined ? (
      <Fragment key={at}>{words}</Fragment>
    ) : (
      <Link
        key={at}
        {...paths.escalation(escalationId)}
        title={escalationId}
        className="relative underline underline-offset-4"
      >
        {name}
      </Link>
    ),
  );
}
