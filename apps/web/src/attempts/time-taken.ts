/** How long something took, short and to the digit that matters: `0 ms`, `340 ms`, `2.4 s`, `1 min 3 s`, `2 h 5 min`. */
export function timeTaken(ms: number): string {
  if (!Number.isFinite(ms) || ms < 0) return "unknown";
  const whole = Math.round(ms);
  if (whole < 1_000) return `${whole} ms`;
  if (whole < 9_950) return `${(whole / 1_000).toFixed(1)} s`;
  const seconds = Math.round(whole / 1_000);
  if (seconds < 60) return `${seconds} s`;
  const [minutes, rest] = [Math.floor(seconds / 60), seconds % 60];
  if (minutes < 60) return rest === 0 ? `${minutes} min` : `${minutes} min ${rest} s`;
  const left = minutes % 60;
  const hours = Math.floor(minutes / 60);
  return left === 0 ? `${hours} h` : `${hours} h ${left} min`;
}
