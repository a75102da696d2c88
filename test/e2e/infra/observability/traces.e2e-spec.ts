import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../../../support/build-test-app.ts';
import { FakeUpstream } from '../../../support/fake-upstream.ts';
import { GatewayConsole } from '../../../support/gateway-console.ts';
import { FX_MESSAGES, RelayClient } from '../../../support/relay-client.ts';
import { type SeenSpan, TraceCollector } from './trace-collector.ts';

const PARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
const SERVER = 2;
const CLIENT = 3;

describe('traces over OTLP', () => {
  let collector: TraceCollector;
  let upstream: FakeUpstream;
  let running: TestApp | undefined;

  beforeEach(async () => {
    collector = await TraceCollector.start();
    upstream = await FakeUpstream.start();
  });

  afterEach(async () => {
    await running?.close();
    running = undefined;
    await upstream.close();
    await collector.close();
  });

  async function gateway(env: Record<string, string> = {}): Promise<{ key: string; channelId: number }> {
    running = await startTestApp({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...env } });
    const console = new GatewayConsole(running.url);
    await console.setUp();
    await console.setOptions({ ModelRatio: { 'fx-std': 1, 'fx-json': 1, 'fx-error-500': 1 }, RetryTimes: 0 });
    const channelId = await console.addChannel({
      base_url: upstream.url,
      models: ['fx-std', 'fx-json', 'fx-error-500'],
    });
    const { key } = await console.addToken();
    return { key, channelId };
  }

  /** Spans are sent at the latest when the gateway stops. */
  async function spansAfterStop(): Promise<readonly SeenSpan[]> {
    await running?.close();
    running = undefined;
    return collector.spans;
  }

  async function ask(key: string, model: string, headers: Record<string, string> = {}, stream = false) {
    const client = new RelayClient(running?.url ?? '', key);
    try {
      return await client.ask({ body: { model, messages: FX_MESSAGES, stream }, headers });
    } finally {
      client.close();
    }
  }

  it('a call is a span with its stages and its request to the vendor, under the trace its caller named', async () => {
    const { key, channelId } = await gateway({
      OTEL_SERVICE_NAME: 'gate-1',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test,zone=a%20b',
      OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=hush',
    });
    const answer = await ask(key, 'fx-std', { traceparent: PARENT }, true);
    expect(answer.status).toBe(200);
    const spans = await spansAfterStop();

    const call = spans.find(({ kind }) => kind === SERVER);
    expect(call).toMatchObject({
      name: 'POST /v1/chat/completions',
      traceId: '0af7651916cd43dd8448eb211c80319c',
      parentSpanId: 'b7ad6b7169203331',
      isError: false,
      attributes: {
        'http.request.method': 'POST',
        'http.route': '/v1/chat/completions',
        'tollgate.call_id': answer.headers['x-request-id'],
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'fx-std',
        'gen_ai.usage.input_tokens': 10,
        'gen_ai.usage.output_tokens': 50,
        'gen_ai.response.finish_reasons': ['stop'],
        'tollgate.outcome': 'ok',
        'tollgate.evidence': 'reported',
        'tollgate.stream': true,
      },
    });
    const rooms = spans.filter(({ parentSpanId, kind }) => parentSpanId === call?.spanId && kind !== CLIENT);
    expect(rooms.map(({ name }) => name)).toEqual([
      'identify-caller',
      'parse-call',
      'admit-call',
      'quote-call',
      'reserve-quota',
      'choose-channel',
      'translate-call',
      'record-dispatch',
      'relay-reply',
      'settle-call',
    ]);
    const departure = spans.find(({ kind }) => kind === CLIENT);
    expect(departure).toMatchObject({
      name: 'chat fx-std',
      parentSpanId: rooms.find(({ name }) => name === 'relay-reply')?.spanId,
      attributes: {
        'gen_ai.provider.name': 'openai',
        'gen_ai.system': 'openai',
        'gen_ai.request.model': 'fx-std',
        'gen_ai.usage.output_tokens': 50,
        'tollgate.channel.id': channelId,
        'tollgate.attempt': 1,
        'server.address': '127.0.0.1',
      },
    });
    for (const { startMs, endMs } of spans) expect(endMs).toBeGreaterThanOrEqual(startMs);
    expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
    expect(collector.resource).toMatchObject({
      'service.name': 'gate-1',
      'deployment.environment.name': 'test',
      zone: 'a b',
    });
    expect(collector.headers[0]?.['x-collector-key']).toBe('hush');
  });

  it('puts no prompt, answer, key or vendor message into a trace, and sends it to no upstream', async () => {
    const { key } = await gateway();
    await ask(key, 'fx-std', {}, true);
    await ask(key, 'fx-error-500');
    await spansAfterStop();
    const text = collector.texts.join('\n');
    expect(text).toContain('fx-error-500');
    for (const secret of ['Say tok', 'tok ', 'upstream-key', key.slice(3), 'Bearer'])
      expect(text).not.toContain(secret);
    for (const { headers } of upstream.journal) {
      expect(headers).not.toHaveProperty('traceparent');
      expect(headers).not.toHaveProperty('tracestate');
    }
  });

  it('sends the trace to upstreams when the option is on', async () => {
    const { key } = await gateway({ TRACE_UPSTREAMS: 'true' });
    await ask(key, 'fx-json', { traceparent: PARENT, tracestate: 'vendor=1' });
    const spans = await spansAfterStop();
    const departure = spans.find(({ kind }) => kind === CLIENT);
    expect(upstream.single('fx-json').headers).toMatchObject({
      traceparent: `00-0af7651916cd43dd8448eb211c80319c-${departure?.spanId}-01`,
      tracestate: 'vendor=1',
    });
  });

  it('records a failed try and a refusal by their kinds', async () => {
    const { key } = await gateway();
    await ask(key, 'fx-error-500');
    await ask('sk-nobody', 'fx-json');
    const spans = await spansAfterStop();
    const [failed, refused] = spans.filter(({ kind }) => kind === SERVER);
    expect(failed).toMatchObject({ isError: true, attributes: { 'gen_ai.request.model': 'fx-error-500' } });
    expect(spans.find(({ kind }) => kind === CLIENT)).toMatchObject({
      isError: true,
      attributes: { 'http.response.status_code': 500, 'error.type': 'upstream-overloaded' },
    });
    expect(refused).toMatchObject({ isError: false, attributes: { 'error.type': 'unauthenticated' } });
  });

  it.each([
    ['always_off', {}, 0],
    ['traceidratio', { OTEL_TRACES_SAMPLER_ARG: '0' }, 0],
    ['parentbased_always_off', {}, 1],
  ])('sampler %s', async (sampler, more, calls) => {
    const { key } = await gateway({ OTEL_TRACES_SAMPLER: sampler, ...more });
    await ask(key, 'fx-json', { traceparent: PARENT });
    await ask(key, 'fx-json');
    const spans = await spansAfterStop();
    expect(spans.filter(({ kind }) => kind === SERVER)).toHaveLength(calls);
  });

  it('delays no call and no shutdown when the collector refuses, or is gone', async () => {
    const { key } = await gateway();
    collector.status = 500;
    expect((await ask(key, 'fx-json')).status).toBe(200);
    await collector.close();
    expect((await ask(key, 'fx-json')).status).toBe(200);
    const startedMs = performance.now();
    expect(await spansAfterStop()).toEqual([]);
    expect(performance.now() - startedMs).toBeLessThan(8_000);
  });
});
