/** The version of the contract's messages that this orchestrator speaks. */
export const SCHEMA_VERSION = "1.0.0";
