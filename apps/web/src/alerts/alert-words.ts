const words: Readonly<Record<string, string>> = {
  "redaction-blocked": "Something could not be masked, and was not written",
  "agent-quarantined": "An instance was quarantined",
};

/** A newer server may raise what this page has no words for. */
export const alertInWords = (alert: string): string =>
  Object.hasOwn(words, alert) ? (words[alert] ?? alert) : alert.replaceAll("-", " ");
