export {
  type StreamRequest,
  StreamRequestSchema,
  SubscribeSchema,
  UnsubscribeSchema,
} from "./client-messages.ts";
export {
  HeartbeatSchema,
  STREAM_CLOSE_CODES,
  StreamErrorSchema,
  type StreamEvent,
  StreamEventSchema,
  type StreamMessage,
  StreamMessageSchema,
  SubscribedSchema,
  UnsubscribedSchema,
} from "./server-messages.ts";
