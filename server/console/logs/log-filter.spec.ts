import { describe, expect, it } from '@jest/globals';
import { toLogFilter } from './log-filter.js';

const QUERY = {
  type: 2,
  token_name: 'laptop',
  model_name: 'gpt-4o',
  group: 'vip',
  request_id: 'R-1',
  start_timestamp: 10,
  end_timestamp: 20,
  username: 'somebody',
  channel: 3,
  failed_attempt: 1,
} as Parameters<typeof toLogFilter>[0];
const COMMON = {
  type: 2,
  tokenName: 'laptop',
  modelName: 'gpt-4o',
  group: 'vip',
  requestId: 'r-1',
  onlyCalls: false,
  fromSeconds: 10,
  toSeconds: 20,
};

describe('toLogFilter', () => {
  it('filters by account and channel for administrators', () => {
    expect(toLogFilter(QUERY)).toEqual({
      ...COMMON,
      username: 'somebody',
      channelId: 3,
      hadFailedAttempt: true,
    });
  });

  it('binds an owner to the own lines, whatever else the query holds', () => {
    expect(toLogFilter(QUERY, 7)).toEqual({
      ...COMMON,
      userId: 7,
      username: '',
      channelId: 0,
      hadFailedAttempt: false,
    });
  });

  it('reads tags and end users in the form of calls, and finds no line when nothing is left of it', () => {
    const marks = (tag: string, end_user: string) => {
      const { tag: asked, endUser } = toLogFilter({ ...QUERY, tag, end_user });
      return [asked, endUser];
    };
    expect(marks(' batch  1 ', 'e\u0301')).toEqual(['batch 1', '\u00e9']);
    expect(marks('\u202e', '\ud800')).toEqual([' ', ' ']);
    expect(marks('', '')).toEqual([undefined, undefined]);
  });

  it('leaves out absent filters', () => {
    const { username: _name, channel: _channel, failed_attempt: _failed, ...rest } = QUERY;
    expect(toLogFilter(rest as typeof QUERY)).toEqual({
      ...COMMON,
      username: '',
      channelId: 0,
      hadFailedAttempt: false,
    });
  });
});
