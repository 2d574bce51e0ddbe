import { create, isMessage } from "@bufbuild/protobuf";
import type { ReflectMessage } from "@bufbuild/protobuf/reflect";
import { PipelineSchema, RoutingSchema, StageSchema } from "../../src/index.ts";

/** What rules across fields ask of a message that has only what single fields ask. */
export function adjustMinimal(sample: ReflectMessage): ReflectMessage {
  if (isMessage(sample.message, RoutingSchema)) {
    sample.message.selectedPackId = "senior-ts-dev";
    sample.message.candidatePackIds = ["senior-ts-dev"];
  }
  return sample;
}

/** What rules across fields ask of a message that has everything: the full stage needs the stages that it names. */
export function adjustFull(sample: ReflectMessage): ReflectMessage {
  if (isMessage(sample.message, PipelineSchema)) {
    const [review] = sample.message.stages;
    sample.message.stages = [
      create(StageSchema, { stageId: "implement", stageOrder: 0 }),
      ...(review ? [review] : []),
      create(StageSchema, { stageId: "verify", stageOrder: 4 }),
    ];
  }
  return sample;
}
