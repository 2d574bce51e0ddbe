const two = (number: number) => String(number).padStart(2, "0");

/** A moment in the reader's own time, for a table. */
export function momentText(moment: string | null | undefined): string {
  if (moment === null || moment === undefined) return "-";
  const date = new Date(moment);
  if (Number.isNaN(date.getTime())) return moment;
  const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
  return `${day} ${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`;
}

export function durationText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 60) return `${seconds}s`;
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? `${minutes}m${seconds % 60}s` : `${Math.floor(minutes / 60)}h${minutes % 60}m`;
}

/** `STAGE_STATUS_READY` as people say it. */
export const statusText = (name: string): string =>
  name
    .replace(/^(?:STAGE_STATUS|PIPELINE_STATUS|HEALTH_STATUS|AUDIT_EVENT_TYPE|RISK_TIER)_/, "")
    .toLowerCase()
    .replaceAll("_", "-");
