import { expect, test } from "vitest";
import { withConnection } from "../connection.ts";
import { testServerUrl } from "../testing/index.ts";
import { assertExtensions } from "./extensions.ts";

test("an extension that the server lacks is named, with where it comes from; those of the migrations are there", async () => {
  await withConnection(testServerUrl(), async (connection) => {
    await assertExtensions(connection);
    await expect(assertExtensions(connection, ["btree_gin", "not_there"])).rejects.toMatchObject({
      fault: "EXTENSION_MISSING",
      message: expect.stringMatching(/lacks the extension not_there\..*contrib.*start again/s),
    });
  });
});
