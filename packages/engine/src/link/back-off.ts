const FIRST_MS = 250;
const LONGEST_MS = 5_000;

/** How long to leave an instance alone after so many failures in a row; drawn between half and all of it. */
export const backOffMs = (failures: number, random: () => number): number => {
  const most = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.min(failures - 1, 10));
  return Math.round(most / 2 + (most / 2) * random());
};
