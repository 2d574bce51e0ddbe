import { trpc } from "../trpc.ts";

export const about = () => trpc.system.about.queryOptions();
