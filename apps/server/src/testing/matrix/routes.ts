import { type Action, actions } from "@signalbox/core";
import type { OfferedRoute } from "@signalbox/api";
import { type Ids, requestOf } from "../example-request.ts";
import type { ReadOperation } from "../open-api.ts";
import type { Asker } from "./askers.ts";
import { type Asked, verdictOf, withoutIds } from "./door.ts";

const isAction = (name: unknown): name is Action => actions.some((action) => action === name);
export const isOpen = ({ security }: ReadOperation): boolean => security.length === 0;
export const actionOf = (operation: ReadOperation): Action | undefined => {
  const action = operation["x-signalbox-action"];
  return isAction(action) ? action : undefined;
};
export const routeName = ({ method, path }: ReadOperation): string => `${method} ${path}`;

/** The documented example, as any tool would send it. */
export async function send(
  origin: string,
  operation: ReadOperation,
  asker: Asker,
  { ids = {}, method = operation.method }: { ids?: Ids; method?: string } = {},
): Promise<Response> {
  const request = requestOf({ ...operation, ...shortened(operation), method }, origin, {
    ids,
    credentials: asker.headers(),
  });
  const answer = await fetch(request);
  asker.remember(answer);
  return answer;
}

/** Without a password: a hash of one takes as long as all the rest. */
const shortened = ({ operationId }: ReadOperation) =>
  operationId === "changeAccount"
    ? { requestBody: { content: { "application/json": { example: { name: "Ada" } } } } }
    : {};

const pathOf = (url: string): string => url.replaceAll(/:(\w+)/g, "{$1}");

/** Every route that is served and not open, with its example; for HEAD that of GET. */
export const askedRoutes = (
  origin: string,
  operations: readonly ReadOperation[],
  served: readonly OfferedRoute[],
): Asked[] =>
  operations
    // Who signs out does so last.
    .toSorted((one, other) => Number(isSignOut(one)) - Number(isSignOut(other)))
    .flatMap((operation) => {
      const action = actionOf(operation);
      if (action === undefined || isOpen(operation)) return [];
      const methods = served.flatMap(({ method, url }) => (pathOf(url) === operation.path ? method : []));
      const answered = methods.filter((one) => (one === "HEAD" ? "GET" : one) === operation.method);
      return answered.map((method): Asked => ({
        name: `${method} ${operation.path}`,
        actions: [action],
        names: operation.path.includes("{"),
        ask: async (asker) => {
          const answer = await send(origin, operation, asker, { method });
          await answer.body?.cancel();
          return { verdict: verdictOf(answer.status), told: "" };
        },
      }));
    });
const isSignOut = ({ operationId }: ReadOperation): boolean => operationId === "closeSession";

/** Every path under every verb that it does not serve. */
export const unservedRoutes = (operations: readonly ReadOperation[], served: readonly OfferedRoute[]) => {
  const names = new Set(served.map(({ method, url }) => `${method} ${pathOf(url)}`));
  const paths = [...new Set(operations.map(({ path }) => path))];
  return paths.flatMap((path) =>
    ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"].flatMap((method) =>
      names.has(`${method} ${path}`) ? [] : { method, path },
    ),
  );
};

/** What the caller learns, in the document's names. */
export async function toldBy(answer: Promise<Response>, ids: Ids): Promise<string> {
  const { status } = await answer;
  return withoutIds(`${status} ${await (await answer).text()}`, ids);
}
