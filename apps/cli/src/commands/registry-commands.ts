import { Command } from "@commander-js/extra-typings";
import type { World } from "../world.ts";
import { withConnection, withPage } from "./options.ts";

export const packsCommand = (world: World) =>
  withPage(withConnection(new Command("packs")))
    .description("list registered packs")
    .option("--query <text>", "those whose name holds it")
    .action(async (options) => {
      const { listPacks } = await import("../registry/list-packs.ts");
      await listPacks(world, options);
    });

export const instancesCommand = (world: World) =>
  withPage(withConnection(new Command("instances")))
    .description("list instances: are they there, are they well, what are they at")
    .option("--pack <id>", "of this pack")
    .action(async (options) => {
      const { listInstances } = await import("../registry/list-instances.ts");
      await listInstances(world, options);
    });
