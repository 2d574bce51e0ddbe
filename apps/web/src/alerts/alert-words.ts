const words: Readonly<Record<string, string>> = {
  "redaction-blocked": "Something could not be masked, and was not written",
  "agent-quarantined": "An instance was quarantined",
  "deadline-breached": "A pipeline's deadline passed",
  "escalation-backlog": "Escalations pile up",
  "no-candidates": "Work that nobody can take",
  "pack-out-of-service": "A pack is out of service",
  "escalations-answered-late": "Answers come late",
  "breaker-open": "A pack keeps failing",
};

/** A newer server may raise what this page has no words for. */
export const alertInWords = (alert: string): string =>
  Object.hasOwn(words, alert) ? (words[alert] ?? alert) : alert.replaceAll("-", " ");
