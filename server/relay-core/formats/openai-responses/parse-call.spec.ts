import { describe, expect, it } from '@jest/globals';
import { aTarget } from '../../../../test/support/relay-calls.js';
import { openaiResponses } from './index.js';
import { parsed, neutralOf } from '../../../../test/support/fixtures/openai-responses.fixture.js';

describe('requests that are refused', () => {
  it.each([
    [{}, 'input'],
    [{ input: null }, 'input'],
    [{ input: [] }, 'input'],
    [{ input: 5 }, 'input'],
    [{ input: 'x', stream: 'yes' }, 'stream'],
    [{ input: 'x', max_output_tokens: 1.5 }, 'max_output_tokens'],
    [{ input: 'x', max_output_tokens: 2_000_000_000 }, 'max_output_tokens'],
    [{ input: 'x', top_logprobs: 21 }, 'top_logprobs'],
    [{ input: 'x', background: true }, 'background'],
  ])('%j', (body, param) => {
    const result = openaiResponses.parseCall(Buffer.from(JSON.stringify({ model: 'm', ...body })), aTarget());
    expect(result).toMatchObject({ ok: false, error: { kind: 'invalid-request', param } });
  });

  it.each([
    [{ previous_response_id: 'r' }, 'previous_response_id'],
    [{ conversation: { id: 'c' } }, 'conversation'],
    [{ prompt: { id: 'p' } }, 'prompt'],
    [{ input: [{ type: 'item_reference', id: 'i' }] }, 'input.0'],
    [
      {
        tools: [
          { type: 'function', name: 'f' },
          { type: 'mcp', server_label: 's' },
        ],
        tool_choice: { type: 'mcp', server_label: 's' },
      },
      'tools.1',
    ],
    [{ tools: [{ type: 'file_search', vector_store_ids: ['v'] }] }, 'tools.0'],
  ])('refuses it of other formats: %j', (body, param) => {
    const call = parsed({ input: 'x', ...body });
    expect(call.untranslatableReason?.()).toMatchObject({ kind: 'invalid-request', param });
    expect(parsed({ input: 'x', tools: [{ type: 'web_search' }] }).untranslatableReason?.()).toBeUndefined();
  });

  it('a call that asks for several answers has no place here', () => {
    const request = { ...neutralOf({ input: 'x' }), choices: 2 };
    expect(openaiResponses.refuseRequest?.(request)).toMatchObject({ kind: 'invalid-request', param: 'n' });
  });
});
