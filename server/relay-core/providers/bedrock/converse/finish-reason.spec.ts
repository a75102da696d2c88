import { describe, expect, it } from '@jest/globals';
import { readFinishReason } from './finish-reason.js';

describe('readFinishReason', () => {
  it.each([
    ['end_turn', 'stop'],
    ['max_tokens', 'length'],
    ['tool_use', 'tool-calls'],
    ['guardrail_intervened', 'content-filter'],
    ['malformed_tool_use', 'error'],
    ['something_new', 'other'],
  ])('reads %s as %s', (raw, unified) => {
    expect(readFinishReason(raw, undefined, false)).toEqual({ unified, raw });
  });

  it('takes the call of the tool that the answer was asked by for the answer', () => {
    expect(readFinishReason('tool_use', undefined, true)).toEqual({ unified: 'stop', raw: 'tool_use' });
    expect(readFinishReason('max_tokens', undefined, true).unified).toBe('length');
  });

  it('names the sequence it stopped at', () => {
    expect(readFinishReason('stop_sequence', 'END', false)).toEqual({
      unified: 'stop',
      raw: 'stop_sequence',
      stopSequence: 'END',
    });
  });
});
