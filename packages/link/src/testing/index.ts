export { isRedisHere, redisMissing, startRedis } from "./redis-server.ts";
export { openSender } from "./sap-redis-sender.ts";
