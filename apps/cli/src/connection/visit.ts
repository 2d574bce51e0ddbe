import { type Printer, printerFor } from "../output/printer.ts";
import type { World } from "../world.ts";
import { type Client, openClient } from "./client.ts";
import { type ConnectionOptions, readConnection } from "./settings.ts";

export type CommonOptions = ConnectionOptions & { readonly json?: boolean | undefined };

/** What a command that asks the server works with. */
export type Visit = { readonly world: World; readonly client: Client; readonly printer: Printer };

export async function visit(world: World, options: CommonOptions): Promise<Visit> {
  const connection = await readConnection(world, options);
  const printer = printerFor(world, { json: options.json ?? false });
  if (connection.warning !== undefined) await printer.aside(connection.warning);
  return { world, client: openClient(connection), printer };
}
