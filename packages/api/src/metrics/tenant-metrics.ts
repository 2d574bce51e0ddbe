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
    const { kind, help } = metrics[name];
    const shape = { name, help, labelNames: labelsOf(name), registers: [registry] };
    if (kind === "gauge") continue;
    if (kind === "counter") kept.set(name, new Counter(shape));
    else {
      const { buckets = [] } = metrics[name] as { readonly buckets?: readonly number[] };
      kept.set(name, new Histogram({ ...shape, buckets: [...buckets] }));
    }
  }

  function isNew(metric: MetricName, labels: Observation["labels"]): boolean {
    const series = seriesOf.get(metric) ?? new Set<string>();
    seriesOf.set(metric, series);
    const text = Object.values(labels).join("\n");
    if (series.has(text) || series.size >= MOST_SERIES) return false;
    series.add(text);
    return true;
  }

  function boundedLabels({ metric, labels }: Observation): Record<string, string> {
    const text = Object.values(labels).join("\n");
    if (seriesOf.get(metric)?.has(text) === true) return { tenant_id: tenantId, ...labels };
    return { tenant_id: tenantId, ...Object.fromEntries(Object.keys(labels).map((label) => [label, REST])) };
  }

  /** A counter is 0 before it is anything: whatever asks how much one rose does not see it begin at 1. */
  function begin({ metric, labels }: Observation): void {
    if (!isNew(metric, labels)) return;
    for (const [name, counter] of kept) {
      const own = metrics[name].labels;
      if (name === metric || !(counter instanceof Counter) || !own.every((label) => label in labels))
        continue;
      const shared = Object.fromEntries(own.map((label) => [label, labels[label] ?? ""]));
      if (isNew(name, shared)) counter.inc({ tenant_id: tenantId, ...shared }, 0);
    }
  }

  function add(seen: Observation): void {
    begin(seen);
    const metric = kept.get(seen.metric);
    if (metric instanceof Counter) metric.inc(boundedLabels(seen), seen.value);
    else metric?.observe(boundedLabels(seen), seen.value);
  }

  return {
    add,
    /** As Prometheus reads it, with what the gauges are at now. */
    async print(gauges: readonly Observation[]): Promise<string> {
      const now = new Registry();
      for (const gauge of gauges) begin(gauge);
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
