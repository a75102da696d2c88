import { describe, expect, it } from '@jest/globals';
import { choosePath } from './attempt-plan.js';

type Asked = Parameters<typeof choosePath>[0];

const chosen = ({ settings = {}, paramOverride, ...rest }: Partial<Asked> & Partial<Asked['route']> = {}) =>
  choosePath({
    clientFormat: 'openai-chat',
    upstreamFormat: 'openai-chat',
    isSameFraming: true,
    adapts: false,
    passThroughRequests: false,
    ...rest,
    route: { settings, paramOverride },
  });

const BYTES = { request: 'splice', reply: 'bytes', overrides: false };
const TRANSLATED = { request: 'translate', reply: 'translate', overrides: true };

describe('choosePath', () => {
  it.each([
    ['nothing is asked of the channel', {}, BYTES],
    ['the formats differ', { upstreamFormat: 'anthropic-messages' }, TRANSLATED],
    [
      'the formats differ, whatever the operator forces',
      { upstreamFormat: 'anthropic-messages', passThroughRequests: true },
      TRANSLATED,
    ],
    [
      'the operator forces it for all',
      { passThroughRequests: true, adapts: true, paramOverride: { a: 1 } },
      { ...BYTES, isForced: true },
    ],
    [
      'the channel forces it',
      { settings: { passThrough: true, systemPrompt: 'x', forceFormat: true } },
      { ...BYTES, isForced: true },
    ],
    [
      'it is forced and framed otherwise',
      { settings: { passThrough: true }, isSameFraming: false },
      { ...BYTES, reply: 'translate', isForced: true },
    ],
    ['the framing differs', { isSameFraming: false }, { ...BYTES, reply: 'translate' }],
    ['there is a system prompt', { settings: { systemPrompt: 'x' } }, { ...BYTES, request: 'translate' }],
    ['the system prompt is empty', { settings: { systemPrompt: '' } }, BYTES],
    ['the name of the model asks for more', { adapts: true }, { ...BYTES, request: 'translate' }],
    [
      'thoughts are shown as text',
      { settings: { thinkingToContent: true } },
      { ...BYTES, reply: 'translate' },
    ],
    ['the channel overrides parameters', { paramOverride: {} }, { ...BYTES, overrides: true }],
  ] as const)('decides where %s', (_name, asked, plan) => {
    expect(chosen(asked)).toEqual(plan);
  });
});
