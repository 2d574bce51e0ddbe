import helmet from "@fastify/helmet";
import type { FastifyInstance } from "fastify";

/** Nothing inline and nothing from elsewhere; frames, forms and bases of other pages gain no hold. */
export async function securityHeaders(app: FastifyInstance, publicUrl: URL | undefined): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'", "data:"],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        workerSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    frameguard: { action: "deny" },
    referrerPolicy: { policy: "no-referrer" },
    // A promise for https only: over http on a loopback address it would lock people out of other local servers.
    hsts: publicUrl?.protocol === "https:" ? { maxAge: 31_536_000, includeSubDomains: false } : false,
  });
}
