export type Pauses = {
  /** Goes on after a while, or at once where too many wait already. */
  readonly hold: (goOn: () => void) => void;
};

/** A quarter of the shortest Retry-After, so that nobody who waits as told is later for it. */
const PAUSE_MS = 250;
/** What waits holds its socket. A crowd of more than these is a flood that no pause slows. */
const MOST_HELD = 2_000;

/**
 * Whoever asks on without a rest is answered as fast as the process can say no, and saying it ten thousand times a second
 * is itself what keeps everybody else waiting. A refusal that takes its time slows who sends the next one after it.
 */
export function createPauses(wait: (goOn: () => void, milliseconds: number) => void): Pauses {
  let held = 0;
  return {
    hold(goOn) {
      if (held >= MOST_HELD) {
        goOn();
        return;
      }
      held += 1;
      wait(() => {
        held -= 1;
        goOn();
      }, PAUSE_MS);
    },
  };
}
