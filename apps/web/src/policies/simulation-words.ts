type Counts = {
  readonly looked: number;
  readonly same: number;
  readonly elsewhere: number;
  readonly undecidable: number;
  readonly unreadable: number;
};

/** What a simulation came to. What nobody can say is no change, and stands apart. */
export function simulationWords({ looked, same, elsewhere, undecidable, unreadable }: Counts): string {
  if (looked === 0) return "No decision is on record yet.";
  const parts = [
    `Of ${looked} ${looked === 1 ? "decision" : "decisions"} ${elsewhere} would come out otherwise, ${same} as before.`,
  ];
  if (undecidable > 0)
    parts.push(
      `Of ${undecidable} nobody can say: they depend on packs of which nothing was written down then.`,
    );
  if (unreadable > 0)
    parts.push(`${unreadable} ${unreadable === 1 ? "tells" : "tell"} too little to be taken again.`);
  return parts.join(" ");
}
