import { describe, expect, it } from '@jest/globals';
import i18next from 'i18next';
import { en } from '../../i18n/en';
import { zh } from '../../i18n/zh';
import { isAuditAction } from '../../shared/audit-actions/audit-action';
import { formatQuota } from '../../shared/format/quota';
import { movedBy } from './log-event';
import { logText } from './log-text';
import type { LogTexts } from './use-log-texts';

async function words(lng: 'en' | 'zh', ratios = true): Promise<LogTexts> {
  const resources = { en: { translation: en }, zh: { translation: zh } };
  const texts = i18next.createInstance();
  const t = await texts.init({ lng, resources, interpolation: { escapeValue: false } });
  return {
    t,
    money: (quota) => formatQuota(quota),
    quotaPerUnit: 500_000,
    ratios,
    moment: (seconds) => new Date(seconds * 1_000).toISOString().slice(0, 10),
    method: (type) => (type === 'alipay' ? t('money.method.alipay') : type),
    action: (code) => (isAuditAction(code, texts) ? t(`audit.action.${code}`) : undefined),
    member: (name) => name,
  };
}

const RATIOS = { model_ratio: 1.25, completion_ratio: 4, group_ratio: 1, model_price: -1 };
const STORED = 'model ratio 1.25, completion ratio 4.00, group ratio 1.00';

const call = (other: unknown, content = STORED) => ({
  type: 2,
  content,
  other: JSON.stringify(other),
  username: 'ada',
});

