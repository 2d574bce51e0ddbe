import type { ReadOperation } from "./open-api.ts";

/** Names in the document, and what stands for them on this server. */
export type Ids = Readonly<Record<string, string>>;

const named = (text: string, ids: Ids): string =>
  Object.entries(ids).reduce((all, [name, id]) => all.replaceAll(name, id), text);

/** What any tool that reads the document would send. */
export function requestOf(
  { method, path, parameters, requestBody }: ReadOperation,
  origin: string,
  { ids, credentials }: { ids: Ids; credentials: Record<string, string> },
): Request {
  const of = (where: string) =>
    parameters.flatMap(({ in: place, name, example }) =>
      place === where && example !== undefined ? [[name, named(example, ids)] as const] : [],
    );
  const filled = of("path").reduce(
    (all, [name, value]) => all.replace(`{${name}}`, encodeURIComponent(value)),
    path,
  );
  const query = new URLSearchParams(Object.fromEntries(of("query")));
  const [media] = Object.entries(requestBody?.content ?? {});
  const [type, sent] = media ?? [];
  const example = sent?.example;
  const text = typeof example === "string" ? example : JSON.stringify(example);
  return new Request(`${origin}${filled}${query.size > 0 ? `?${query.toString()}` : ""}`, {
    method,
    headers: {
      ...Object.fromEntries(of("header")),
      ...credentials,
      ...(type === undefined ? {} : { "content-type": type }),
    },
    ...(example === undefined ? {} : { body: named(text, ids) }),
  });
}
