import { linkOptions } from "@tanstack/react-router";

/**
 * Every URL of the SPA comes from here, and `paths.test.ts` pins each: a bookmark and a link in somebody's
 * runbook outlive any rename in the code.
 */
export const paths = {
  overview: () => linkOptions({ to: "/" }),
  packs: (filter: { q?: string } = {}) => linkOptions({ to: "/packs", search: filter }),
  pack: ({ packId, packVersion }: PackVersion, view?: "json") =>
    linkOptions({
      to: "/packs/$packId/versions/$packVersion",
      params: { packId, packVersion },
      search: view === undefined ? {} : { view },
    }),
  signIn: (next?: string) =>
    linkOptions({ to: "/sign-in", search: next === undefined || next === "/" ? {} : { next } }),
};

export type PackVersion = { packId: string; packVersion: string };

/** What the SPA asks the server for, apart from tRPC's own procedures below `/trpc`. */
export const endpoints = {
  session: "/v1/session",
  packs: "/v1/packs",
  pack: ({ packId, packVersion }: PackVersion) =>
    `/v1/packs/${encodeURIComponent(packId)}/versions/${encodeURIComponent(packVersion)}`,
  trpc: "/trpc",
  socket: (origin: string) => `${origin.replace(/^http/, "ws")}/trpc`,
};
