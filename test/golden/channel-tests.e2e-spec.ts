import { describe, expect, it } from '@jest/globals';
import { CollectedReply } from '../../server/gateway/channels/probing/probe-call.js';
import { ProbeCall, type ProbeResult } from '../../server/gateway/channels/probing/probe-call.js';
import { findClientRoute } from '../../server/gateway/channels/probing/probe-endpoints.js';
import { type CallEndpoint, PROBE_ENDPOINTS } from '../../server/gateway/channels/state/probe-kinds.js';
import { ProbePorts } from '../../server/gateway/channels/probing/probe-ports.js';
import { UpstreamPorts } from '../../server/gateway/channels/upstream/upstream-ports.js';
import { ProbeSession } from '../../server/gateway/channels/probing/probe-session.js';
import { oneSecondOfSpeech } from '../../server/gateway/channels/probing/probe-endpoints.js';
import type { Route } from '../../server/relay-core/ports/channel-picker.js';
import type { RealtimeDialer } from '../../server/relay-core/ports/realtime-socket.js';
import { AudioLength } from '../../server/relay-core/formats/shared/audio/audio-length.js';
import { NO_CHANNEL_LIMITS } from '../support/fixtures/channel-limits.fixture.js';
import { MemoryPorts } from '../support/memory-ports.js';
import type { MemoryExchange } from '../support/memory-sides.js';
import { answerBytes } from './matrix-answers.js';
import { type Cell, everyCell } from './matrix-cells.js';
import { PICTURE, PICTURE_ADDRESS } from './matrix-other-answers.js';

const NO_DIALER: RealtimeDialer = {
  dial: () => {
    throw new Error('a call opens no session');
  },
};
const KINDS = PROBE_ENDPOINTS.filter((endpoint): endpoint is CallEndpoint => endpoint !== 'realtime');

interface Probe {
  readonly name: string;
  readonly endpoint: CallEndpoint;
  readonly cell: Cell;
}

/** Every kind of test against every vendor that serves its address, by every operation: a new one is tested by existing. */
async function everyProbe(): Promise<readonly Probe[]> {
  const cells = (await everyCell()).filter(({ address, isForced }) => address !== undefined && !isForced);
  return KINDS.flatMap((endpoint) =>
    cells.flatMap((cell) => {
      const clientRoute = findClientRoute(endpoint, cell.route.upstreamModel, cell.stream);
      const isHere = clientRoute?.route === cell.clientRoute && clientRoute.dialect === cell.dialect;
      return isHere ? [{ name: `${endpoint}: ${cell.name}`, endpoint, cell }] : [];
    }),
  );
}

function proberOf(script: (exchange: MemoryExchange) => void): {
  readonly ports: MemoryPorts;
  readonly test: (route: Route, endpoint: CallEndpoint, stream: boolean) => Promise<ProbeResult>;
} {
  const memory = new MemoryPorts();
  const { sender, media, tokens, counter, options, clock, gateway } = memory;
  const ids = { callId: () => '01900000-0000-7000-8000-000000000000' };
  media.files.set(PICTURE_ADDRESS, { base64: PICTURE, mediaType: 'image/png' });
  sender.scripts = [script];
  const upstream = new UpstreamPorts(sender, media, counter, gateway, clock);
  const ports = new ProbePorts(upstream, tokens, options, NO_CHANNEL_LIMITS);
  const calls = new ProbeCall(ports, new ProbeSession(ports, NO_DIALER, clock, ids), clock, ids);
  return {
    ports: memory,
    test: (route, endpoint, stream) => calls.run(route, route.upstreamModel, endpoint, stream),
  };
}

const PROBES = await everyProbe();

describe('a test of a channel by every kind of call its vendor serves', () => {
  it('has a probe for every kind that is a call', () => {
    const known = new Set(PROBES.map(({ endpoint }) => endpoint));
    expect(KINDS.filter((endpoint) => !known.has(endpoint))).toEqual([]);
  });

  it.each(PROBES)(
    '$name: succeeds with what the vendor answers, and fails with its refusal',
    async (probe) => {
      const { cell, endpoint } = probe;
      const good = proberOf((upstream) => {
        const isInvoked = cell.stream && upstream.request.url.includes('/invoke');
        const { type, body } = answerBytes(cell.apiFormat, cell.stream, isInvoked);
        upstream.head(200, { 'content-type': type }).bytes(body).end();
      });
      expect(await good.test(cell.route, endpoint, cell.stream)).toMatchObject({
        success: true,
        message: '',
        endpoint,
        error: undefined,
        text: expect.stringMatching(/./),
      });
      expect(good.ports.sender.exchanges).toHaveLength(1);

      const bad = proberOf((upstream) =>
        upstream.json(401, { error: { message: 'Incorrect API key provided', code: 'invalid_api_key' } }),
      );
      const refused = await bad.test(cell.route, endpoint, cell.stream);
      expect(refused).toMatchObject({ success: false, error: { kind: 'upstream-key-refused' } });
      expect(refused.message).not.toBe('');
    },
  );
});

describe('what a test of transcription sends', () => {
  it('sends one second of audible sound', () => {
    const file = oneSecondOfSpeech();
    const length = new AudioLength(undefined);
    length.push(file);
    expect(length.seconds()).toBe(1);
    const samples = Array.from({ length: (file.length - 44) / 2 }, (_unused, at) =>
      file.readInt16LE(44 + at * 2),
    );
    const loudness = Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length);
    expect(loudness).toBeGreaterThan(500);
    expect(Math.max(...samples.map(Math.abs))).toBeLessThan(0x7fff);
  });

  it('arrives as a file of a form beside the model', async () => {
    const { ports, test } = proberOf((upstream) => upstream.json(200, { text: 'Ah.' }));
    const route = PROBES.find(({ endpoint }) => endpoint === 'transcriptions')?.cell.route;
    if (route === undefined) throw new Error('nobody transcribes');
    expect(
      (await test({ ...route, channelType: 1, upstreamModel: 'whisper-1' }, 'transcriptions', false)).text,
    ).toBe('Ah.');
    const [exchange] = ports.sender.exchanges;
    expect(exchange?.request.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(exchange?.request.body?.includes(oneSecondOfSpeech())).toBe(true);
    expect(exchange?.request.body?.toString('latin1')).toContain('whisper-1');
  });
});

describe('what a test of speech shows', () => {
  it('shows the kind and the size of the sound', () => {
    const reply = new CollectedReply(new MemoryPorts().clock);
    reply.writeHead(200, { 'content-type': 'audio/mpeg' });
    reply.end(Buffer.alloc(1_234));
    expect([reply.contentType, reply.sizeBytes]).toEqual(['audio/mpeg', 1_234]);
  });
});
