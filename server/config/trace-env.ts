import { z } from 'zod';
import { oneOf, yesOrNo } from './env-choices.js';

/** Spellings of the OpenTelemetry specification. */
const SAMPLERS = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export type TraceSampler = (typeof SAMPLERS)[number];

/** Target and sampling of traces. */
export interface TraceSettings {
  /** Address of the collector for traces, with its path. */
  readonly url: string;
  /** May hold credentials: never logged. */
  readonly headers: Readonly<Record<string, string>>;
  readonly attributes: Readonly<Record<string, string>>;
  readonly sampler: TraceSampler;
  /** Share of traces kept by the ratio samplers, 0 to 1. */
  readonly ratio: number;
  /** Upstreams are sent the `traceparent` of their call. */
  readonly isSentUpstream: boolean;
}

/** `a=1,b=2`, values percent-encoded by the specification. */
const pairs = z
  .string()
  .trim()
  .default('')
  .transform((text, context) => {
    const found: Record<string, string> = {};
    for (const part of text.split(',').filter((piece) => piece.trim() !== '')) {
      const equals = part.indexOf('=');
      const value = decoded(part.slice(equals + 1).trim());
      if (equals < 1 || value === undefined || /[\r\n]/.test(value)) {
        context.addIssue('must be name=value pairs with commas between them');
        return z.NEVER;
      }
      found[part.slice(0, equals).trim()] = value;
    }
    return found;
  });

const RATIO = 'must be a number from 0 to 1';

/** Variables of traces, beside OTEL_EXPORTER_OTLP_ENDPOINT which switches them on. */
export const traceVariables = {
  OTEL_EXPORTER_OTLP_HEADERS: pairs,
  OTEL_RESOURCE_ATTRIBUTES: pairs,
  OTEL_SERVICE_NAME: z.string().trim().min(1).default('tollgate'),
  OTEL_TRACES_SAMPLER: oneOf(SAMPLERS).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number(RATIO)
    .refine((ratio) => ratio >= 0 && ratio <= 1, RATIO)
    .default(1),
  TRACE_UPSTREAMS: yesOrNo.default('false'),
} as const;

type Values = {
  readonly [K in keyof typeof traceVariables]: z.output<(typeof traceVariables)[K]>;
} & { readonly OTEL_EXPORTER_OTLP_ENDPOINT: string | undefined };

/** @returns undefined when nothing is traced */
export function traceSettings(values: Values): TraceSettings | undefined {
  const endpoint = values.OTEL_EXPORTER_OTLP_ENDPOINT;
  if (endpoint === undefined) return undefined;
  return {
    url: `${endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: values.OTEL_EXPORTER_OTLP_HEADERS,
    attributes: { ...values.OTEL_RESOURCE_ATTRIBUTES, 'service.name': values.OTEL_SERVICE_NAME },
    sampler: values.OTEL_TRACES_SAMPLER,
    ratio: values.OTEL_TRACES_SAMPLER_ARG,
    isSentUpstream: values.TRACE_UPSTREAMS === 'true',
  };
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that begins nothing: a fault of the list.
    return undefined;
  }
}
