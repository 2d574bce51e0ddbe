import { formatFieldPath } from "@signalbox/contracts";
import type { DocumentCheck, DocumentPage, DocumentView, Simulation } from "@signalbox/engine";

/** A version in a list, without its text. */
export const documentVersionView = (document: DocumentPage["documents"][number]) => ({
  version: document.version,
  status: document.status,
  edit: document.edit,
  note: document.note,
  createdAt: document.createdAt.toISOString(),
  createdBy: document.createdBy,
  publishedAt: document.publishedAt?.toISOString() ?? null,
  publishedBy: document.publishedBy,
  retiredAt: document.retiredAt?.toISOString() ?? null,
});

/** A version with its text, as its author wrote it. */
export const documentView = ({ text, ...document }: DocumentView) => ({
  ...documentVersionView(document),
  text,
});

/** What is said of a text that is not kept. */
export const checkView = ({ version, faults, findings }: DocumentCheck) => ({
  valid: faults.length === 0,
  version: version ?? null,
  faults,
  findings: findings.map(({ path, ...finding }) => ({ ...finding, path: formatFieldPath(path) })),
});

export const simulationView = ({ differing, undecided, ...counts }: Simulation) => ({
  ...counts,
  differing: differing.map(({ at, before, after, ...dispatch }) => ({
    ...dispatch,
    at: at.toISOString(),
    before: destinationView(before),
    after: destinationView(after),
  })),
  undecided: undecided.map(({ at, before, ...dispatch }) => ({
    ...dispatch,
    at: at.toISOString(),
    before: destinationView(before),
  })),
});

const destinationView = ({ outcome, packId }: Simulation["differing"][number]["before"]) => ({
  outcome,
  packId: packId ?? null,
});
