import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { attachmentFaults, attachmentUri, namesAttachment } from "./attachment.ts";
import { type AttachmentLink, isLinkOver, linkEnd, signedLinkText } from "./link.ts";

const id = "0190b3a8-8f0f-7bbb-8888-0123456789ab";
const fieldsOf = (said: object) =>
  attachmentFaults({ name: "plan.png", mediaType: "image/png", size: 1, ...said }).map(({ field }) => field);

describe("attachments", () => {
  test("BYTES-1 a text names an attachment by its whole name", () => {
    expect(attachmentUri(id)).toBe(`signalbox:attachment/${id}`);
    expect(namesAttachment(JSON.stringify({ a: [{ uri: attachmentUri(id) }] }), id)).toBe(true);
    for (const text of [id, `attachment/${id}`, attachmentUri(id.replace("b", "c"))])
      expect(namesAttachment(JSON.stringify(text), id)).toBe(false);
  });

  test("BYTES-2 a name is a file's, a type has two parts, and something is in it", () => {
    expect(fieldsOf({})).toEqual([]);
    for (const name of ["", "a/b", "..\\b", "a\nb", "x".repeat(201)])
      expect(fieldsOf({ name })).toEqual(["name"]);
    for (const mediaType of ["", "png", "image/", "a/b/c", "text/html; charset=utf-8", "a b/c"])
      expect(fieldsOf({ mediaType })).toEqual(["content-type"]);
    expect(fieldsOf({ size: 0, name: "" })).toEqual(["name", "body"]);
  });

  test("BYTES-3 a link ends a quarter of an hour from now, and not after what it leads to", () => {
    expect(linkEnd(5_500, 10_000_000)).toBe(905);
    expect(linkEnd(5_500, 7_900)).toBe(7);
  });

  const link = fc.record<AttachmentLink>({
    tenantId: fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,12}$/),
    attachmentId: fc.uuid(),
    pipelineId: fc.oneof(fc.constant(""), fc.uuid()),
    expires: fc.nat(),
  });

  test("BYTES-3 property: two links that differ in anything are signed as two texts", () => {
    fc.assert(
      fc.property(link, link, (one, other) => {
        expect(signedLinkText(one) === signedLinkText(other)).toBe(
          JSON.stringify(one) === JSON.stringify(other),
        );
      }),
    );
  });

  test("BYTES-4 a link is over from its end on", () => {
    expect([isLinkOver({ expires: 10 }, 9_999), isLinkOver({ expires: 10 }, 10_000)]).toEqual([false, true]);
  });
});
