import { describe, expect, it } from '@jest/globals';
import { aRoute } from '../../../../test/support/memory-ports.js';
import { aProviderCall } from '../../../../test/support/relay-calls.js';
import { findOperation, type ProviderCall } from '../provider.js';
import { findProvider } from '../registry.js';

const OPENAI = 1;
const CUSTOM = 8;
const PATHS = {
  responses_path: '/v1/responses',
  messages_path: '/anthropic/v1/messages',
  gemini_path: '/gemini/v1beta',
};

interface Asked {
  readonly from: string;
  readonly type?: number;
  readonly baseUrl?: string;
  readonly stream?: boolean;
  readonly paths?: Readonly<Record<string, string>>;
}

function callOf({
  from,
  type = OPENAI,
  baseUrl = 'https://a.example/v1',
  stream = false,
  paths = PATHS,
}: Asked) {
  const { shape } = aProviderCall();
  return aProviderCall({
    route: aRoute({ channelType: type, baseUrl, upstreamModel: 'm', settings: { vendor: paths } }),
    clientFormat: from,
    shape: { ...shape, stream },
  });
}

function operationOf(call: ProviderCall) {
  const provider = findProvider(call.route.channelType);
  if (!provider.ok) throw new Error(provider.error.message);
  const operation = findOperation(provider.value, 'chat', call);
  if (operation === undefined) throw new Error('no operation');
  return operation;
}

/** Format and address of the upstream. */
function placeOf(asked: Asked): readonly [string, string] {
  const call = callOf(asked);
  const operation = operationOf(call);
  const address = operation.address(call);
  return [operation.apiFormat.id, address.ok ? address.value : address.error.kind];
}

describe('paths of other APIs at a channel of type 1 or 8', () => {
  it.each([
    ['openai-chat', 'https://a.example/v1/chat/completions'],
    ['openai-responses', 'https://a.example/v1/responses'],
    ['anthropic-messages', 'https://a.example/anthropic/v1/messages'],
    ['gemini-generate', 'https://a.example/gemini/v1beta/models/m:generateContent'],
  ])('serves callers of %s at %s', (from, address) => {
    expect(placeOf({ from })).toEqual([from, address]);
    expect(placeOf({ from, type: CUSTOM, baseUrl: 'https://a.example/v1/chat/completions' })).toEqual([
      from,
      address,
    ]);
  });

  it('translates calls of an API whose path is not named', () => {
    const chat = ['openai-chat', 'https://a.example/v1/chat/completions'];
    for (const from of ['openai-responses', 'anthropic-messages', 'gemini-generate'])
      expect(placeOf({ from, paths: { messages_path: '' } })).toEqual(chat);
  });

  it('reads no path at other types', () => {
    expect(placeOf({ from: 'gemini-generate', type: 43 })[0]).toBe('openai-chat');
  });

  it('joins a path to the host alone, whichever prefix the base address repeats', () => {
    const from = 'anthropic-messages';
    const address = 'https://a.example/anthropic/v1/messages';
    for (const baseUrl of ['https://a.example', 'https://a.example/', 'https://a.example/anthropic'])
      expect(placeOf({ from, baseUrl })).toEqual([from, address]);
  });

  it('streams at the Gemini path, and sends the key as each API takes it', () => {
    expect(placeOf({ from: 'gemini-generate', stream: true })[1]).toMatch(/:streamGenerateContent\?alt=sse$/);
    const headersOf = (from: string) => {
      const call = callOf({ from });
      return operationOf(call).headers(call);
    };
    const { credential } = aRoute();
    expect(headersOf('gemini-generate')).toMatchObject({ 'x-goog-api-key': credential });
    expect(headersOf('gemini-generate')).not.toHaveProperty('authorization');
    expect(headersOf('anthropic-messages')).toMatchObject({
      'x-api-key': credential,
      authorization: `Bearer ${credential}`,
    });
    expect(headersOf('openai-responses')).toMatchObject({ authorization: `Bearer ${credential}` });
  });
});
