import type { Socket } from "node:net";
import { STREAM_CLOSE_CODES } from "@signalbox/contracts/stream";
import type { WebSocket } from "@fastify/websocket";
import { streamLimits } from "./limits.ts";

/** The way out to one reader: finished frames, a bound on what waits, and one end. */
export type Outlet = {
  readonly isOpen: () => boolean;
  readonly write: (frames: Buffer) => void;
  /** Resolves when what was written has left this process, or the connection has ended. */
  readonly drained: () => Promise<void>;
  readonly close: (code: number, reason: string) => void;
};

/**
 * Frames go to the socket as they are, between those that the WebSocket library writes itself (pings and closes): without
 * compression it holds nothing back, so that both keep their order.
 */
export function createOutlet(socket: WebSocket, raw: Socket): Outlet {
  const isOpen = (): boolean => socket.readyState === socket.OPEN && !raw.destroyed;

  function close(code: number, reason: string): void {
    if (socket.readyState !== socket.OPEN) return;
    socket.close(code, reason);
    // Whoever does not read does not see the close either, and would keep what waits for it.
    setTimeout(() => socket.terminate(), streamLimits.closeMs).unref();
  }

  return {
    isOpen,
    write(frames) {
      if (!isOpen() || frames.length === 0) return;
      if (raw.writableLength > streamLimits.waitingBytes) {
        close(STREAM_CLOSE_CODES.TOO_SLOW, "what was sent is not being read: come back with the last cursor");
        return;
      }
      raw.write(frames);
    },
    drained: () =>
      new Promise((resolve) => {
        if (!raw.writableNeedDrain || raw.destroyed) {
          resolve();
          return;
        }
        const done = (): void => {
          raw.off("drain", done);
          raw.off("close", done);
          resolve();
        };
        raw.on("drain", done);
        raw.on("close", done);
      }),
    close,
  };
}
