import { describe, expect, it } from '@jest/globals';
import {
  frame,
  RESPONSE,
  STREAM,
  readAll,
} from '../../../../test/support/fixtures/openai-responses.fixture.js';

describe('streams that are read', () => {
  it('becomes neutral events, two calls side by side', () => {
    const events = readAll(STREAM);
    expect(events.map(({ type }) => type)).toEqual([
      'reply-start',
      'reasoning-delta',
      'reasoning-delta',
      'block-signature',
      'block-end',
      'vendor-part',
      'block-end',
      'text-delta',
      'text-delta',
      'source',
      'block-end',
      'tool-input-start',
      'tool-input-start',
      'tool-input-delta',
      'tool-input-delta',
      'tool-input-delta',
      'block-end',
      'block-end',
      'usage',
      'choice-end',
      'reply-end',
    ]);
    expect(events.find(({ type }) => type === 'usage')).toEqual({
      type: 'usage',
      usage: {
        input: { total: 30, cacheRead: 10 },
        output: { total: 12, reasoning: 4 },
        tools: { 'web-search': 1 },
      },
    });
    expect(events.at(-1)).toEqual({ type: 'reply-end', finish: { unified: 'tool-calls', raw: 'completed' } });
  });

  it('takes ids that change on the way, arguments in one piece, or everything in the last event', () => {
    const late = readAll([
      frame('response.output_item.added', {
        output_index: 0,
        item: { id: 'a', type: 'function_call', call_id: 'c', name: 'f' },
      }),
      frame('response.function_call_arguments.done', { output_index: 0, item_id: 'b', arguments: '{"x":1}' }),
      frame('response.output_item.done', {
        output_index: 0,
        item: { id: 'c', type: 'function_call', call_id: 'c', name: 'f', arguments: '{"x":1}' },
      }),
    ]);
    expect(late.filter(({ type }) => type === 'tool-input-delta')).toMatchObject([{ json: '{"x":1}' }]);
    const output = [{ type: 'message', content: [{ type: 'output_text', text: 'All' }] }];
    const whole = readAll([
      frame('response.completed', { response: { ...RESPONSE, status: 'completed', output } }),
    ]);
    expect(whole.filter(({ type }) => type === 'text-delta')).toMatchObject([{ text: 'All' }]);
  });

  it.each([
    ['max_output_tokens', 'length'],
    ['content_filter', 'content-filter'],
    ['other', 'other'],
  ])('reads one that stops short by %s as %s', (reason, unified) => {
    const response = { ...RESPONSE, status: 'incomplete', incomplete_details: { reason } };
    expect(readAll([frame('response.incomplete', { response })]).at(-1)).toMatchObject({
      finish: { unified },
    });
  });

  it('skips what cannot be read', () => {
    expect(readAll(['{', '[]', '5', '{"type":7}'])).toEqual([
      { type: 'reply-end', finish: { unified: 'other', raw: undefined } },
    ]);
  });
});
