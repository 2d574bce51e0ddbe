import type { SapSection } from "../../documents/sap-section.ts";
import { clip } from "../../pipeline/context/bounded-text.ts";
import type { Aggregate, AggregateKey, Note } from "./aggregate.ts";
import { isName } from "./is-name.ts";
import type { Proposal } from "./proposal.ts";

/** By this line a playbook that was learnt is told from one that somebody wrote. */
export const LEARNT_PLAYBOOK = "From corrected results:";

/** One correction may be somebody's taste. */
const LEAST_CORRECTIONS = 2;
/** A note beside a better rating is praise or a remark. */
const CORRECTIVE_SCORE = 3;
const LONGEST_PLAYBOOK = 8_000;
const LONGEST_LINE = 600;

const isCorrection = ({ score }: Note): boolean => (score ?? CORRECTIVE_SCORE) <= CORRECTIVE_SCORE;
const oneLine = (text: string): string => clip(text.replaceAll(/\s+/g, " ").trim(), LONGEST_LINE).text;

/** SAP-55: what people corrected, told to whoever works on the like. */
export function proposePlaybook(
  { capability, territory }: AggregateKey,
  { notes }: Aggregate,
  section: SapSection | undefined,
): readonly Proposal[] {
  if (!isName(capability)) return [];
  const corrections = notes.filter(isCorrection);
  const lines = [...new Map(corrections.map((one) => [oneLine(one.note).toLowerCase(), one])).values()].map(
    ({ note }) => `- ${oneLine(note)}`,
  );
  const results = new Set(corrections.map(({ taskId }) => taskId));
  if (lines.length < LEAST_CORRECTIONS || results.size < LEAST_CORRECTIONS) return [];
  const text = clip([LEARNT_PLAYBOOK, ...lines].join("\n"), LONGEST_PLAYBOOK).text;
  const named = territory === "" ? undefined : territory;
  const known = (section?.playbooks ?? []).some(
    (one) => one.capability === capability && one.territory === named && one.text === text,
  );
  if (known) return [];
  const where = named === undefined ? "" : ` in ${named}`;
  return [
    {
      change: { kind: "playbook", capability, territory: named ?? null, text },
      why: `People corrected ${results.size} results of ${capability}${where}. Whoever works on the next is told what they said.`,
      evidence: corrections.map(({ taskId, by, score }) =>
        score === null ? `${by} on task ${taskId}` : `${by} on task ${taskId}, rated ${score} of 5`,
      ),
    },
  ];
}
