import { documentKinds } from "@signalbox/core";
import {
  checkDocument,
  createDraft,
  discardDraft,
  findActive,
  getDocument,
  listDocuments,
  publishDocument,
  simulatePolicy,
  updateDraft,
} from "@signalbox/engine";
import { z } from "zod";
import { checkView, documentVersionView, documentView, simulationView } from "../document-view.ts";
import { publication } from "../rest/documents.ts";
import { inOurWords, procedure, router } from "./procedures.ts";

/** Routing policies and pipeline templates have one life, and so the same procedures. */
const ofKind = z.strictObject({ kind: z.enum(documentKinds) });
const ofVersion = ofKind.extend({ version: z.string().min(1).max(500) });
const note = z.string().optional();
const edit = z.int().min(1);
const text = z.string();

export const documentsRouter = router({
  list: procedure
    .input(inOurWords(ofKind.extend({ cursor: z.string().optional(), limit: z.int().optional() })))
    .query(async ({ ctx, input: { kind, ...page } }) => {
      const { documents, nextCursor } = await listDocuments(ctx.transport.system, ctx.asked, kind, page);
      return { versions: documents.map(documentVersionView), nextCursor: nextCursor ?? null };
    }),
  get: procedure
    .input(inOurWords(ofVersion))
    .query(async ({ ctx, input: { kind, version } }) =>
      documentView(await getDocument(ctx.transport.system, ctx.asked, kind, version)),
    ),
  /** Null where none was published yet, which to a page is no failure. */
  active: procedure.input(inOurWords(ofKind)).query(async ({ ctx, input: { kind } }) => {
    const found = await findActive(ctx.transport.system, ctx.asked, kind);
    return found === undefined ? null : documentView(found);
  }),
  /** A mutation by its verb only: a text is too long for an address, and nothing is kept. */
  check: procedure
    .input(inOurWords(ofKind.extend({ text })))
    .mutation(async ({ ctx, input: { kind, text: read } }) =>
      checkView(await checkDocument(ctx.transport.system, ctx.asked, kind, read)),
    ),
  /** A mutation by its verb only, as `check`: of a policy's text that need not be kept. */
  simulate: procedure
    .input(inOurWords(z.strictObject({ text, last: z.int().optional() })))
    .mutation(async ({ ctx, input }) =>
      simulationView(await simulatePolicy(ctx.transport.system, ctx.asked, input)),
    ),
  draft: procedure
    .input(inOurWords(ofKind.extend({ text, note })))
    .mutation(async ({ ctx, input: { kind, ...draft } }) => {
      const { document, created } = await createDraft(ctx.transport.system, ctx.asked, kind, draft);
      return { document: documentView(document), created };
    }),
  edit: procedure
    .input(inOurWords(ofVersion.extend({ edit, text, note })))
    .mutation(async ({ ctx, input: { kind, ...change } }) =>
      documentView(await updateDraft(ctx.transport.system, ctx.asked, kind, change)),
    ),
  discard: procedure
    .input(inOurWords(ofVersion.extend({ edit })))
    .mutation(({ ctx, input: { kind, ...draft } }) =>
      discardDraft(ctx.transport.system, ctx.asked, kind, draft),
    ),
  /** Of a retired version it is the roll back. */
  publish: procedure
    .input(inOurWords(ofVersion.extend({ edit: edit.optional() }).extend(publication.shape)))
    .mutation(async ({ ctx, input: { kind, ...seen } }) =>
      documentView(await publishDocument(ctx.transport.system, ctx.asked, kind, seen)),
    ),
});
