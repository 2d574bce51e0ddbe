import { parseProblem } from "./problem.ts";

/** For the REST endpoints that the SPA asks itself: a problem in the answer is thrown as tRPC would throw it. */
export async function fetchJson(url: string, init: RequestInit): Promise<unknown> {
  const response = await fetch(url, init);
  const body: unknown = await response.json();
  if (response.ok) return body;
  const problem = parseProblem(body);
  throw Object.assign(new Error(`${url} was answered with ${response.status}`), { data: { problem } });
}
