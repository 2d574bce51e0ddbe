/**
 * What reading one model's output may cost. The text is as long as a report may be; depth and values are what a result's
 * JSON may hold (`DEFAULT_LIMITS`) less what the result itself puts around the answer.
 */
export const ANSWER_LIMITS = {
  characters: 1_048_576,
  depth: 24,
  values: 40_000,
  /** Characters looked at to see whether a part of the output is JSON, over all parts: of the longest output two and a half times. */
  looks: 2_621_440,
  /** Names, values, marks and gaps of text that needs repair: a megabyte of them is no answer, and would take a second. */
  repairSteps: 12_000,
  /** Braces and quotes looked at to tell objects apart that stand one after the other. */
  separators: 12_000,
  /** Of an output that could not be read: escaped six to one it still fits in a report. */
  rawOutput: 131_072,
} as const;
