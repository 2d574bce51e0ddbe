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
    <script src="/docs/theme.js"></script>
  </head>
  <body>
    <main id="document"></main>
    <noscript>The document itself is at <a href="/openapi.json">/openapi.json</a>.</noscript>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

/** As light or dark as the other pages, before anything is painted; what was chosen there is kept as in the web's theme.ts. */
const theme = `const system = matchMedia("(prefers-color-scheme: dark)");
function show() {
  let chosen = null;
  try {
    chosen = localStorage.getItem("signalbox.theme");
  } catch {
    // Storage is blocked: the system decides.
  }
  const isDark = chosen === "dark" || (chosen !== "light" && system.matches);
  document.documentElement.classList.toggle("dark-mode", isDark);
}
show();
system.addEventListener("change", show);
addEventListener("storage", show);
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
  for (const [file, script] of [
    ["theme.js", theme],
    ["start.js", start],
  ]) {
    app.get(`/docs/${file}`, async (_request, reply) =>
      reply.type("text/javascript; charset=utf-8").header("cache-control", "no-cache").send(script),
    );
  }
  for (const file of rendererFiles) {
    app.get(`/docs/${file}`, (_request, reply) => reply.sendFile(file, { maxAge: "1d" }));
  }
}
