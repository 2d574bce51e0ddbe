import { afterEach, expect, test, vi } from "vitest";
import { client } from "./trpc.ts";

afterEach(() => vi.unstubAllGlobals());

test("no more is asked for together than the server takes", async () => {
  const asked: number[] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    const paths = new URL(url, "http://signalbox").pathname.split("/").at(-1)?.split(",") ?? [];
    asked.push(paths.length);
    return Response.json(paths.map(() => ({ result: { data: null } })));
  });
  await Promise.all(Array.from({ length: 45 }, () => client.alerts.list.query()));
  expect(asked).toEqual([20, 20, 5]);
});
