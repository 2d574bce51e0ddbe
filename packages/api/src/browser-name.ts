/** What most browsers call themselves; the first that fits, for each of them also names those whose pages it wants. */
const browsers: readonly [mark: RegExp, name: string][] = [
  [/\bEdg(?:e|A|iOS)?\//, "Edge"],
  [/\b(?:OPR|Opera)\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bVersion\/[\d.]+.*\bSafari\//, "Safari"],
];
const systems: readonly [mark: RegExp, name: string][] = [
  [/\b(?:iPhone|iPod)\b/, "iPhone"],
  [/\biPad\b/, "iPad"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
];

const named = (list: typeof browsers, userAgent: string): string | undefined =>
  list.find(([mark]) => mark.test(userAgent))?.[1];

/** "Firefox on Linux": by which a person knows a session again. A program's own name is taken without its version. */
export function browserName(userAgent: string | null): string | null {
  if (userAgent === null || userAgent.trim() === "") return null;
  const browser = named(browsers, userAgent);
  const system = named(systems, userAgent);
  if (browser !== undefined) return system === undefined ? browser : `${browser} on ${system}`;
  const program = /^[A-Za-z][\w .-]{0,40}(?=\/|$)/.exec(userAgent)?.[0];
  if (program === undefined || program === "Mozilla")
    return system === undefined ? null : `A browser on ${system}`;
  return program;
}
