const units = [
  { seconds: 86_400, one: "day", many: "days" },
  { seconds: 3600, one: "hour", many: "hours" },
  { seconds: 60, one: "minute", many: "minutes" },
  { seconds: 1, one: "second", many: "seconds" },
];

/** Whole seconds in words, and exact: a limit that reads "about an hour" is no limit. */
export function durationInWords(seconds: number): string {
  let rest = Math.floor(seconds);
  const parts = units.flatMap((unit) => {
    const count = Math.floor(rest / unit.seconds);
    rest -= count * unit.seconds;
    return count === 0 ? [] : [`${count} ${count === 1 ? unit.one : unit.many}`];
  });
  return parts.join(" ") || "less than a second";
}
