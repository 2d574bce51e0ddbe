import { expect, test } from "vitest";
import { alertConditions, type AlertFacts } from "./conditions.ts";

const quiet: AlertFacts = {
  waiting: { open: 3, fourthOpenedAt: null },
  refused: { open: 0, oldestOpenedAt: null },
  silentPacks: [],
  answers: null,
  openBreakers: [],
};
const minute = 60_000;
const now = 1_000 * minute;
const told = (facts: Partial<AlertFacts>) =>
  alertConditions({ ...quiet, ...facts }, now).map(({ alert, severity, holdsFrom }) => [
    alert,
    severity,
    holdsFrom,
  ]);

test("where nothing is amiss, nothing holds", () => {
  expect(told({})).toEqual([]);
  expect(told({ answers: { count: 40, slowMs: 30 * minute } })).toEqual([]);
});

test.each<[string, Partial<AlertFacts>, string, string, number | null]>([
  [
    "ALERT-1 a fourth that waits",
    { waiting: { open: 4, fourthOpenedAt: now } },
    "escalation-backlog",
    "SEV2",
    now + 10 * minute,
  ],
  [
    "ALERT-2 nobody can take it",
    { refused: { open: 1, oldestOpenedAt: now } },
    "no-candidates",
    "SEV2",
    now + 5 * minute,
  ],
  [
    "ALERT-3 all instances were lost",
    { silentPacks: [{ packId: "p", instances: 2, since: now }] },
    "pack-out-of-service",
    "SEV2",
    now + 2 * minute,
  ],
  [
    "ALERT-4 slow answers",
    { answers: { count: 40, slowMs: 30 * minute + 1 } },
    "escalations-answered-late",
    "SEV3",
    null,
  ],
  [
    "ALERT-5 a breaker that opened",
    { openBreakers: [{ packId: "p", taskType: "t", since: now }] },
    "breaker-open",
    "SEV2",
    now,
  ],
])("%s", (_, facts, alert, severity, holdsFrom) => {
  expect(told(facts)).toEqual([[alert, severity, holdsFrom]]);
});

test("ALERT-6 what holds comes first, then the graver, then the older; each says of what", () => {
  const found = alertConditions(
    {
      waiting: { open: 9, fourthOpenedAt: now },
      refused: { open: 2, oldestOpenedAt: now - 6 * minute },
      silentPacks: [{ packId: "painter", instances: 1, since: now - 60 * minute }],
      answers: { count: 20, slowMs: 61 * minute },
      openBreakers: [],
    },
    now,
  );
  expect(found.map(({ alert, detail }) => [alert, detail])).toEqual([
    ["pack-out-of-service", "The only instance of painter is away or not healthy."],
    ["no-candidates", "Of 2 stages nobody could take the work."],
    [
      "escalations-answered-late",
      "Of 20 that were answered within a day, one in twenty took 61 minutes or longer; 30 are allowed.",
    ],
    ["escalation-backlog", "9 escalations wait for a person; more than 3 are a backlog."],
  ]);
});
