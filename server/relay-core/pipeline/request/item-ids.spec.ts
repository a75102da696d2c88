import { describe, expect, it } from '@jest/globals';
import { RESPONSE, sentTo } from '../../../../test/support/sent-to.js';
import type { Json } from '../../../../test/support/strict-vendors/story.js';

const words = (text: string): Json[] => [{ type: 'output_text', text, annotations: [] }];
const message = (id?: string): Json => ({
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: words('Hi'),
  ...(id === undefined ? {} : { id }),
});
const call = (id?: string): Json => ({
  type: 'function_call',
  call_id: 'call_1',
  name: 'f',
  arguments: '{"n":1.0}',
  ...(id === undefined ? {} : { id }),
});
const output = { type: 'function_call_output', call_id: 'call_1', output: 'r' };
const question = { role: 'user', content: 'Go on' };

const inputAt = async (input: readonly Json[], upstreamModel = 'gpt-5'): Promise<unknown> => {
  const route = { baseUrl: '', upstreamModel, answer: RESPONSE };
  return (await sentTo(1, 'responses', { input }, route)).body['input'];
};

describe('ids of items that OpenAI refuses', () => {
  it.each([
    'item_3bc5a3fa8ccde25f1c0000d4',
    '019f629b-43ee-7a82-acb1-3071dbffbdad',
    'chatcmpl-dfa2da3a',
    'call_1',
    '',
  ])('leave messages and calls: %j', async (id) => {
    const input = [message(id), call(id), { ...output, id }, { ...question, id }];
    expect(await inputAt(input)).toEqual([message(), call(), output, question]);
  });

  it('stay where they are the own ones of the same history', async () => {
    const own = [message('msg_1'), call('fc_1'), output, question];
    expect(await inputAt(own)).toEqual(own);
    expect(await inputAt([message('item_1'), ...own])).toEqual([message(), ...own]);
  });

  it('stay in thoughts and in references', async () => {
    const kept = [{ type: 'item_reference', id: 'item_1' }, question];
    expect(await inputAt(kept)).toEqual(kept);
  });

  it('pass to vendors that take any', async () => {
    const input = [message('item_1'), question];
    const { body } = await sentTo(
      48,
      'responses',
      { input },
      { baseUrl: '', upstreamModel: 'grok-4', answer: RESPONSE },
    );
    expect(body['input']).toEqual(input);
  });
});
