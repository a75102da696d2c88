import type { Language } from '../../common/language.js';
import type { MailTemplate, MailValues } from './mail/mail-templates.js';

/**
 * Order incidents that need a person: paid otherwise than agreed, paid by another order's payment, paid twice, paid back, or
 * disputed by the payer.
 */
export type OrderIncident = keyof (typeof ORDER_INCIDENT_TEXTS)['en'];

const ORDER_INCIDENT_TEXTS = {
  en: {
    mismatch: 'was paid otherwise than agreed; nothing was credited',
    foreign: 'was claimed by a payment that is not its own; nothing was credited',
    ownerless: 'was paid for a deregistered account; nothing was credited',
    'account-full': 'was paid for an account that cannot hold more; nothing was credited',
    unconfirmed:
      'is said to be paid, and payments of this sum are confirmed by asking the payment service, which is switched off; nothing was credited',
    'paid-again': 'was paid a second time; the second payment was not credited',
    refunded: 'was refunded at the payment service; the quota was not taken back',
    disputed: 'is disputed by the payer; the quota was not taken back',
  },
  zh: {
    mismatch: '的实付金额与约定不符，未入账',
    foreign: '收到不属于该订单的付款通知，未入账',
    ownerless: '的账户已注销，付款未入账',
    'account-full': '的账户余额已达上限，付款未入账',
    unconfirmed: '收到付款通知，该金额的付款需向支付服务查询确认，但查询已关闭，未入账',
    'paid-again': '被重复支付，第二笔付款未入账',
    refunded: '已在支付平台退款，额度未收回',
    disputed: '被付款人发起争议，额度未收回',
  },
} as const;

/** Kinds of notices. */
export type Notice =
  | { readonly kind: 'quota-warning'; readonly balance: number; readonly threshold: number }
  | { readonly kind: 'channel-off'; readonly channelId: number; readonly reason: string }
  | { readonly kind: 'channel-on'; readonly channelId: number }
  | { readonly kind: 'channel-test'; readonly tested: number; readonly failed: number }
  | {
      readonly kind: 'order-incident';
      readonly tradeNo: string;
      readonly incident: OrderIncident;
      /** The agreed and the received amount, or the statement of the payment service. */
      readonly detail: string;
    }
  | {
      /** An administrator has disabled a token. */
      readonly kind: 'token-locked';
      readonly tokenId: number;
      readonly tokenName: string;
      readonly reason: string;
    }
  | {
      /** The use of a limit reached a share of its amount. */
      readonly kind: 'limit-near';
      readonly limitId: number;
      readonly name: string;
      /** Token, account, group or other value that the limit counts; empty = everyone. */
      readonly value: string;
      readonly percent: number;
      /** `quota` = money. */
      readonly measure: string;
      readonly used: number;
      readonly amount: number;
      /** Null = the limit does not start anew. */
      readonly resetsAtMs: number | null;
    }
  | {
      readonly kind: 'alert';
      /** In every language: each receiver has chosen one. */
      readonly words: Readonly<Record<Language, AlertTexts>>;
      /** Address of the status page; empty while the server has no address. */
      readonly statusUrl: string;
    }
  | { readonly kind: 'test' };

/** Texts of alerts that fire or are resolved. */
export interface AlertTexts {
  readonly title: string;
  readonly items: readonly { readonly title: string; readonly text: string }[];
}

/** Context needed to render a notice. */
export interface NoticeContext {
  readonly language: Language;
  readonly systemName: string;
  /** Milliseconds since 1970. */
  readonly nowMs: number;
  /** Address of the wallet page; empty while the server has no address. */
  readonly walletUrl: string;
  readonly moneyText: (quota: number) => string;
}

/** A notice in both forms: a mail, and the members of a webhook body. */
export interface RenderedNotice {
  /** `type` of the webhook body; also what frequency is counted by. */
  readonly type: string;
  readonly title: string;
  /** Marks `{{value}}` stand for the values, in order. */
  readonly content: string;
  readonly values: readonly string[];
  readonly mail: {
    readonly [Name in MailTemplate]: { readonly template: Name; readonly values: MailValues[Name] };
  }[MailTemplate];
}

