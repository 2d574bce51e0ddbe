import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { isNotFound } from "../problem/problem.ts";
import { type DocumentKind, oneVersion } from "./document-queries.ts";
import { type DraftNews, type HeardOfDocument, newsOf } from "./draft-news.ts";
import { useDocumentNews } from "./use-document-news.ts";

/** More of what was told of one draft than anybody looks back at. */
const MOST_HEARD = 50;

/** Tells an open editor at once what others do with its draft. What it does itself, `isOwn`, is no news to it. */
export function useDraftNews(
  kind: DocumentKind,
  own: { version: string; edit: number } | null,
  isOwn: boolean,
): DraftNews {
  const [heard, setHeard] = useState<readonly HeardOfDocument[]>([]);
  useDocumentNews(kind, (one) => setHeard((before) => [...before, one].slice(-MOST_HEARD)));
  const { data, error } = useQuery({ ...oneVersion(kind, own?.version ?? ""), enabled: own !== null });
  if (isOwn) return { kind: "none" };
  return newsOf(own, isNotFound(error) ? "gone" : data, heard);
}
