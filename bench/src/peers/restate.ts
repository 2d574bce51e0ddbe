import { once } from "node:events";
import { createServer } from "node:http2";
import type { AddressInfo } from "node:net";
import { createEndpointHandler, type Context, service } from "@restatedev/restate-sdk";
import { connect } from "@restatedev/restate-sdk-clients";
import { apart } from "../measure/apart.ts";
import { keepBusy, type Span } from "../measure/meter.ts";
import { percentile } from "../measure/statistics.ts";

export type RestateAddresses = { ingress: string; admin: string };
type Settings = RestateAddresses & { concurrency: number; span: Span };

const STEPS = ["first", "second", "third"];

const workflows = service({
  name: "workflows",
  handlers: {
    async threeSteps(context: Context) {
      for (const name of STEPS) await context.run(name, () => name);
    },
  },
});

export const restate = apart(import.meta.url, {
  /** Three-step workflows through the ingress, each called and awaited. */
  async throughput({ ingress, admin, concurrency, span }: Settings) {
    const endpoint = createServer(createEndpointHandler({ services: [workflows], logger: () => {} }));
    endpoint.listen(0, "127.0.0.1");
    await once(endpoint, "listening");
    const { port } = endpoint.address() as AddressInfo;
    const registered = await fetch(`${admin}/deployments`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ uri: `http://127.0.0.1:${port}` }),
    });
    if (!registered.ok) throw new Error(`Restate refused the endpoint: ${await registered.text()}`);
    const client = connect({ url: ingress }).serviceClient(workflows);
    const { perSecond, milliseconds } = await keepBusy(concurrency, span, async () => {
      await client.threeSteps();
    });
    return { perSecond, p50: percentile(milliseconds, 0.5), p99: percentile(milliseconds, 0.99) };
  },
});
