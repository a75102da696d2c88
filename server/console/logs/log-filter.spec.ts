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
} as Parameters<typeof toLogFilter>[0];
const COMMON = {
  type: 2,
  tokenName: 'laptop',
  modelName: 'gpt-4o',
  group: 'vip',
  requestId: 'r-1',
  fromSeconds: 10,
  toSeconds: 20,
};

describe('toLogFilter', () => {
  it('filters by account and channel for administrators', () => {
    expect(toLogFilter(QUERY)).toEqual({ ...COMMON, username: 'somebody', channelId: 3 });
  });

  it('binds an owner to the own lines, whatever else the query says', () => {
    expect(toLogFilter(QUERY, 7)).toEqual({ ...COMMON, userId: 7, username: '', channelId: 0 });
  });

  it('leaves out what is not asked', () => {
    const { username: _name, channel: _channel, ...rest } = QUERY;
    expect(toLogFilter(rest as typeof QUERY)).toEqual({ ...COMMON, username: '', channelId: 0 });
  });
});