describe('the text of a log line', () => {
  it('shows the price of a call in the reader’s language', async () => {
    expect(logText(call(RATIOS), await words('en'))).toBe(
      'Model ratio 1.25, completion ratio 4.00, group ratio 1.00',
    );
    expect(logText(call(RATIOS), await words('zh'))).toBe('模型倍率 1.25，补全倍率 4.00，分组倍率 1.00');
    expect(logText(call({ ...RATIOS, model_ratio: 0, model_price: 0.0125 }), await words('zh'))).toBe(
      '按次计费 $0.0125，分组倍率 1.00',
    );
  });

  it('has prices as money, all factors multiplied in, until ratios are wanted', async () => {
    const money = async (lng: 'en' | 'zh', other: object) =>
      logText(call({ ...RATIOS, group_ratio: 2, ...other }), await words(lng, false));
    expect(await money('en', {})).toBe('$5.00 input, $20.00 output per 1M tokens');
    expect(await money('zh', {})).toBe('每百万 Token：输入 $5.00，输出 $20.00');
    expect(await money('en', { model_ratio: 0, model_price: 0.0125 })).toBe('$0.025 per call');
  });

  it('shows the ending and a missing price, and keeps unknown notes', async () => {
    const t = await words('zh');
    const unset = `${STORED}, price not set: fallback ratio`;
    expect(
      logText(
        call(
          { ...RATIOS, outcome: 'client_abort' },
          `${unset}; the upstream reported no usage; The client closed the connection.`,
        ),
        t,
      ),
    ).toBe(
      [
        '模型倍率 1.25，补全倍率 4.00，分组倍率 1.00',
        zh.logs.text.unset,
        'the upstream reported no usage',
        zh.logs.outcome.client_abort,
      ].join(' · '),
    );
    expect(logText(call({ ...RATIOS, outcome: 'ok' }, `${STORED}; something new`), t)).toContain(
      ' · something new',
    );
  });

  it('explains the price of a call whatever its ending, and names the account of an agreed factor', async () => {
    const notes = 'service tier flex × 0.5; above 1000 input tokens: input × 2, output × 3';
    const line = call({ ...RATIOS, outcome: 'partial' }, `${STORED}; ${notes}; the connection broke`);
    expect(logText(line, await words('en'))).toBe(
      [
        'Model ratio 1.25, completion ratio 4.00, group ratio 1.00',
        ...notes.split('; '),
        en.logs.outcome.partial,
      ].join(' · '),
    );
    const agreed = { ...RATIOS, group_ratio: 0.5, user_group: 'vip' };
    expect(logText(call(agreed), await words('en'))).toContain(' · special rate for accounts of vip');
    expect(logText(call({ ...agreed, user_group_model: 'gpt-4*' }), await words('zh'))).toContain(
      ' · 为 vip 分组的用户使用 gpt-4* 约定',
    );
  });

  it.each([
    [
      { code: 'redeemed', redemption_id: 7 },
      { en: 'Redeemed code #7', zh: '使用兑换码 #7' },
    ],
    [
      { code: 'paid', trade_no: 'USR1', paid: '10.00', currency: '', method: 'alipay' },
      { en: 'Topped up with Alipay, paid CNY 10.00', zh: '通过支付宝充值，实付 CNY 10.00' },
    ],
    [
      { code: 'paid', trade_no: 'USR1', paid: '15.00', currency: 'usd', method: 'stripe' },
      { en: 'Topped up with stripe, paid USD 15.00', zh: '通过stripe充值，实付 USD 15.00' },
    ],
    [
      { code: 'task_failed', platform: 'suno', task_id: 't-1', reason: 'no credit', request_id: 'x' },
      { en: 'Suno task t-1 failed · no credit', zh: 'Suno 任务 t-1 失败 · no credit' },
    ],
    [
      { code: 'grant_inviter', account_id: 9 },
      { en: 'Reward for inviting account #9', zh: '邀请用户 #9 的奖励' },
    ],
    [
      { code: 'channel.off', channel_id: 3, reason: 'HTTP 401' },
      { en: 'Channel #3 disabled automatically · HTTP 401', zh: '渠道 #3 被自动禁用 · HTTP 401' },
    ],
    [
      {
        code: 'user.add_quota',
        operator: 'root',
        operator_id: 1,
        quota: -500_000,
        quota_after: 1_500_000,
        reason: 'wrong top-up',
      },
      {
        en: 'Balance adjusted · balance $3.00 · wrong top-up · by root',
        zh: '调整余额 · 余额 $3.00 · wrong top-up · 操作人：root',
      },
    ],
    [
      { code: 'option.change', operator: 'ada', members: ['ModelRatio'], side: 'before', version_id: 4 },
      {
        en: 'Settings changed · ModelRatio · back to before version 4',
        zh: '修改设置 · ModelRatio · 恢复到版本 4 之前',
      },
    ],
    [
      { code: 'log.delete', operator: 'ada', count: 1, before: 86_400 },
      {
        en: 'Log lines deleted · 1 line · older than 1970-01-02',
        zh: '删除日志 · 1 条日志 · 早于 1970-01-02',
      },
    ],
    [
      { code: 'channel.tag-status', operator: 'ada', tag: 'eu', count: 2, status: 2 },
      {
        en: 'Channels of a tag enabled or disabled · tag eu · disabled · 2 channels',
        zh: '启用或禁用标签下的渠道 · 标签 eu · 禁用 · 2 个渠道',
      },
    ],
  ])('writes the event of a line in both languages: %j', async (event, said) => {
    const line = { type: 4, content: 'English', username: 'ada', other: JSON.stringify({ event }) };
    expect(logText(line, await words('en'))).toBe(said.en);
    expect(logText(line, await words('zh'))).toBe(said.zh);
  });

  it('shows the moved quota: of the event, else of the line', () => {
    const other = JSON.stringify({ event: { code: 'user.add_quota', quota: -5 } });
    expect(movedBy({ quota: 0, other })).toBe(-5);
    expect(movedBy({ quota: 7, other: '{"event":{"code":"redeemed"}}' })).toBe(7);
  });

  it('leaves every other text as it is stored', async () => {
    const t = await words('zh');
    const line = { type: 3, content: 'Changed channel 1', username: 'ada' };
    expect(logText({ ...line, other: '' }, t)).toBe('Changed channel 1');
    expect(logText({ ...line, other: '{"event":{"code":"of.tomorrow"}}' }, t)).toBe('Changed channel 1');
    expect(logText({ ...line, other: '{"event":"odd"}' }, t)).toBe('Changed channel 1');
    expect(logText({ ...line, type: 5, content: 'HTTP 500', other: '' }, t)).toBe('HTTP 500');
    expect(logText(call({ group_ratio: 'x' }), t)).toBe(STORED);
    expect(logText({ ...call({}), other: '' }, t)).toBe(STORED);
  });
});
