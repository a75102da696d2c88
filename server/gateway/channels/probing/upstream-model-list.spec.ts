import { describe, expect, it } from '@jest/globals';
import type { Route } from '../../../relay-core/ports/channel-picker.js';
import type { HttpSender, UpstreamFault } from '../../../relay-core/ports/http-sender.js';
import type { Provider } from '../../../relay-core/providers/provider.js';
import { readModelList } from './channel-probe.service.js';

const route = { channelType: 1, settings: {} } as unknown as Route;

const provider = {
  operations: {
    chat: [{ readError: ({ status }: { status: number }) => ({ kind: 'upstream-error', status }) }],
  },
  channelTypes: [{ code: 1, name: 'OpenAI' }],
  modelListAddress: () => ({ ok: true, value: 'https://vendor.test/v1/models' }),
  modelListHeaders: () => ({ authorization: 'Bearer key' }),
} as unknown as Provider;

/** Answers every request alike. */
const answering = (body: string, status = 200): HttpSender => ({
  send: (_request, sink) => {
    sink.onHead(status, {});
    sink.onBytes(Buffer.from(body));
    sink.onEnd();
    return { resume: () => undefined, abort: () => undefined };
  },
});
const breaking = (kind: UpstreamFault['kind']): HttpSender => ({
  send: (_request, sink) => {
    sink.onBroken({ kind });
    return { resume: () => undefined, abort: () => undefined };
  },
});
const namesIn = async (document: unknown) => {
  const read = await readModelList(answering(JSON.stringify(document)), provider, route);
  return read.ok ? read.value : read.error.kind;
};

describe('readModelList', () => {
  it.each([
    ['as OpenAI has it', { data: [{ id: 'a' }, { id: 'b' }] }],
    ['bare', [{ id: 'a' }, { id: 'b' }]],
    ['as Ollama has it', { models: [{ name: 'a' }, { name: 'b' }] }],
    ['beside an empty member', { data: null, models: [{ name: 'a' }, { id: null, name: 'b' }] }],
    ['with names as Google writes them', { data: [{ id: 'models/a' }, { id: 'b' }] }],
    ['with a name that is there twice', { data: [{ id: 'a' }, { id: 'models/a' }, { id: ' b ' }] }],
  ])('reads a list %s', async (_what, document) => {
    expect(await namesIn(document)).toEqual(['a', 'b']);
  });

  it('skips entries without a name, or with one that cannot be stored', async () => {
    const odd = [
      null,
      7,
      'a',
      {},
      { id: '' },
      { id: 5 },
      { id: 'models/' },
      { id: ' ' },
      { id: 'm'.repeat(256) },
    ];
    expect(await namesIn({ data: [...odd, { id: 'm'.repeat(255) }] })).toEqual(['m'.repeat(255)]);
    expect(await namesIn({ data: [] })).toEqual([]);
  });

  it('takes ten thousand models at most', async () => {
    const data = Array.from({ length: 10_001 }, (_each, index) => ({ id: `m${index}` }));
    expect(await namesIn({ data })).toHaveLength(10_000);
  });

  it.each([[{}], [null], ['words'], [{ data: {} }], [{ __proto__: { data: [] } }]])(
    'refuses %j, which is no list',
    async (document) => {
      expect(await namesIn(document)).toBe('upstream-malformed');
    },
  );

  it('refuses answers that are no JSON', async () => {
    const read = await readModelList(answering('<html>'), provider, route);
    expect(read).toMatchObject({ ok: false, error: { kind: 'upstream-malformed' } });
  });

  it('names a vendor without a list', async () => {
    const without = { ...provider, modelListAddress: () => undefined } as unknown as Provider;
    expect(await readModelList(answering(''), without, route)).toMatchObject({
      ok: false,
      error: { kind: 'not-implemented', message: 'OpenAI offers no list of its models.' },
    });
  });

  it('reports a refusal with the error codes of calls, and a timeout apart from an unreachable host', async () => {
    const failure = async (sender: HttpSender) => {
      const read = await readModelList(sender, provider, route);
      return read.ok ? 'read' : read.error.kind;
    };
    expect(await failure(answering('no', 401))).toBe('upstream-error');
    expect(await failure(breaking('timeout'))).toBe('upstream-timeout');
    expect(await failure(breaking('reset'))).toBe('upstream-unreachable');
  });
});
