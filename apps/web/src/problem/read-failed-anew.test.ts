import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { readFailedAnew } from "./read-failed-anew.ts";

const fail = () => Promise.reject(new TypeError("Failed to fetch"));

test("what a query failed with is forgotten, and what others have read stays", async () => {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  await queryClient.fetchQuery({ queryKey: ["failed"], queryFn: fail }).catch(() => undefined);
  await queryClient.fetchQuery({ queryKey: ["read"], queryFn: () => 7 });
  await readFailedAnew(queryClient);
  expect(queryClient.getQueryState(["failed"])).toMatchObject({ status: "pending", error: null });
  expect(queryClient.getQueryData(["read"])).toBe(7);
});
