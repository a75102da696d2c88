import { describe, expect, it } from '@jest/globals';
import { readStopReason, writeStopReason } from './finish-reason.js';

describe('readStopReason', () => {
  it.each([
    ['end_turn', 'stop'],
    ['pause_turn', 'length'],
    ['max_tokens', 'length'],
    ['model_context_window_exceeded', 'length'],
    ['tool_use', 'tool-calls'],
    ['refusal', 'content-filter'],
    ['something_new', 'other'],
  ])('reads %s as %s', (raw, unified) => {
    expect(readStopReason(raw, null)).toEqual({ unified, raw });
  });

  it('names the sequence it stopped at', () => {
    expect(readStopReason('stop_sequence', 'END')).toEqual({
      unified: 'stop',
      raw: 'stop_sequence',
      stopSequence: 'END',
    });
    expect(readStopReason('end_turn', '')).not.toHaveProperty('stopSequence');
  });
});

describe('writeStopReason', () => {
  it.each([
    [undefined, false, 'end_turn'],
    [undefined, true, 'tool_use'],
    [{ unified: 'stop', raw: 'stop' }, false, 'end_turn'],
    [{ unified: 'stop', raw: 'stop' }, true, 'tool_use'],
    [{ unified: 'length', raw: 'length' }, true, 'max_tokens'],
    [{ unified: 'content-filter', raw: 'SAFETY' }, false, 'refusal'],
    [{ unified: 'error', raw: 'error' }, false, 'max_tokens'],
    [{ unified: 'length', raw: 'pause_turn' }, true, 'pause_turn'],
    [{ unified: 'length', raw: 'compaction' }, false, 'compaction'],
    [{ unified: 'other', raw: 'repetition_truncation' }, false, 'max_tokens'],
    [{ unified: 'other', raw: 'abort' }, true, 'tool_use'],
    [{ unified: 'other', raw: undefined }, false, 'end_turn'],
  ] as const)('writes %j with tool calls %p as %s', (finish, hasCalls, reason) => {
    expect(writeStopReason(finish, hasCalls)).toEqual({ stop_reason: reason, stop_sequence: null });
  });

  it('returns a stop sequence, whatever the vendor called it', () => {
    expect(writeStopReason({ unified: 'stop', raw: 'stop', stopSequence: 'END' }, true)).toEqual({
      stop_reason: 'stop_sequence',
      stop_sequence: 'END',
    });
  });
});
