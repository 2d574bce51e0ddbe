import { z } from "zod";
import { bearer, type TestServer } from "./test-server.ts";

type Sent = { body?: string | object | undefined; headers?: Record<string, string> };
type Answer = { status: number; headers: Headers; json: Json };

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;

/** A JSON value as a test walks through it: `json.at("stages", 0, "status")`. */
export type Json = {
  value: unknown;
  at: (...steps: (string | number)[]) => unknown;
  text: (...steps: string[]) => string;
};

const jsonOf = (value: unknown): Json => {
  const at = (...steps: (string | number)[]) =>
    steps.reduce<unknown>((inner, step) => (isRecord(inner) ? inner[step] : undefined), value);
  return { value, at, text: (...steps) => z.string().parse(at(...steps)) };
};

/** Calls the running server as any program would: by fetch, with a key or a cookie. */
export function restClient(server: Pick<TestServer, "origin">, credentials: Record<string, string>) {
  return async (method: string, path: string, { body, headers = {} }: Sent = {}): Promise<Answer> => {
    const json = typeof body === "object";
    const answer = await fetch(`${server.origin}${path}`, {
      method,
      headers: {
        ...credentials,
        ...(json ? { "content-type": "application/json" } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: json ? JSON.stringify(body) : body }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      headers: answer.headers,
      json: jsonOf(text === "" ? undefined : JSON.parse(text)),
    };
  };
}

export type RestClient = ReturnType<typeof restClient>;

export const withKey = (server: TestServer, key: string): RestClient => restClient(server, bearer(key));

/** The administrator, signed in by the link that the start prints. */
export async function signedIn(server: TestServer): Promise<RestClient> {
  const answer = await fetch(`${server.origin}/v1/session`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ token: server.signInToken }),
  });
  const cookie = answer.headers.get("set-cookie")?.split(";", 1)[0] ?? "";
  return restClient(server, { cookie, origin: server.origin });
}
