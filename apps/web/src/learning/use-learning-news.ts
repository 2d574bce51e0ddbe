import { useFresh } from "../live/use-fresh.ts";
import { learningKey } from "./learning-queries.ts";

/** Reads anew what the page shows when something was learnt, rated or decided, or another policy is in force. */
export function useLearningNews(): void {
  useFresh("tenant", (message) =>
    message.type === "started" || /^(learning|document)\./.test(message.kind) ? [learningKey] : [],
  );
}
