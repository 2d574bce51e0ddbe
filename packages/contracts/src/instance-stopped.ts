/** The failure code of a retryable failure by which an instance that has to stop hands back what it has not finished. */
export const INSTANCE_STOPPED = "INSTANCE_STOPPED";
