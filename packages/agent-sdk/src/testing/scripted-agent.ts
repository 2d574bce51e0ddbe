import { afterEach, beforeEach, vi } from "vitest";
import { startAgent } from "../agent.ts";
import type { AgentSettings } from "../agent-settings.ts";
import { evidenceFrom, succeeded } from "../answer.ts";
import type { Dispatch } from "../dispatch.ts";
import { scriptedSignalbox } from "./scripted-signalbox.ts";

export function withFakeTimers(): void {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });
}

export const hello = () =>
  succeeded({ summary: "Hello.", evidence: [evidenceFrom({ command: "true", output: "", exitCode: 0 })] });

/** Goes on with the time until what was begun is over, however many requests that takes. */
export async function settled<T>(promise: Promise<T>): Promise<T> {
  const going = { on: true };
  const end = () => {
    going.on = false;
  };
  promise.then(end, end);
  for (let passed = 0; going.on && passed < 600; passed += 1) await vi.advanceTimersByTimeAsync(500);
  return promise;
}

/** An agent in front of a Signalbox that answers as a test says. */
export function prepare(more: Partial<AgentSettings> = {}) {
  const signalbox = scriptedSignalbox();
  const trouble: string[] = [];
  const settings: AgentSettings = {
    ...signalbox.connection,
    pack: { packId: "greeter", packVersion: "1.0.0" },
    instanceId: "greeter-1",
    work: hello,
    onTrouble: (error, doing) => trouble.push(`${doing}: ${error.code}`),
    ...more,
  };
  return { signalbox, trouble, start: () => settled(startAgent(settings)) };
}

/** Work that takes until a test ends it. */
export function workByHand() {
  const begun: { dispatch: Dispatch; end: () => void }[] = [];
  const work = (dispatch: Dispatch) =>
    new Promise<ReturnType<typeof hello>>((resolve) => begun.push({ dispatch, end: () => resolve(hello()) }));
  return { begun, work };
}
