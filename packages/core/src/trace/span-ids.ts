const PRIME_LOW = 0x1b3;
const BASIS_HIGH = 0xcbf2_9ce4;
const BASIS_LOW = 0x8422_2325;

/**
 * FNV-1a of 64 bits, in halves: the prime is 2^40 + 0x1b3. The lower half is multiplied in quarters, so that every number
 * stays an integer of 32 bits. Names a span; proves nothing.
 */
function fnv64(text: string): string {
  let high = BASIS_HIGH | 0;
  let low = BASIS_LOW | 0;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    for (let rest = unit; ; rest >>>= 8) {
      const mixed = low ^ (rest & 0xff);
      const first = (mixed & 0xffff) * PRIME_LOW;
      const second = (mixed >>> 16) * PRIME_LOW + (first >>> 16);
      high = (Math.imul(high, PRIME_LOW) + (second >>> 16) + (mixed << 8)) | 0;
      low = (second << 16) | (first & 0xffff);
      if (rest <= 0xff) break;
    }
  }
  return hex(high) + hex(low);
}

const hex = (half: number): string => (half >>> 0).toString(16).padStart(8, "0");

/** TRACE-2: an id follows from the pipeline and the span's place in it. All zeroes is what W3C calls no span. */
export function spanId(pipelineId: string, path: string): string {
  const id = fnv64(`${pipelineId}/${path}`);
  return id === "0000000000000000" ? "0000000000000001" : id;
}

const stagePath = (stageOrder: number): string => `s${stageOrder}`;
export const attemptPath = (stageOrder: number, attemptNumber: number): string =>
  `${stagePath(stageOrder)}.${attemptNumber}`;

export const EXECUTION = "agent_execution";

export const rootSpanId = (pipelineId: string): string => spanId(pipelineId, "");

export const stageSpanId = (pipelineId: string, stageOrder: number): string =>
  spanId(pipelineId, stagePath(stageOrder));

/** TRACE-3: the span that an envelope names as the agent's own, below the stage's. */
export const executionSpanId = (pipelineId: string, stageOrder: number, attemptNumber: number): string =>
  spanId(pipelineId, `${attemptPath(stageOrder, attemptNumber)}/${EXECUTION}`);
