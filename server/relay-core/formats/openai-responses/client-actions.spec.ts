import { describe, expect, it } from '@jest/globals';
import { oneCall } from '../../../../test/support/one-answer.js';

const item = {
  type: 'computer_call',
  id: 'cu_1',
  call_id: 'call_1',
  status: 'completed',
  action: { type: 'click', button: 'left', x: 1, y: 2 },
  pending_safety_checks: [],
};
const text = {
  type: 'message',
  id: 'm',
  status: 'completed',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'hi', annotations: [] }],
};
const answer = (output: readonly object[]) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  status: 'completed',
  model: 'm',
  output,
  usage: { input_tokens: 5, output_tokens: 2, total_tokens: 7 },
});
const streamed = (output: readonly object[]) => [
  ...output.flatMap((one, at) => [
    { type: 'response.output_item.added', output_index: at, item: one },
    { type: 'response.output_item.done', output_index: at, item: one },
  ]),
  { type: 'response.completed', response: answer(output) },
];

describe('an action that the client should run, and that its API has no form for', () => {
  it.each([
    ['chat', '"finish_reason":"length"'],
    ['messages', '"stop_reason":"max_tokens"'],
    ['gemini', '"finishReason":"MAX_TOKENS"'],
  ])('ends the answer as incomplete: %s', async (api, end) => {
    for (const output of [[item], [text, item]]) {
      const whole = await oneCall({ api, over: 'responses', answer: answer(output) });
      expect(JSON.stringify(whole.body)).toContain(end);
      const events = await oneCall({ api, over: 'responses', answer: streamed(output) });
      expect(JSON.stringify(events.events)).toContain(end);
    }
  });

  it('stays as it came for callers of the same API', async () => {
    const { body } = await oneCall({ api: 'responses', over: 'responses', answer: answer([item]) });
    expect(body).toMatchObject({ status: 'completed', output: [item] });
  });
});
