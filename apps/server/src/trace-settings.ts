import { z } from "zod";

/** Where traces are sent, and how many of them. */
export type TraceSettings = {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  /** From 0 to 1, of the traces. */
  readonly share: number;
};

const isCollector = (text: string): boolean => {
  const url = URL.parse(text);
  if (url === null || !["http:", "https:"].includes(url.protocol)) return false;
  return url.search + url.hash + url.username + url.password === "";
};

const headerForm = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,100})=([\x21-\x7E]{0,4000})$/;
function headersOf(text: string): Record<string, string> | undefined {
  const read: Record<string, string> = {};
  for (const part of text.split(",")) {
    const [, name, value] = headerForm.exec(part.trim()) ?? [];
    if (name === undefined || value === undefined) return undefined;
    try {
      read[name] = decodeURIComponent(value);
    } catch {
      return undefined;
    }
    if (!/^[\t\x20-\x7E]*$/.test(read[name])) return undefined;
  }
  return read;
}

const samplers = [
  "always_on",
  "always_off",
  "traceidratio",
  "parentbased_always_on",
  "parentbased_always_off",
  "parentbased_traceidratio",
] as const;

const collector = {
  schema: z
    .string()
    .refine(isCollector)
    .transform((text) => new URL(text)),
};

/** OpenTelemetry's own variables, as far as there is something that they could say here (A2A 5.7). */
export const traceVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    ...collector,
    allowed:
      "an http or https URL without query or credentials, to which /v1/traces is added, such as http://127.0.0.1:4318",
  },
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: {
    ...collector,
    allowed:
      "an http or https URL without query or credentials, as it is posted to, such as http://127.0.0.1:4318/v1/traces",
  },
  OTEL_EXPORTER_OTLP_HEADERS: {
    schema: z.string().transform((text, context): Record<string, string> => {
      const headers = headersOf(text);
      if (headers !== undefined) return headers;
      context.addIssue({ code: "custom" });
      return z.NEVER;
    }),
    allowed: "name=value, joined by commas, the values percent-encoded, such as api-key=abc",
    secret: true as const,
  },
  OTEL_EXPORTER_OTLP_PROTOCOL: {
    schema: z.literal("http/json"),
    allowed: "http/json, which is what is spoken",
  },
  OTEL_SERVICE_NAME: {
    schema: z.string().regex(/^[\x20-\x7E]{1,200}$/),
    allowed: "the name that traces stand under, 1 to 200 printable characters",
  },
  OTEL_TRACES_SAMPLER: { schema: z.enum(samplers), allowed: samplers.join(", ") },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: z
      .string()
      .regex(/^(0|1|0?\.\d{1,9}|1\.0{1,9})$/)
      .transform(Number),
    allowed: "the share of traces that traceidratio takes, from 0 to 1, such as 0.25",
  },
  OTEL_SDK_DISABLED: {
    schema: z.enum(["true", "false"]).transform((text) => text === "true"),
    allowed: "true or false",
  },
};

export type ReadTraceVariables = {
  readonly [K in keyof typeof traceVariables]: z.output<(typeof traceVariables)[K]["schema"]> | undefined;
};

/** Undefined: no traces are sent. */
export function traceSettings(read: ReadTraceVariables): TraceSettings | undefined {
  const url = read.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? below(read.OTEL_EXPORTER_OTLP_ENDPOINT);
  const sampler = read.OTEL_TRACES_SAMPLER?.replace("parentbased_", "") ?? "always_on";
  const share = { always_on: 1, always_off: 0 }[sampler] ?? read.OTEL_TRACES_SAMPLER_ARG ?? 1;
  if (url === undefined || share === 0 || read.OTEL_SDK_DISABLED === true) return undefined;
  return {
    url,
    headers: read.OTEL_EXPORTER_OTLP_HEADERS ?? {},
    serviceName: read.OTEL_SERVICE_NAME ?? "signalbox",
    share,
  };
}

const below = (base: URL | undefined): URL | undefined =>
  base && new URL(`${base.pathname.replace(/\/$/, "")}/v1/traces`, base);
