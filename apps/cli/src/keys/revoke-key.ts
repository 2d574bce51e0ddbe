import { pathOf } from "../connection/client.ts";
import { type CommonOptions, visit } from "../connection/visit.ts";
import type { World } from "../world.ts";

export async function revokeKey(world: World, keyId: string, options: CommonOptions): Promise<void> {
  const { client, printer } = await visit(world, options);
  await client.ask("DELETE", pathOf`/v1/keys/${keyId}`);
  if (printer.json) return printer.value({ keyId, revoked: true });
  await printer.lines(`${printer.paint("good", "✓")} Key ${keyId} opens nothing any more.`);
}
