import { type Client, pathOf } from "../connection/client.ts";
import { type CommonOptions, visit } from "../connection/visit.ts";
import { factLines } from "../output/fact-lines.ts";
import { momentText } from "../output/moment-text.ts";
import type { World } from "../world.ts";
import { escalation, type Escalation } from "./answers.ts";
import { questionLines } from "./question-lines.ts";

const readEscalation = (client: Client, escalationId: string): Promise<Escalation> =>
  client.read(escalation, "GET", pathOf`/v1/escalations/${escalationId}`);

export async function showEscalation(
  world: World,
  escalationId: string,
  options: CommonOptions,
): Promise<void> {
  const { client, printer } = await visit(world, options);
  const found = await readEscalation(client, escalationId);
  if (printer.json) return printer.value(found);
  const { pipelineId, end, closedAt } = found;
  await printer.lines(
    ...questionLines(found, printer),
    ...factLines(
      [
        ["Pipeline", pipelineId],
        ["Closed", closedAt === null ? null : momentText(closedAt)],
        ["Answer", end === null ? null : (end.option ?? `${end.kind}: ${end.why ?? ""}`)],
        ["By", end?.by?.id],
        ["Comment", end?.comment],
      ],
      printer,
    ),
  );
}
