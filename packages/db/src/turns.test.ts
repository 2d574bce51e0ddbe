import { expect, test } from "vitest";
import { createTurns } from "./turns.ts";

test("a tenant's thousand that wait hold another's single one up by one turn; none is lost, and no more work at once", async () => {
  const { take } = createTurns(4);
  const order: string[] = [];
  let [working, most] = [0, 0];
  const work = async (tenantId: string) => {
    const leave = await take(tenantId);
    working += 1;
    most = Math.max(most, working);
    order.push(tenantId);
    await Promise.resolve();
    working -= 1;
    leave();
  };
  await Promise.all([...Array.from({ length: 1_000 }, () => work("loud")), work("quiet"), work("other")]);
  expect(order.indexOf("quiet")).toBeLessThanOrEqual(5);
  expect(order.indexOf("other")).toBeLessThanOrEqual(6);
  expect(order).toHaveLength(1_002);
  expect(most).toBe(4);
  await Promise.all([work("loud"), work("quiet")]);
  expect(order).toHaveLength(1_004);
});
