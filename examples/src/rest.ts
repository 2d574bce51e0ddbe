type Answered = { readonly status: number; readonly json: unknown };
export type Rest = (
  method: "GET" | "POST" | "DELETE",
  path: string,
  body?: string | object,
) => Promise<Answered>;

/** Signalbox as any program reaches it. Text is YAML, anything else JSON. */
export const restOf =
  ({ url, key }: { readonly url: string; readonly key: string }): Rest =>
  async (method, path, body) => {
    const yaml = typeof body === "string";
    const answer = await fetch(new URL(path, url), {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "content-type": yaml ? "application/yaml" : "application/json" }),
      },
      ...(body === undefined ? {} : { body: yaml ? body : JSON.stringify(body) }),
    }).catch((cause: unknown) => {
      throw new Error(`${url} is not reached. Is Signalbox running there?`, { cause });
    });
    const text = await answer.text();
    const json: unknown = text === "" ? undefined : JSON.parse(text);
    if (answer.ok || answer.status === 404) return { status: answer.status, json };
    throw new Error(
      `${method} ${path} was answered ${answer.status}: ${textAt(json, "detail") || text.slice(0, 500)}`,
    );
  };

/** What a list answers under a name; a page is enough of a tenant that is new. */
export function listAt(json: unknown, name: string): readonly unknown[] {
  const list = at(json, name);
  return Array.isArray(list) ? list : [];
}

export function textAt(json: unknown, name: string): string {
  const value = at(json, name);
  return typeof value === "string" ? value : "";
}

export const at = (json: unknown, name: string): unknown =>
  typeof json === "object" && json !== null ? Object.getOwnPropertyDescriptor(json, name)?.value : undefined;
