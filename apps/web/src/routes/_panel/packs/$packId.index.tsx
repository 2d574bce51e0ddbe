import { createFileRoute, redirect } from "@tanstack/react-router";
import { versionsNamed } from "../../../packs/pack-queries.ts";
import { paths } from "../../../paths.ts";
import { queryClient } from "../../../trpc.ts";

/** Somebody has a pack's id and no version: the newest one is meant, or else what is like it. */
export const Route = createFileRoute("/_panel/packs/$packId/")({
  loader: async ({ params: { packId } }) => {
    const found = await queryClient.fetchQuery(versionsNamed(packId));
    const newest = found.find((pack) => pack.packId === packId);
    throw redirect({
      ...(newest === undefined ? paths.packs({ q: packId }) : paths.pack(newest)),
      replace: true,
    });
  },
});
