import { findPackageJSON } from "node:module";
import { dirname } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { operations } from "./all-operations.ts";
import { type DescribedRoute, openApiDocument } from "./document.ts";

const renderer = dirname(findPackageJSON("swagger-ui-dist", import.meta.url) ?? "");
const rendererFiles = ["swagger-ui.css", "swagger-ui-bundle.js", "favicon-32x32.png"];

/** Nothing of it stands inline, so that it works under the same policy as every page. */
const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Signalbox: the REST interface</title>
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png" />
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
  </head>
  <body>
    <main id="document"></main>
    <noscript>The document itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** `validatorUrl`: its usual value would tell another server of this document. */
const start = `SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#document",
  deepLinking: true,
  validatorUrl: null,
  supportedSubmitMethods: [],
});
`;

/** The document, and the page that shows it. Both are the public contract, so nobody has to be known for them. */
export async function openApiPlugin(
  app: FastifyInstance,
  { routes, version }: { routes: readonly DescribedRoute[]; version: string },
): Promise<void> {
  let text: string | undefined;
  app.get("/openapi.json", async (_request, reply) => {
    text ??= JSON.stringify(openApiDocument(routes, operations, version));
    return reply.type("application/json; charset=utf-8").header("cache-control", "no-cache").send(text);
  });
  await app.register(fastifyStatic, { root: renderer, serve: false });
  app.get("/docs", async (_request, reply) =>
    reply.type("text/html; charset=utf-8").header("cache-control", "no-cache").send(page),
  );
  app.get("/docs/start.js", async (_request, reply) =>
    reply.type("text/javascript; charset=utf-8").header("cache-control", "no-cache").send(start),
  );
  for (const file of rendererFiles) {
    app.get(`/docs/${file}`, (_request, reply) => reply.sendFile(file, { maxAge: "1d" }));
  }
}
