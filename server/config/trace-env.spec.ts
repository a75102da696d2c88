import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import { traceSettings, traceVariables } from './trace-env.js';

const schema = z.object({ ...traceVariables, OTEL_EXPORTER_OTLP_ENDPOINT: z.string().optional() });
const settingsOf = (source: Record<string, string>) => {
  const { OTEL_EXPORTER_OTLP_ENDPOINT, ...values } = schema.parse(source);
  return traceSettings({ ...values, OTEL_EXPORTER_OTLP_ENDPOINT });
};
const ENDPOINT = 'http://collector:4318/';

describe('settings of traces', () => {
  it('nothing is traced without an endpoint, whatever else is set', () => {
    expect(settingsOf({ OTEL_SERVICE_NAME: 'x' })).toBeUndefined();
  });

  it('has the defaults of the specification, and sends nothing upstream', () => {
    expect(settingsOf({ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT })).toEqual({
      url: 'http://collector:4318/v1/traces',
      headers: {},
      attributes: { 'service.name': 'tollgate' },
      sampler: 'parentbased_always_on',
      ratio: 1,
      isSentUpstream: false,
    });
  });

  it('reads lists of pairs, percent-encoded, with spaces around', () => {
    const settings = settingsOf({
      OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20YTpi==, x-a = 1 ,',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=overruled,zone=b',
      OTEL_SERVICE_NAME: 'gate',
    });
    expect(settings?.headers).toEqual({ authorization: 'Basic YTpi==', 'x-a': '1' });
    expect(settings?.attributes).toEqual({ 'service.name': 'gate', zone: 'b' });
  });

  it.each([
    ['OTEL_EXPORTER_OTLP_HEADERS', 'novalue'],
    ['OTEL_EXPORTER_OTLP_HEADERS', '=x'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%0d%0ainjected: x'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=%'],
    ['OTEL_TRACES_SAMPLER', 'sometimes'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['TRACE_UPSTREAMS', 'yes'],
  ])('%s may not be %j', (name, value) => {
    const result = schema.safeParse({ [name]: value });
    expect(result.error?.issues.map(({ path }) => path.join('.'))).toEqual([name]);
  });
});
