import { equals, fromJson, type JsonValue, toJson } from "@bufbuild/protobuf";
import { AuditEntrySchema } from "@signalbox/contracts";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { AuditFact } from "../pipeline/fact.ts";
import { anyDefinition, anyEdgedDefinition } from "../pipeline/testing/any-definition.ts";
import { anyStep } from "../pipeline/testing/model.ts";
import { walk } from "../pipeline/testing/walk.ts";
import { assembleState } from "./assemble-state.ts";
import { auditEntryJson, factOf } from "./entry-json.ts";
import { foldEntries } from "./fold-entries.ts";
import { asRead, entryMessage } from "./testing/entry-message.ts";
import { storedOf, throughText } from "./testing/stored.ts";

/** Enough on a machine that does other work meanwhile; nothing is measured. */
const patience = 60_000;
const anyTemplate = fc.oneof(anyDefinition, anyEdgedDefinition);
const anySteps = fc.array(anyStep, { minLength: 1, maxLength: 60, size: "max" });
const context = {
  tenantId: "tenant",
  pipelineId: "pl-1",
  traceId: "0af7651916cd43dd8448eb211c80319c",
  schemaVersion: "1.0.0",
};
const entriesOf = (facts: readonly AuditFact[]): unknown[] =>
  facts.map((fact) => throughText(auditEntryJson(fact, context)));

test(
  "REC-10 state, text and state again: the same after every event of any run",
  () => {
    fc.assert(
      fc.property(anyTemplate, anySteps, (definition, steps) => {
        walk(definition, steps, ({ before, decision }) => {
          const state = decision.kind === "decided" ? decision.state : before;
          expect(assembleState(storedOf(state))).toStrictEqual(state);
        });
      }),
      { numRuns: 50 },
    );
  },
  patience,
);

test(
  "REC-1 REC-8 every fact of any run is an entry as the contract writes it, and the entry gives the fact back",
  () => {
    fc.assert(
      fc.property(anyTemplate, anySteps, (definition, steps) => {
        for (const fact of walk(definition, steps).facts) {
          const entry = auditEntryJson(fact, context);
          const message = entryMessage(fact, context);
          expect(entry).toEqual(toJson(AuditEntrySchema, message));
          const text: JsonValue = JSON.parse(JSON.stringify(entry));
          expect(equals(AuditEntrySchema, fromJson(AuditEntrySchema, text), message)).toBe(true);
          expect(factOf(text)).toStrictEqual(asRead(fact));
        }
      }),
      { numRuns: 50 },
    );
  },
  patience,
);

test(
  "REC-6 REC-9 the entries of any run fold to its state in any order; one dropped or doubled breaks the fold",
  () => {
    fc.assert(
      fc.property(anyTemplate, anySteps, fc.nat(), (definition, steps, pick) => {
        const { facts, state } = walk(definition, steps);
        const entries = entriesOf(facts);
        expect(foldEntries(entries)).toStrictEqual({ kind: "folded", state });
        expect(foldEntries(entries.toReversed())).toStrictEqual({ kind: "folded", state });
        const counted = entriesOf(facts.filter(({ revision }) => revision !== null));
        const chosen = pick % counted.length;
        const dropped = foldEntries(counted.toSpliced(chosen, 1));
        // A record that was cut off at its end has no hole; it is an earlier state.
        const whole = chosen === counted.length - 1 && chosen > 0 ? "folded" : "broken";
        expect(dropped.kind).toBe(whole);
        expect(dropped).not.toStrictEqual({ kind: "folded", state });
        expect(foldEntries([...counted, counted[chosen]]).kind).toBe("broken");
      }),
      { numRuns: 50 },
    );
  },
  patience,
);
