import { expect, test } from "vitest";
import { connectors } from "./connect-commands.ts";

const origin = "https://signalbox.example";

test("three ways, each to this Signalbox and for this pack, and none with a key in it", () => {
  const all = connectors(origin, { packId: "painter", packVersion: "1.2.0" });
  expect(all.map(({ name }) => name)).toEqual(["Python", "TypeScript", "curl"]);
  for (const { code } of all) {
    expect(code).toContain(origin);
    expect(code).toContain("painter");
    expect(code).toContain("SIGNALBOX_KEY");
    // What reads from the terminal would take the next pasted line for the key.
    expect(code).not.toContain("read -rs");
  }
});

test("what a pack is called cannot end the text that it stands in", () => {
  const [python, typescript, curl] = connectors("http://h", { packId: `a'"b\\`, packVersion: "1.0.0" });
  expect(typescript?.code).toContain("/v1/packs/a'%22b%5C/versions/1.0.0");
  expect(python?.code).toContain(String.raw`ME = {"packId": "a'\"b\\", "instanceId"`);
  expect(curl?.code).toContain(String.raw`'{"packId":"a'\''\"b\\"`);
});
