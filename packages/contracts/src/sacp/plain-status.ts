import { RETRY_WITH_INSTRUCTION } from "./response.ts";

type Reported = {
  readonly response?: { readonly status: string; readonly nextStepHint: string } | undefined;
};

/** SACP-8: what an answer in a text is read as, of one that is reported member by member; before the contract's four are asked for. */
export const withPlainStatus = <Result extends Reported>(result: Result): Result =>
  result.response?.status === RETRY_WITH_INSTRUCTION
    ? {
        ...result,
        response: { ...result.response, status: "failure", nextStepHint: RETRY_WITH_INSTRUCTION },
      }
    : result;
