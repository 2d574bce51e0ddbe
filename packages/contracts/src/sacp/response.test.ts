import { describe, expect, test } from "vitest";
import { z } from "zod";
import { testEachField } from "../../test/field-table.ts";
import { fallbackResponse, SacpResponseSchema } from "./response.ts";

const answer = {
  thought: "I found the CEO is John Doe, but no direct email.",
  status: "success",
  data: { ceo_name: "John Doe", domain: "acme.com", guesses: ["john.doe@acme.com"] },
  message: "I identified the CEO as John Doe.",
};

describe("SacpResponseSchema", () => {
  testEachField(
    SacpResponseSchema,
    { ...answer, next_step_hint: "validate" },
    {
      thought: [null, 1, {}],
      status: ["needs_input", "SUCCESS", "", null],
      data: [null, [], "text", 1],
      message: [null, 1, {}],
      "next_step_hint?": [null, 1, {}],
    },
  );

  test.each([
    ["§6, first agent", answer],
    [
      "§6, second agent",
      {
        thought: "Pinged servers. jdoe@acme.com is valid.",
        status: "success",
        data: { valid_email: "jdoe@acme.com" },
        message: "The valid email is jdoe@acme.com",
      },
    ],
    [
      "§3.1",
      {
        thought: "I need to calculate the sum. 5+5 is 10.",
        status: "success",
        data: { result: 10 },
        message: "The result is 10.",
      },
    ],
    ["D12 completed", { ...answer, status: "completed", data: {} }],
    ["D12 clarification_needed", { ...answer, status: "clarification_needed" }],
  ])("takes the example of %s", (_, example) => {
    expect(SacpResponseSchema.parse(example)).toEqual(example);
  });

  test("is the JSON Schema of §2.1", () => {
    expect(z.toJSONSchema(SacpResponseSchema)).toMatchObject({
      type: "object",
      properties: {
        thought: { type: "string" },
        status: { type: "string", enum: ["success", "failure", "clarification_needed", "completed"] },
        data: { type: "object" },
        message: { type: "string" },
        next_step_hint: { type: "string" },
      },
      required: ["thought", "status", "data", "message"],
    });
  });
});

test("the fallback of §7.2 is a valid failure that keeps the raw text", () => {
  const raw = "Sure! Here you go: {";
  expect(SacpResponseSchema.parse(fallbackResponse(raw))).toEqual({
    thought: "System Note: LLM failed to provide structured JSON output.",
    status: "failure",
    data: { raw_output: raw },
    message: "The LLM returned an invalid response format.",
  });
});
