import type { RawAnswer, RawRequest, Told } from "./raw-http.ts";

/** What must not be, and the bytes that brought it about. */
export type Finding = { door: string; fault: string; sent: string; told: string };

const headerOf = (head: string, name: string): string | undefined =>
  new RegExp(`^${name}: *(.*)$`, "im").exec(head)?.[1]?.trim();

/** 13 is INTERNAL, 2 UNKNOWN, 15 DATA_LOSS: no caller's fault is any of them. */
const ourFault = new Set(["2", "13", "15"]);
const inside = /"code":"INTERNAL"|"code":"(?:internal|unknown|data_loss)"|INTERNAL_SERVER_ERROR|-32603/;

export function faultOfStatus(grpcStatus: string | undefined): string | undefined {
  return grpcStatus !== undefined && ourFault.has(grpcStatus) ? `grpc-status ${grpcStatus}` : undefined;
}
export const faultOfText = (text: string): string | undefined => inside.exec(text)?.[0];

/** What was answered, against what may be answered to whatever is asked. */
export function faultOf(sent: RawRequest, told: Told): string | undefined {
  if (typeof told === "string") return told;
  const { status, head, body } = told;
  if (status >= 500 && !isOwed(sent, told)) return `status ${status}`;
  if (!(status >= 100)) return `no HTTP: ${head.slice(0, 60)}`;
  const text = body.toString("latin1");
  return (
    faultOfStatus(headerOf(head, "grpc-status") ?? /grpc-status: *(\d+)/i.exec(text)?.[1]) ??
    faultOfText(text)
  );
}

/** The 5xx that the protocols themselves make of what a caller asked for. */
function isOwed({ target, headers }: RawRequest, { status, body }: RawAnswer): boolean {
  const names = new Set(headers.map(([name]) => name));
  const text = body.toString("latin1");
  // Connect: an unknown compression is `unimplemented`, which is 501; a deadline of the caller's own is 504.
  if (status === 501 && text.includes('"unimplemented"')) return names.has("content-encoding");
  // RFC 9110 §15.6.6: both ways at once takes HTTP/2.
  if (status === 505) return target.includes("/ServerReflectionInfo");
  if (status === 504) return names.has("connect-timeout-ms") || names.has("grpc-timeout");
  // It is full, and says for how long.
  return status === 503 && text.includes('"UNAVAILABLE"');
}

export type Findings = ReturnType<typeof findings>;

/** Kept by kind: a thousand of one kind tell no more than three. */
export function findings() {
  const kinds = new Map<string, { count: number; samples: Finding[] }>();
  return {
    add(finding: Finding): void {
      const kind = `${finding.door}: ${finding.fault}`;
      const known = kinds.get(kind) ?? { count: 0, samples: [] };
      known.count += 1;
      if (known.samples.length < 3) known.samples.push(finding);
      kinds.set(kind, known);
    },
    /** One line a kind, and under it what was sent and told. */
    list: (): string[] =>
      Array.from(kinds, ([kind, { count, samples }]) =>
        [
          `${kind} (${count} times)`,
          ...samples.map(({ sent, told }) => `  sent ${sent}\n  told ${told}`),
        ].join("\n"),
      ),
  };
}

const shown = (bytes: Buffer, most: number): string =>
  JSON.stringify(bytes.subarray(0, most).toString("latin1"));
export const shownRequest = (bytes: Buffer): string => shown(bytes, 1_500);
export const shownAnswer = (told: Told): string =>
  typeof told === "string" ? told : `${told.status} ${shown(told.body, 600)}`;
