import { describe, expect, it } from '@jest/globals';
import { formatQuota } from '../pricing/format-quota.js';
import { fillPlaceholders, type Notice, type NoticeContext, renderNotice } from './notice.js';

const scene = (changes: Partial<NoticeContext> = {}): NoticeContext => ({
  language: 'en',
  systemName: 'Tollgate',
  nowMs: 1_700_000_000_000,
  walletUrl: 'https://gate.example/topup',
  moneyText: (quota) => `${quota} points`,
  ...changes,
});

describe('a notice', () => {
  it.each<[Notice, string]>([
    [{ kind: 'quota-warning', balance: 900, threshold: 1_000 }, 'quota_exceed'],
    [{ kind: 'channel-off', channelId: 7, reason: 'no credit' }, 'channel_update_7_3'],
    [{ kind: 'channel-on', channelId: 7 }, 'channel_update_7_1'],
    [{ kind: 'channel-test', tested: 3, failed: 1 }, 'channel_test'],
    ...(['mismatch', 'foreign', 'paid-again', 'refunded', 'disputed'] as const).map(
      (incident): [Notice, string] => [
        { kind: 'order-incident', tradeNo: 'USR1NO2', incident, detail: 'payment 5' },
        `topup_USR1NO2_${incident}`,
      ],
    ),
    [
      {
        kind: 'limit-near',
        limitId: 3,
        name: 'CI',
        value: 'nightly',
        percent: 80,
        measure: 'quota',
        used: 400,
        amount: 500,
        resetsAtMs: 0,
      },
      'limit_near_3_80',
    ],
    [{ kind: 'token-locked', tokenId: 7, tokenName: 'laptop', reason: 'leaked' }, 'token_locked_7'],
    [
      {
        kind: 'alert',
        words: {
          en: { title: 'Two things are wrong', items: [{ title: 'One', text: 'it broke' }] },
          zh: { title: '有两处异常', items: [{ title: '其一', text: '出现故障' }] },
        },
        statusUrl: 'https://gate.example/status',
      },
      'alert',
    ],
    [{ kind: 'test' }, 'test'],
  ])('%j is of type %s, in both languages', (notice, type) => {
    const [english, chinese] = [
      renderNotice(notice, scene()),
      renderNotice(notice, scene({ language: 'zh' })),
    ];
    expect([english.type, chinese.type]).toEqual([type, type]);
    expect(/[\u4e00-\u9fff]/.test(english.title + english.content)).toBe(false);
    expect(/[\u4e00-\u9fff]/.test(chinese.title + chinese.content)).toBe(true);
    // One value per mark of the content; the values are sent as well.
    expect(chinese.values).toHaveLength(english.values.length);
    expect(fillPlaceholders(english.content, english.values)).not.toContain('{{');
  });

  it('inserts values as they are and does not expand them again [NOTE-102]', () => {
    expect(fillPlaceholders('{{value}} and {{value}}', ['{{value}}', '$&'])).toBe('{{value}} and $&');
    expect(fillPlaceholders('{{value}}, {{value}}', ['one'])).toBe('one, ');
  });
});

describe('quota in texts', () => {
  it('writes dollars with six decimals, or points', () => {
    const dollars = { DisplayInCurrencyEnabled: true, QuotaPerUnit: 500_000 };
    // 1,250,000 / 500,000 = 2.5.
    expect(formatQuota(1_250_000, dollars)).toBe('$2.500000');
    expect(formatQuota(-1, dollars)).toBe('-$0.000002');
    const points = { ...dollars, DisplayInCurrencyEnabled: false };
    expect(formatQuota(1_250_000, points)).toBe('1250000 points');
    expect(formatQuota(1_250_000, points, 'zh')).toBe('1250000 点额度');
  });
});
