import { type MetricName, metrics, type Observation } from "@signalbox/core";
import { Counter, Gauge, Histogram, Registry } from "prom-client";

/** Label values of a metric beyond which the rest are counted under one: names are people's to make up. */
const MOST_SERIES = 2_000;
const REST = "other";

const names = Object.keys(metrics).filter((name): name is MetricName => Object.hasOwn(metrics, name));
const labelsOf = (name: MetricName): string[] => ["tenant_id", ...metrics[name].labels];

/** What one tenant's readers are told. */
export function createTenantMetrics(tenantId: string) {
  const registry = new Registry();
  const kept = new Map<MetricName, Counter | Histogram>();
  const seriesOf = new Map<MetricName, Set<string>>();
  for (const name of names) {
    const { kind, help, labels } = metrics[name];
    const shape = { name, help, labelNames: labelsOf(name), registers: [registry] };
    if (kind === "gauge") continue;
    if (kind === "counter") kept.set(name, new Counter(shape));
    else {
      const { buckets = [] } = metrics[name] as { readonly buckets?: readonly number[] };
      kept.set(name, new Histogram({ ...shape, buckets: [...buckets] }));
    }
    // One that has no other label is 0 before it is anything: an alert needs to see it rise.
    if (kind === "counter" && labels.length === 0) add({ metric: name, labels: {}, value: 0 });
  }

  function boundedLabels({ metric, labels }: Observation): Record<string, string> {
    const series = seriesOf.get(metric) ?? new Set<string>();
    seriesOf.set(metric, series);
    const text = Object.values(labels).join("\n");
    if (series.has(text) || series.size < MOST_SERIES) {
      series.add(text);
      return { tenant_id: tenantId, ...labels };
    }
    return { tenant_id: tenantId, ...Object.fromEntries(Object.keys(labels).map((label) => [label, REST])) };
  }

  function add(seen: Observation): void {
    const metric = kept.get(seen.metric);
    if (metric instanceof Counter) metric.inc(boundedLabels(seen), seen.value);
    else metric?.observe(boundedLabels(seen), seen.value);
  }

  return {
    add,
    /** As Prometheus reads it, with what the gauges are at now. */
    async print(gauges: readonly Observation[]): Promise<string> {
      const now = new Registry();
      for (const name of names) {
        if (metrics[name].kind !== "gauge") continue;
        const { help } = metrics[name];
        const gauge = new Gauge({ name, help, labelNames: labelsOf(name), registers: [now] });
        for (const { metric, labels, value } of gauges)
          if (metric === name) gauge.set({ tenant_id: tenantId, ...labels }, value);
      }
      return (await registry.metrics()) + (await now.metrics());
    },
  };
}

export const METRICS_MEDIA_TYPE = Registry.PROMETHEUS_CONTENT_TYPE;
