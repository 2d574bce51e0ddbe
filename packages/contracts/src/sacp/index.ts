export { fallbackResponse, type SacpResponse, SacpResponseSchema } from "./response.ts";
