export {
  fallbackResponse,
  isFallback,
  RETRY_WITH_INSTRUCTION,
  type SacpResponse,
  SacpResponseSchema,
} from "./response.ts";
export { type AnswerFormat, protocolBlock, type ProtocolOptions, withProtocol } from "./protocol-block.ts";
export { type AnswerSource, readAnswer, type ReadAnswer } from "./read-answer.ts";
export { withPlainStatus } from "./plain-status.ts";
export { ANSWER_LIMITS } from "./limits.ts";