/** `status` of a channel as the type of its notice names it: 1 enabled, 3 disabled automatically. */
const CHANNEL_STATUS_CODES = { 'channel-on': 1, 'channel-off': 3 } as const;

export function renderNotice(notice: Notice, scene: NoticeContext): RenderedNotice {
  switch (notice.kind) {
    case 'quota-warning':
      return renderQuotaWarning(notice, scene);
    case 'channel-off':
    case 'channel-on':
      return renderChannelChange(notice, scene);
    case 'channel-test':
      return renderChannelTest(notice, scene);
    case 'order-incident':
      return renderOrderIncident(notice, scene);
    case 'token-locked':
      return renderTokenLock(notice, scene);
    case 'limit-near':
      return renderLimitNear(notice, scene);
    case 'alert':
      return renderAlert(notice, scene);
    case 'test':
      return renderTestNotice(scene);
  }
}

function renderAlert(
  { words, statusUrl }: Extract<Notice, { kind: 'alert' }>,
  { language }: NoticeContext,
): RenderedNotice {
  const { title, items } = words[language];
  return {
    type: 'alert',
    title,
    content: items.map(() => '{{value}}').join('\n'),
    values: items.map((item) => `${item.title}: ${item.text}`),
    mail: { template: 'alert', values: { title, items, link: statusUrl } },
  };
}

function renderQuotaWarning(
  { balance, threshold }: Extract<Notice, { kind: 'quota-warning' }>,
  { language, walletUrl, moneyText }: NoticeContext,
): RenderedNotice {
  const title = { en: 'Your balance is running out', zh: '您的额度即将用尽' }[language];
  const shown = moneyText(balance);
  return {
    type: 'quota_exceed',
    title,
    content: {
      en: '{{value}}: {{value}} left. Top up so that your calls go on working: {{value}}',
      zh: '{{value}}，当前剩余额度为 {{value}}，为了不影响您的使用，请及时充值。充值链接：{{value}}',
    }[language],
    // Four values, the address twice, as receivers of this API family expect.
    values: [title, shown, walletUrl, walletUrl],
    mail: {
      template: 'quota-warning',
      values: { balance: shown, threshold: moneyText(threshold), link: walletUrl },
    },
  };
}

function renderChannelChange(
  notice: Extract<Notice, { kind: 'channel-off' | 'channel-on' }>,
  { language }: NoticeContext,
): RenderedNotice {
  const channel = { en: `Channel ${notice.channelId}`, zh: `渠道 ${notice.channelId}` }[language];
  const type = `channel_update_${notice.channelId}_${CHANNEL_STATUS_CODES[notice.kind]}`;
  if (notice.kind === 'channel-on') {
    return {
      type,
      title: { en: `${channel} was enabled`, zh: `${channel} 已被启用` }[language],
      content: { en: `${channel} works again and was enabled`, zh: `${channel} 已恢复正常并被启用` }[
        language
      ],
      values: [],
      mail: { template: 'channel-on', values: { channel } },
    };
  }
  const { reason } = notice;
  return {
    type,
    title: { en: `${channel} was disabled`, zh: `${channel} 已被禁用` }[language],
    content: {
      en: `${channel} was disabled, reason: ${reason}`,
      zh: `${channel} 已被禁用，原因：${reason}`,
    }[language],
    values: [],
    mail: { template: 'channel-off', values: { channel, reason } },
  };
}

function renderChannelTest(
  { tested, failed }: Extract<Notice, { kind: 'channel-test' }>,
  { language }: NoticeContext,
): RenderedNotice {
  const summary = {
    en: `${tested} channels tested, ${failed} failed`,
    zh: `共测试 ${tested} 个渠道，失败 ${failed} 个`,
  }[language];
  return {
    type: 'channel_test',
    title: { en: 'The channel test is complete', zh: '渠道测试完成' }[language],
    content: summary,
    values: [],
    mail: { template: 'channel-test', values: { summary } },
  };
}

