import { ERROR_CODES, isErrorCode } from "@signalbox/contracts";
import { SAP_ERROR_CODES } from "@signalbox/contracts/sap";
import { z } from "zod";
import { component } from "./component.ts";

export const time = z.iso.datetime({ offset: true });
/** As protobuf's JSON mapping writes it. */
export const duration = z.string().regex(/^\d+(\.\d+)?s$/);

export const actor = component(
  "Actor",
  z.strictObject({ type: z.enum(["human", "agent", "system", "orchestrator"]), id: z.string() }),
);

/** A list as every list is answered. */
export const pageOf = <Item extends z.ZodType>(id: string, name: string, item: Item) =>
  component(
    id,
    z.strictObject({
      [name]: z.array(item),
      nextCursor: z
        .string()
        .optional()
        .meta({ description: "There is more: the `cursor` of the next page." }),
    }),
  );

export const problem = component(
  "Problem",
  z
    .strictObject({
      type: z.string(),
      title: z.string(),
      status: z.int().min(400).max(599),
      code: z.enum(Object.keys(ERROR_CODES).filter(isErrorCode)),
      detail: z.string(),
      violations: z.array(
        z.strictObject({
          field: z.string().meta({ description: "The path of the field, as it was sent." }),
          rule: z.string(),
          message: z.string(),
        }),
      ),
      requestId: z.string(),
      nack: z
        .strictObject({
          messageId: z.string(),
          correlationId: z.uuid().nullable(),
          taskId: z.uuid().nullable(),
          error: z.strictObject({
            code: z.enum(SAP_ERROR_CODES),
            message: z.string(),
            details: z.looseObject({}),
          }),
        })
        .optional()
        .meta({ description: "Of a SAP task: its refusal in the words of SAP V2.0." }),
    })
    .meta({ description: "RFC 9457, with a code of the closed set and every violation." }),
);
