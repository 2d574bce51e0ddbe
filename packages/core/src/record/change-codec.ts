import type { JsonObject } from "@bufbuild/protobuf";
import type { StateChange } from "../pipeline/fact.ts";
import { objectOf, quantity, text } from "./codec.ts";
import { escalationCodec, escalationEndCodec } from "./escalation-codec.ts";
import { marked } from "./format.ts";
import { headChange } from "./pipeline-codec.ts";
import { planCodec } from "./plan-codec.ts";
import { readAt, RecordFault, shown } from "./record-fault.ts";
import { always, shape } from "./shape.ts";
import { stageChange } from "./stage-codec.ts";

type Created = Omit<Extract<StateChange, { kind: "created" }>, "kind">;
const created = marked(shape<Created>({ plan: always(planCodec), startedAt: always(quantity) }));

/** REC-6: one step of a change as a StateChange of the contract. */
export function changeJson(change: StateChange): JsonObject {
  const { kind } = change;
  switch (kind) {
    case "created":
      return { kind, set: created.write(change) };
    case "pipeline":
      return { kind, set: headChange.write(change.set) };
    case "stage":
      return { kind, subjectId: change.stageId, set: stageChange.write(change.set) };
    case "escalation-opened": {
      const { escalation } = change;
      return { kind, subjectId: escalation.escalationId, set: escalationCodec.write(escalation) };
    }
    case "escalation-closed":
      return { kind, subjectId: change.escalationId, set: escalationEndCodec.write(change.end) };
  }
}

export function readChange(json: unknown): StateChange {
  const { kind, subjectId, set } = objectOf(json);
  const subject = () => readAt("subjectId", () => text.read(subjectId));
  switch (kind) {
    case "created":
      return { kind, ...readAt("set", () => created.read(set)) };
    case "pipeline":
      return { kind, set: readAt("set", () => headChange.read(set)) };
    case "stage":
      return { kind, stageId: subject(), set: readAt("set", () => stageChange.read(set)) };
    case "escalation-opened": {
      const escalation = readAt("set", () => escalationCodec.read(set));
      if (escalation.escalationId !== subjectId) {
        throw new RecordFault(`is about ${shown(subjectId)}, and sets ${escalation.escalationId}`);
      }
      return { kind, escalation };
    }
    case "escalation-closed":
      return { kind, escalationId: subject(), end: readAt("set", () => escalationEndCodec.read(set)) };
    default:
      throw new RecordFault(`no change is of the kind ${shown(kind)}`, "kind");
  }
}
