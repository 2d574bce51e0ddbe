import { useQueryClient } from "@tanstack/react-query";
import { useTopic } from "../live/use-topic.ts";
import { confidencesOf, type Turn, turnsOf } from "./attempt-queries.ts";
import { fieldsOf, listOf, numberOf, textOf } from "./json-fields.ts";
import { inOrder, type TurnPages, withTurn } from "./turn-news.ts";
import { readWorkEvent, type WorkEvent } from "./work-event.ts";

type Hearing = { readonly events: (news: readonly WorkEvent[]) => void; readonly started: () => void };

/** What one attempt tells of its work, as the stream carries it. */
export function useAttemptNews(pipelineId: string, dispatchId: string, { events, started }: Hearing): void {
  useTopic(`pipeline:${pipelineId}`, (message) => {
    if (message.type === "started") started();
    else if (message.kind === "trace.reported" && textOf(message.data.dispatchId) === dispatchId)
      events(listOf(message.data.events).flatMap((event) => readWorkEvent(event) ?? []));
  });
}

/** Puts turns where they belong as they are told; turns that are still to be read are left to be read. */
export function useTurnNews(pipelineId: string, dispatchId: string): void {
  const queries = useQueryClient();
  useTopic(`pipeline:${pipelineId}`, (message) => {
    const { queryKey } = turnsOf(dispatchId);
    const claims = confidencesOf(dispatchId).queryKey;
    if (message.type === "started") {
      void queries.invalidateQueries({ queryKey });
      void queries.invalidateQueries({ queryKey: claims });
      return;
    }
    if (message.kind !== "turn.reported" || textOf(message.data.dispatchId) !== dispatchId) return;
    const turn: Turn = {
      turnIndex: numberOf(message.data.turnIndex),
      receivedAt: message.at,
      turn: message.data.turn,
      marks: message.data.marks,
    };
    queries.setQueryData<TurnPages<Turn, number | null>>(queryKey, (pages) => pages && withTurn(pages, turn));
    const { confidence } = fieldsOf(fieldsOf(turn.turn).metadata);
    queries.setQueryData(
      claims,
      (known) =>
        known && {
          confidences: inOrder(known.confidences, {
            turnIndex: turn.turnIndex,
            confidence: numberOf(confidence),
          }),
        },
    );
  });
}
