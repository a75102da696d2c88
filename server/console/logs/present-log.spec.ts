import { describe, expect, it } from '@jest/globals';
import type { LogEntity } from '../../base/logs/log.entity.js';
import { presentLog, presentOwnLog } from './present-log.js';

const line = (other: string): LogEntity => ({
  id: 77,
  userId: 1,
  createdAt: 5,
  type: 5,
  content: 'text',
  username: 'ann',
  tokenName: 't',
  modelName: 'm',
  quota: 1,
  promptTokens: 2,
  completionTokens: 3,
  useTime: 4,
  isStream: true,
  channelId: 9,
  tokenId: 6,
  group: 'default',
  other,
  requestId: 'r',
});

describe('log lines', () => {
  it('hides channel, path and row id from owners [LOG-01]', () => {
    const other = JSON.stringify({
      frt: 10,
      channel_id: 9,
      channel_name: 'secret',
      channel_type: 1,
      admin_info: { use_channel: ['9'] },
    });
    const own = presentOwnLog(line(other), 3);
    expect(own).toMatchObject({ id: 3, channel: 0, channel_name: '', request_id: 'r' });
    expect(JSON.parse(own.other)).toEqual({ frt: 10 });
  });

  it('does not tell an owner which administrator changed the account', () => {
    const event = { code: 'user.add_quota', operator: 'boss', operator_id: 7, quota: 5 };
    const act = {
      ...line(JSON.stringify({ event, admin_info: { operator: 'boss' } })),
      content: 'Administrator boss (id 7) raised the balance',
    };
    const own = presentOwnLog(act, 1);
    expect(own.content).toBe('An administrator raised the balance');
    expect(JSON.parse(own.other)).toEqual({ event: { code: 'user.add_quota', quota: 5 } });
    expect(JSON.stringify(presentLog(act, ''))).toContain('boss');
    // What one did oneself one may read.
    expect(presentOwnLog({ ...act, userId: 7 }, 1).content).toBe(act.content);
  });

  it('shows them to administrators', () => {
    const shown = presentLog(line('{"admin_info":{"use_channel":["9"]}}'), 'upstream');
    expect(shown).toMatchObject({ id: 77, channel: 9, channel_name: 'upstream' });
    expect(JSON.parse(shown.other)).toEqual({ admin_info: { use_channel: ['9'] } });
  });

  it.each(['', 'null', '[]', '1', '{broken'])('makes an object of the details %j [LOG-105]', (other) => {
    expect(presentOwnLog(line(other), 1).other).toBe('{}');
    expect(presentLog(line(other), '').other).toBe('{}');
  });
});
