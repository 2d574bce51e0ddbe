import {
  type AgentResult,
  type Artifact,
  ArtifactAction,
  type Contract,
  type FileManifest,
} from "@signalbox/contracts";
import { isNamed, readArtifactPath } from "./artifact-path.ts";
import { type Check, check, type Finding, type Note } from "./finding.ts";
import type { GateInput } from "./gate-input.ts";

/** GATE-7 to GATE-11. */
export function checkScope(input: Pick<GateInput, "result" | "contract" | "patchSizeLimit" | "work">): Check {
  const { result, contract } = input;
  const patch = checkPatch(input);
  const notes: Note[] = [...patch.notes];
  if (!isRestricted(contract.expectedFiles)) notes.push({ note: "not-restricted" });
  const findings = result.artifacts
    .flatMap((artifact) => judgeArtifact(artifact, contract))
    .concat(patch.findings, findBreakingChange(result, contract));
  return check("scope", {
    findings,
    notes,
    seen: [`${result.artifacts.length} artifacts, all within the contract`],
  });
}

const isRestricted = (files: FileManifest | undefined): files is FileManifest =>
  files !== undefined && files.create.length + files.modify.length + files.delete.length > 0;

function judgeArtifact({ path, action }: Artifact, { expectedFiles, tests, io }: Contract): Finding[] {
  const read = readArtifactPath(path);
  if ("fault" in read) return [{ reason: "path-refused", path, fault: read.fault }];
  if (!isRestricted(expectedFiles)) return [];
  const { create, modify, delete: remove } = expectedFiles;
  const added = [...create, ...(tests?.testsToAdd ?? []), ...(io?.artifacts ?? [])];
  const { verb, allowed } = expectation(action, { added, modify, remove });
  if (allowed.some((pattern) => isNamed(read.path, pattern))) return [];
  return [{ reason: "path-unexpected", path, action: verb }];
}

/** What an earlier attempt created, this one may modify. */
function expectation(
  action: ArtifactAction,
  { added, modify, remove }: Record<"added" | "modify" | "remove", readonly string[]>,
): { verb: "create" | "modify" | "delete" | "touch"; allowed: readonly string[] } {
  switch (action) {
    case ArtifactAction.CREATED:
      return { verb: "create", allowed: added };
    case ArtifactAction.MODIFIED:
      return { verb: "modify", allowed: [...modify, ...added] };
    case ArtifactAction.DELETED:
      return { verb: "delete", allowed: remove };
    case ArtifactAction.UNSPECIFIED:
    default:
      return { verb: "touch", allowed: [...added, ...modify, ...remove] };
  }
}

/** GATE-10: lines where somebody reported them, and never fewer than files: each that changed has a changed line at least. */
function checkPatch({
  result,
  patchSizeLimit: limit,
  work,
}: Pick<GateInput, "result" | "patchSizeLimit" | "work">): {
  findings: Finding[];
  notes: Note[];
} {
  if (limit <= 0) return { findings: [], notes: [] };
  const { linesChanged } = work;
  const files = new Set(result.artifacts.map(({ path }) => inOneSpelling(path))).size;
  const counted =
    linesChanged !== undefined && linesChanged >= files
      ? ({ counted: "lines", lines: linesChanged } as const)
      : ({ counted: "files", lines: files } as const);
  return {
    findings: counted.lines > limit ? [{ reason: "patch-too-large", limit, ...counted }] : [],
    notes:
      linesChanged === undefined ? [{ note: "not-reported", what: `patch size (limit ${limit} lines)` }] : [],
  };
}

/** GATE-8: as it is compared; what is refused as a path is only itself. */
function inOneSpelling(path: string): string {
  const read = readArtifactPath(path);
  return "fault" in read ? path : read.path;
}

const BREAKING = /^\s*BREAKING[ -]CHANGE\s*:/;

const saysBreaking = (text: string): boolean =>
  text.includes("BREAKING") && text.split("\n").some((line) => BREAKING.test(line));

/** GATE-11: only what the result itself says or does: the marker of Conventional Commits, the answer's flag, a deletion. */
function findBreakingChange(result: AgentResult, { io }: Contract): Finding[] {
  if (io?.breakingChange === true) return [];
  const said = [
    result.status?.summary ?? "",
    ...(result.contextOut?.risksIdentified ?? []),
    ...(result.contextOut?.decisionsMade ?? []).map(({ description }) => description),
  ].filter(saysBreaking);
  const interfaces = new Set((io?.expectedInterfaces ?? []).map(inOneSpelling));
  const removed = result.artifacts.filter(
    ({ path, action }) => action === ArtifactAction.DELETED && interfaces.has(inOneSpelling(path)),
  );
  const signs = [...said, ...removed.map(({ path }) => `${path} deleted`)];
  if (result.response?.data?.breaking_change === true) signs.push("response.data.breaking_change");
  return signs.map((sign) => ({ reason: "breaking-change", sign }));
}
