import type { FastifyInstance } from "fastify";

/** Nothing inline and nothing from elsewhere; frames, forms and bases of other pages gain no hold. */
const contentSecurityPolicy = Object.entries({
  "default-src": "'none'",
  "script-src": "'self'",
  "style-src": "'self'",
  "img-src": "'self' data:",
  "font-src": "'self'",
  "connect-src": "'self'",
  "manifest-src": "'self'",
  "worker-src": "'self'",
  "base-uri": "'none'",
  "form-action": "'self'",
  "frame-ancestors": "'none'",
})
  .map(([name, sources]) => `${name} ${sources}`)
  .join(";");

/** What OWASP's list of headers asks for. */
const ofPages = {
  "content-security-policy": contentSecurityPolicy,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-dns-prefetch-control": "off",
  "x-download-options": "noopen",
  "x-frame-options": "DENY",
  "x-permitted-cross-domain-policies": "none",
  // A browser that still has such a filter can be led by it to harm a page that has no fault.
  "x-xss-protection": "0",
};

/**
 * What its list for REST asks for: whatever it is taken for, such an answer shows, runs and loads nothing. The others are about what
 * a page may do; they made an agent's answer three times as long.
 */
const ofData = {
  "content-security-policy": "default-src 'none';frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
};

/** Where no answer is a page. */
const data = /^\/(?:(?:v1|trpc|mcp|healthz|readyz|metrics)(?:[/?]|$)|(?:vasini|grpc)\.)/;

/** On every answer, and the same on all of a kind: made once, for a heartbeat carries them as a page does. */
export function securityHeaders(app: FastifyInstance, publicUrl: URL | undefined): void {
  // A promise for https only: over http on a loopback address it would lock people out of other local servers.
  const promise = publicUrl?.protocol === "https:" && { "strict-transport-security": "max-age=31536000" };
  const page = { ...ofPages, ...promise };
  const answer = { ...ofData, ...promise };
  app.addHook("onRequest", (request, reply, done) => {
    reply.headers(data.test(request.url) ? answer : page);
    done();
  });
}
