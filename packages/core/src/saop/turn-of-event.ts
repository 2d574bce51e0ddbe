import type { Event } from "@signalbox/contracts/saop";

/** SAOP-4: the turn of each event of a batch. */
export function turnsOfEvents(events: readonly Event[], latestTurn: number): number[] {
  let turn = latestTurn;
  return events.map(({ turn_index, payload }) => {
    turn = payload.type === "THOUGHT_STREAM" ? payload.turn_index : (turn_index ?? turn);
    return turn;
  });
}
