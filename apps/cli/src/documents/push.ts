import { type Client, pathOf } from "../connection/client.ts";
import { type CommonOptions, visit } from "../connection/visit.ts";
import { CommandFailure } from "../failure.ts";
import type { Printer } from "../output/printer.ts";
import type { World } from "../world.ts";
import { storedDocument, type StoredDocument } from "./answers.ts";
import { changesFrom, tellDifference } from "./diff.ts";
import { type DocumentKind, kinds } from "./kinds.ts";
import { decidePush, type PushPlan } from "./push-plan.ts";
import { readDocumentFile, type WrittenDocument } from "./read-file.ts";
import { findStored } from "./stored.ts";

type Options = CommonOptions & {
  readonly publish?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly note?: string | undefined;
  /** The edit of the draft that the file was made from. */
  readonly edit?: number | undefined;
};
type Pushed = { readonly client: Client; readonly kind: DocumentKind; readonly note: string | undefined };

/**
 * Keeps the file as a draft, and makes it the active version where that was asked. What is shown is what was read before
 * anything was written; the server refuses what would write over, or replace, something newer than that.
 */
export async function pushFile(
  world: World,
  kind: DocumentKind,
  file: string,
  options: Options,
): Promise<void> {
  const { client, printer } = await visit(world, options);
  const written = await readDocumentFile(world, printer, kind, file);
  const [stored, active] = await Promise.all([
    findStored(client, kind, written.document.version),
    findStored(client, kind, "active"),
  ]);
  const plan = decidePush({
    stored,
    active,
    text: written.text,
    publish: options.publish,
    edit: options.edit,
  });
  if (plan.kind === "refused") {
    const { noun } = kinds[kind];
    throw new CommandFailure("failed", `${noun} ${written.document.version} ${plan.why}`, {
      hints: [plan.hint],
    });
  }
  const compared = plan.publish ? active : (stored ?? active);
  await world.whileActing(async () => {
    if (!printer.json && plan.changes) await tellDifference(printer, kind, compared, written);
    const changes = plan.changes ? changesFrom(kind, compared, written) : [];
    const pushed = { client, kind, note: options.note };
    const told = options.dryRun === true ? undefined : await carryOut(pushed, plan, written);
    if (printer.json) {
      const said = {
        version: written.document.version,
        ...stepsOf(plan),
        changes,
        dryRun: told === undefined,
      };
      return printer.value({ ...said, status: told?.status ?? null, edit: told?.edit ?? null });
    }
    return printer.lines(...outcome(printer, kind, written, plan, told));
  });
}

type Carried = Extract<PushPlan, { kind: "planned" }>;

async function carryOut(
  { client, kind, note }: Pushed,
  plan: Carried,
  written: WrittenDocument<DocumentKind>,
): Promise<StoredDocument> {
  const { path } = kinds[kind];
  const place = `${path}${pathOf`/${written.document.version}`}`;
  const body = { body: written.text, contentType: "application/yaml", query: { note } };
  let there = plan.stored;
  if (plan.draft === "create") there = await client.read(storedDocument, "POST", path, body);
  if (plan.draft === "edit") {
    const headers = { "if-match": `"${plan.edit}"` };
    there = await client.read(storedDocument, "PUT", place, { ...body, headers });
  }
  if (there === undefined) throw new Error("a plan without a draft was carried out");
  if (!plan.publish) return there;
  return client.read(storedDocument, "POST", `${place}/publish`, {
    body: JSON.stringify({ replaces: plan.replaces, ...(note === undefined ? {} : { note }) }),
    headers: { "if-match": `"${there.edit}"` },
  });
}

const stepsOf = ({ draft, publish, replaces }: Carried) => ({
  draft,
  publish,
  replaces: publish ? replaces : null,
});

function outcome(
  { paint }: Printer,
  kind: DocumentKind,
  { document }: WrittenDocument<DocumentKind>,
  { draft, publish, replaces, stored }: Carried,
  told: StoredDocument | undefined,
): string[] {
  const { noun, command } = kinds[kind];
  const named = `${noun} ${document.version}`;
  const mark = paint(told === undefined ? "attention" : "good", told === undefined ? "?" : "✓");
  const would = told === undefined ? "would be " : "";
  if (publish) {
    const instead = replaces === null ? "; none was before" : `, in the place of ${replaces}`;
    return [`${mark} ${named} ${would === "" ? "is" : "would be"} active${instead}.`];
  }
  if (draft === "nothing") {
    return [`${mark} ${named} is there already, ${stored?.status ?? "draft"}, with this very text.`];
  }
  return [
    `${mark} ${named} ${would === "" ? "is" : "would be"} a draft${told === undefined ? "" : `, edit ${told.edit}`}.`,
    `  ${paint("quiet", "→")} \`signalbox ${command} push FILE --publish\` makes it the active one.`,
  ];
}
