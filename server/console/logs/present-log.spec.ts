import { describe, expect, it } from '@jest/globals';
import type { LogEntity } from '../../base/logs/log.entity.js';
import { TASK_REASONS } from '../../base/logs/task-reasons.js';
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
  tags: '',
  endUser: '',
  tokenId: 6,
  hadFailedAttempt: 0,
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

  it('renders a stored refusal in the language of the reader', () => {
    const refusal = { code: 'no-channel', values: { model: 'm', group: 'vip' } };
    const refused = line(JSON.stringify({ refusal }));
    expect(presentLog(refused, '', 'zh').content).toBe('分组 vip 下没有可用于模型 m 的渠道。');
    expect(presentOwnLog(refused, 1, 'zh').content).toBe('分组 vip 下没有可用于模型 m 的渠道。');
    expect(presentOwnLog(refused, 1, 'en').content).toBe('text');
    // Lines of a newer version, of an older one, and imported ones.
    for (const other of [{ refusal: { code: 'new-one', values: {} } }, {}, { refusal: 5 }])
      expect(presentLog(line(JSON.stringify(other)), '', 'zh').content).toBe('text');
  });

  it('frames a provider’s message and names parts of a price in the language of the reader', () => {
    const said = { admin_info: { upstream_error: 'The provider answered 401: Incorrect key' } };
    const shown = JSON.parse(presentLog(line(JSON.stringify(said)), '', 'zh').other) as typeof said;
    expect(shown.admin_info.upstream_error).toBe('服务商返回 401：Incorrect key');
    const call = {
      ...line(JSON.stringify({ model_price: -1 })),
      content: 'ratio; cache read 5 tokens at ratio 0.1',
    };
    expect(presentLog(call, '', 'zh').content).toBe('ratio; 缓存读取 5 Token，倍率 0.1');
    expect(presentOwnLog(call, 1, 'zh').content).toBe('ratio; 缓存读取 5 Token，倍率 0.1');
    expect(presentLog(call, '', 'en').content).toBe(call.content);
  });

  it('renders the gateway’s own reason of a failed task in the language of the reader', () => {
    const lineOf = (event: object) => line(JSON.stringify({ event }));
    const eventOf = ({ other }: { readonly other: string }): unknown =>
      (JSON.parse(other) as { readonly event: unknown }).event;
    const failed = { code: 'task_failed', task_id: 'a', reason: TASK_REASONS.overdue.en };
    const inChinese = { ...failed, reason: TASK_REASONS.overdue.zh };
    expect(eventOf(presentLog(lineOf(failed), '', 'zh'))).toEqual(inChinese);
    expect(eventOf(presentOwnLog(lineOf(failed), 1, 'zh'))).toEqual(inChinese);
    expect(eventOf(presentLog(lineOf(failed), '', 'en'))).toEqual(failed);
    // A vendor's words, a line without a reason, and an event of another kind.
    for (const event of [
      { ...failed, reason: 'no credits' },
      { code: 'task_failed' },
      { ...failed, code: 'x' },
    ])
      expect(eventOf(presentLog(lineOf(event), '', 'zh'))).toEqual(event);
  });

  it('does not show an owner which administrator changed the account', () => {
    const event = { code: 'user.add_quota', operator: 'boss', operator_id: 7, quota: 5 };
    const act = {
      ...line(JSON.stringify({ event, admin_info: { operator: 'boss' } })),
      content: 'Administrator boss (id 7) raised the balance',
    };
    const own = presentOwnLog(act, 1);
    expect(own.content).toBe('An administrator raised the balance');
    expect(JSON.parse(own.other)).toEqual({ event: { code: 'user.add_quota', quota: 5 } });
    expect(JSON.stringify(presentLog(act, ''))).toContain('boss');
    // Owners may read their own actions.
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
