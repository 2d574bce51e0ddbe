import fc from "fast-check";
import { expect, test } from "vitest";
import { attendanceByName, attendanceText } from "./attendance-text.ts";

const anyone = fc.option(fc.uuid(), { nil: null });

test("ESC-12 by name the record says the same, whoever it is and whatever they are called", () => {
  fc.assert(
    fc.property(anyone, anyone, fc.string({ minLength: 1 }), (from, to, name) => {
      const byName = attendanceByName(attendanceText({ from, to }), () => name);
      const named = (id: string | null) => (id === null ? null : name);
      expect(byName).toBe(attendanceText({ from: named(from), to: named(to) }));
    }),
  );
});
