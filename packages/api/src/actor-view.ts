import { ActorTypeSchema } from "@signalbox/contracts";
import { enumName } from "./enum-name.ts";

/** Who did it, in the words in which a caller is named everywhere: `{"type": "human", "id": "ada"}`. */
export const actorView = (type: number, id: string) => ({
  type: enumName(ActorTypeSchema, type).replace("ACTOR_TYPE_", "").toLowerCase(),
  id,
});
