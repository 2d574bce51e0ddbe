export type StopRequest = { why: string; failure?: unknown };

const watchParentEveryMs = 500;
/** Ctrl-C reaches the whole terminal group and is passed on by the launcher as well: both are one wish to stop. */
const sameWishMs = 1_000;

/** Everything that may end this process. Each further request, once a second has passed, asks for more haste. */
export function onStopRequested(launched: boolean, request: (request: StopRequest) => void): void {
  let lastSignal = Number.NEGATIVE_INFINITY;
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.on(signal, () => {
      const now = performance.now();
      const again = now - lastSignal < sameWishMs;
      lastSignal = now;
      if (!again) request({ why: `${signal}: stopping` });
    });
  }
  // After either, nothing is known about the state of the process; Node's manual says to stop it.
  process.on("uncaughtException", (failure) => request({ why: "uncaught exception: stopping", failure }));
  process.on("unhandledRejection", (failure) => request({ why: "unhandled rejection: stopping", failure }));
  if (launched) watchParent(() => request({ why: "the launcher is gone: stopping" }));
}

/** A killed parent passes no signal on. Its child then belongs to another process, which this notices. */
function watchParent(gone: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    gone();
  }, watchParentEveryMs).unref();
}
