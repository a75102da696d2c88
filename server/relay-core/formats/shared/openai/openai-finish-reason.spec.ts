import { describe, expect, it } from '@jest/globals';
import { isOpenaiFinishReason, readFinishReason, writeFinishReason } from './openai-finish-reason.js';

describe('readFinishReason', () => {
  it.each([
    ['stop', false, 'stop'],
    ['stop', true, 'tool-calls'],
    ['eos', false, 'stop'],
    ['eos_token', false, 'stop'],
    ['stop_sequence', false, 'stop'],
    ['max_output', false, 'length'],
    ['length', true, 'length'],
    ['max_tokens', false, 'length'],
    ['function_call', false, 'tool-calls'],
    ['sensitive', false, 'content-filter'],
    ['network_error', false, 'error'],
    ['something_new', false, 'other'],
    ['something_new', true, 'tool-calls'],
  ])('reads %s with calls %p as %s', (raw, hasCalls, unified) => {
    expect(readFinishReason(raw, hasCalls)).toEqual({ unified, raw });
  });
});

describe('writeFinishReason', () => {
  it.each([
    [{ unified: 'stop', raw: 'end_turn' }, 'stop'],
    [{ unified: 'tool-calls', raw: 'tool_use' }, 'tool_calls'],
    [{ unified: 'tool-calls', raw: 'function_call' }, 'function_call'],
    [{ unified: 'content-filter', raw: 'refusal' }, 'content_filter'],
    [{ unified: 'error', raw: 'error' }, 'length'],
    [{ unified: 'other', raw: 'pause' }, 'length'],
    [{ unified: 'other', raw: undefined }, 'stop'],
  ] as const)('writes %j as %s, a word every client knows', (finish, word) => {
    expect(writeFinishReason(finish)).toBe(word);
    expect(isOpenaiFinishReason(word)).toBe(true);
  });

  it('returns tool calls for a word of no table where a call came', () => {
    expect(writeFinishReason({ unified: 'other', raw: 'ERROR_LIMIT' }, true)).toBe('tool_calls');
  });

  it('does not pass words of look-alikes for OpenAI’s own', () => {
    expect(['eos', 'sensitive', 'end_turn', ''].some(isOpenaiFinishReason)).toBe(false);
  });
});