function renderOrderIncident(
  { tradeNo, incident, detail }: Extract<Notice, { kind: 'order-incident' }>,
  { language }: NoticeContext,
): RenderedNotice {
  const what = ORDER_INCIDENT_TEXTS[language][incident];
  return {
    // One type per order: a notice about one must not suppress another.
    type: `topup_${tradeNo}_${incident}`,
    title: { en: `Order ${tradeNo} needs a look`, zh: `订单 ${tradeNo} 需要处理` }[language],
    content: {
      en: `Order ${tradeNo} ${what}. {{value}}`,
      zh: `订单 ${tradeNo} ${what}。{{value}}`,
    }[language],
    values: [detail],
    mail: { template: 'order-incident', values: { tradeNo, what, detail } },
  };
}

function renderTokenLock(
  { tokenId, tokenName, reason }: Extract<Notice, { kind: 'token-locked' }>,
  { language }: NoticeContext,
): RenderedNotice {
  return {
    // Each token by itself: the first notice must not suppress those about further tokens.
    type: `token_locked_${tokenId}`,
    title: { en: 'An administrator disabled your API token', zh: '管理员已禁用您的令牌' }[language],
    content: {
      en: 'Your API token {{value}} was disabled by an administrator, reason: {{value}}. Its calls are refused; you can delete it and create another one.',
      zh: '您的令牌 {{value}} 已被管理员禁用，原因：{{value}}。使用该令牌的请求会被拒绝；您可以删除该令牌并新建一个。',
    }[language],
    values: [tokenName, reason],
    mail: { template: 'token-locked', values: { token: tokenName, reason } },
  };
}

const MEASURE_WORDS = {
  tokens: { en: 'tokens', zh: '令牌数（Token）' },
  input_tokens: { en: 'input tokens', zh: '输入 Token' },
  output_tokens: { en: 'output tokens', zh: '输出 Token' },
  requests: { en: 'requests', zh: '次请求' },
} as const;
type MeasureWord = keyof typeof MEASURE_WORDS;
const isMeasureWord = (measure: string): measure is MeasureWord => Object.hasOwn(MEASURE_WORDS, measure);

function renderLimitNear(
  notice: Extract<Notice, { kind: 'limit-near' }>,
  { language, moneyText }: NoticeContext,
): RenderedNotice {
  const { limitId, name, value, percent, measure, resetsAtMs } = notice;
  const amountText = (amount: number): string => {
    if (!isMeasureWord(measure)) return moneyText(amount);
    return `${amount.toLocaleString('en-US')} ${MEASURE_WORDS[measure][language]}`;
  };
  const [used, amount] = [amountText(notice.used), amountText(notice.amount)];
  const resets =
    resetsAtMs === null
      ? { en: 'never', zh: '不会重置' }[language]
      : `${new Date(resetsAtMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return {
    // Each limit and share by itself: the first notice must not suppress those about others.
    type: `limit_near_${limitId}_${percent}`,
    title: { en: `Limit ${name} is used to ${percent} %`, zh: `限额 ${name} 已使用 ${percent}%` }[language],
    content: {
      en: 'The limit {{value}} is used to {{value}} %: {{value}} of {{value}}. It starts anew: {{value}}',
      zh: '限额 {{value}} 已使用 {{value}}%：{{value}} / {{value}}。重置时间：{{value}}',
    }[language],
    values: [name, String(percent), used, amount, resets],
    mail: { template: 'limit-near', values: { limit: name, value, percent, used, amount, resets } },
  };
}

function renderTestNotice({ language, systemName, nowMs }: NoticeContext): RenderedNotice {
  return {
    type: 'test',
    title: { en: `Test notification of ${systemName}`, zh: `${systemName}测试通知` }[language],
    content: {
      en: 'Notifications reach you here.',
      zh: '您可以在此收到通知。',
    }[language],
    values: [],
    mail: { template: 'test', values: { at: new Date(nowMs).toISOString() } },
  };
}

/** The marks of a text replaced by its values, in order; values are put in as they are, and not looked at again. */
export function fillPlaceholders(content: string, values: readonly string[]): string {
  let index = 0;
  return content.replace(/\{\{value\}\}/g, () => values[index++] ?? '');
}
