import { type Answer, type Order, workOf } from "./apart.ts";

// Whoever started us is gone: nobody would read the answer, and the load must not go on.
process.once("disconnect", () => process.exit(1));
// A Ctrl-C reaches the whole group; the one that started us decides.
process.on("SIGINT", () => {});

process.once("message", (message) => void obey(message as Order));

async function obey(order: Order): Promise<void> {
  let answer: Answer;
  try {
    await import(order.module);
    answer = { outcome: await workOf(order)(order.options) };
  } catch (error) {
    answer = { failure: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
  process.send?.(answer);
}
