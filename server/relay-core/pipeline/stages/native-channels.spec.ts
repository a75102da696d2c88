import { describe, expect, it } from '@jest/globals';
import { aRoute, someOptions } from '../../../../test/support/memory-ports.js';
import { aClientCall, clientRouteOf } from '../../../../test/support/relay-calls.js';
import { anthropic } from '../../dialects/anthropic.js';
import type { Dialect } from '../../dialects/dialect.js';
import { gemini } from '../../dialects/gemini.js';
import { openai } from '../../dialects/openai.js';
import { findProvider } from '../../providers/registry.js';
import { parseCall } from './identify-and-parse.js';
import { nativeChannels } from './choose-channel.js';

const BODY = {
  model: 'm',
  max_tokens: 5,
  messages: [{ role: 'user', content: 'hi' }],
  contents: [{ parts: [{ text: 'hi' }] }],
};
const OPENAI = 1;
const CUSTOM = 8;
const ANTHROPIC = 14;
const GEMINI = 24;
const DEEPSEEK = 43;
const UNSERVED = 999;

function nativeTest(dialect: Dialect, prefersNative?: (group: string) => boolean) {
  const call = aClientCall({ body: Buffer.from(JSON.stringify(BODY)), pathModel: 'm' });
  const clientCall = parseCall({ call, clientRoute: clientRouteOf(dialect, 'chat') });
  if (!clientCall.ok) throw new Error(clientCall.error.message);
  const options = someOptions(prefersNative === undefined ? {} : { prefersNative });
  return nativeChannels(
    { findProvider },
    { clientCall: clientCall.value, operation: 'chat', options, group: 'default' },
  );
}

describe('nativeChannels', () => {
  it.each([
    ['chat', openai, [OPENAI, CUSTOM, DEEPSEEK]],
    ['Messages', anthropic, [ANTHROPIC, DEEPSEEK]],
    ['Gemini', gemini, [GEMINI]],
  ] as const)('finds the channel types whose API is %s', (_api, dialect, native) => {
    const isNative = nativeTest(dialect, () => true);
    const types = [OPENAI, CUSTOM, ANTHROPIC, GEMINI, DEEPSEEK, UNSERVED];
    expect(types.filter((channelType) => isNative?.(aRoute({ channelType })) === true)).toEqual(native);
  });

  it('looks at the address of a channel where that decides', () => {
    const isNative = nativeTest(anthropic, () => true);
    const custom = (baseUrl: string) => isNative?.(aRoute({ channelType: CUSTOM, baseUrl }));
    expect([custom('https://a.example/v1/messages'), custom('https://a.example/v1/chat')]).toEqual([
      true,
      false,
    ]);
  });

  it('prefers none where the group does not, or no operator chose', () => {
    expect(nativeTest(anthropic, (group) => group !== 'default')).toBeUndefined();
    expect(nativeTest(anthropic)).toBeUndefined();
  });
});
