import type { Language } from '../../../common/language.js';
import type { MailBlock, MailPage } from './mail-page.js';

/** A warning of a weekly summary; figures of money and moments as text. */
export type SummaryWarning =
  | { readonly kind: 'unpriced-model'; readonly model: string; readonly calls: number }
  | {
      readonly kind: 'failing-channel';
      readonly channel: string;
      readonly attempts: number;
      readonly failures: number;
    }
  | { readonly kind: 'expiring-token'; readonly token: string; readonly at: string }
  | { readonly kind: 'low-balance'; readonly balance: string; readonly spentInDay: string }
  | {
      readonly kind: 'near-limit';
      readonly limit: string;
      readonly percent: number;
      /** Null = never. */
      readonly resetsAt: string | null;
    }
  | {
      readonly kind: 'price-below-list';
      readonly model: string;
      readonly part: 'input' | 'output' | 'call';
      /** US dollars per million tokens, or per call. */
      readonly price: number;
      readonly listPrice: number;
    };

/** A figure of a week, and by how many percent it differs from the week before; null = there was nothing then. */
export interface WeekFigure {
  readonly text: string;
  readonly changePercent: number | null;
}

/** Figures and warnings of a weekly summary: of one account, or of the instance for administrators. */
export interface WeeklySummaryValues {
  readonly scope: 'account' | 'instance';
  readonly username: string;
  /** First and last day, such as 2026-11-16. */
  readonly from: string;
  readonly to: string;
  readonly zone: string;
  readonly spend: WeekFigure;
  readonly calls: WeekFigure;
  readonly failures: WeekFigure;
  readonly models: readonly { readonly name: string; readonly spend: string; readonly calls: number }[];
  readonly warnings: readonly SummaryWarning[];
  readonly dashboardUrl: string;
  readonly stopUrl: string;
}

interface Words {
  readonly subject: (values: WeeklySummaryValues, systemName: string) => string;
  readonly lead: (values: WeeklySummaryValues) => string;
  readonly spend: string;
  readonly calls: string;
  readonly failures: string;
  readonly figure: (figure: WeekFigure) => string;
  readonly models: string;
  readonly model: (spend: string, calls: number) => string;
  readonly unnamed: string;
  readonly warnings: string;
  readonly warning: (warning: SummaryWarning) => string;
  readonly dashboard: string;
  readonly stop: string;
  readonly footer: string;
}

const count = (value: number): string => value.toLocaleString('en-US');
const signed = (percent: number): string =>
  `${percent > 0 ? '+' : percent < 0 ? '−' : '±'}${count(Math.abs(percent))}`;
const share = (failures: number, attempts: number): string => `${Math.round((failures / attempts) * 100)}`;

const PARTS = {
  en: { input: 'per 1M input tokens', output: 'per 1M output tokens', call: 'per call' },
  zh: { input: '每 1M 输入 token', output: '每 1M 输出 token', call: '每次请求' },
} as const;

const WORDS: Readonly<Record<Language, Words>> = {
  en: {
    subject: ({ scope, from, to }, systemName) =>
      scope === 'instance'
        ? `${systemName}: the instance from ${from} to ${to}`
        : `${systemName}: your week from ${from} to ${to}`,
    lead: ({ scope, username, zone }) =>
      scope === 'instance'
        ? `All calls of the instance, Monday to Sunday (${zone}).`
        : `Calls of the account ${username}, Monday to Sunday (${zone}).`,
    spend: 'Spend',
    calls: 'Calls',
    failures: 'Failed calls',
    figure: ({ text, changePercent }) =>
      changePercent === null ? text : `${text} (${signed(changePercent)}% on the week before)`,
    models: 'Models by spend',
    model: (spend, calls) => `${spend}, ${count(calls)} ${calls === 1 ? 'call' : 'calls'}`,
    unnamed: 'Other models',
    warnings: 'Needs attention',
    warning: (warning) => {
      switch (warning.kind) {
        case 'unpriced-model':
          return `${warning.model} has no price: ${count(warning.calls)} ${warning.calls === 1 ? 'call was' : 'calls were'} refused within 7 days.`;
        case 'failing-channel':
          return `Channel ${warning.channel}: ${count(warning.failures)} of ${count(warning.attempts)} attempts failed within 24 hours (${share(warning.failures, warning.attempts)}%).`;
        case 'expiring-token':
          return `API token ${warning.token} expires on ${warning.at}.`;
        case 'low-balance':
          return `The balance of ${warning.balance} lasts less than a day: ${warning.spentInDay} were spent within the last 24 hours.`;
        case 'near-limit':
          return `Limit ${warning.limit}: ${count(warning.percent)}% used${warning.resetsAt === null ? '' : `, resets on ${warning.resetsAt}`}.`;
        case 'price-below-list':
          return `${warning.model} is sold below its list price: $${warning.price} instead of $${warning.listPrice} ${PARTS.en[warning.part]}.`;
      }
    },
    dashboard: 'Open the dashboard',
    stop: 'Stop this weekly email',
    footer: 'You receive this because the weekly summary is turned on in your personal settings.',
  },
  zh: {
    subject: ({ scope, from, to }, systemName) =>
      scope === 'instance'
        ? `${systemName}：全站周报（${from} 至 ${to}）`
        : `${systemName}：您的周报（${from} 至 ${to}）`,
    lead: ({ scope, username, zone }) =>
      scope === 'instance'
        ? `全站请求汇总，周一至周日（${zone}）。`
        : `账户 ${username} 的请求汇总，周一至周日（${zone}）。`,
    spend: '消费',
    calls: '请求数',
    failures: '失败请求数',
    figure: ({ text, changePercent }) =>
      changePercent === null ? text : `${text}（较上周 ${signed(changePercent)}%）`,
    models: '按消费排列的模型',
    model: (spend, calls) => `${spend}，${count(calls)} 次请求`,
    unnamed: '其他模型',
    warnings: '需要关注',
    warning: (warning) => {
      switch (warning.kind) {
        case 'unpriced-model':
          return `模型 ${warning.model} 未设置价格，近 7 天有 ${count(warning.calls)} 次请求被拒绝。`;
        case 'failing-channel':
          return `渠道 ${warning.channel} 近 24 小时尝试 ${count(warning.attempts)} 次，失败 ${count(warning.failures)} 次（${share(warning.failures, warning.attempts)}%）。`;
        case 'expiring-token':
          return `令牌 ${warning.token} 将于 ${warning.at} 过期。`;
        case 'low-balance':
          return `余额 ${warning.balance} 按当前用量不足一天：近 24 小时已消费 ${warning.spentInDay}。`;
        case 'near-limit':
          return `限额 ${warning.limit} 已使用 ${count(warning.percent)}%${warning.resetsAt === null ? '' : `，将于 ${warning.resetsAt} 重置`}。`;
        case 'price-below-list':
          return `模型 ${warning.model} 的售价低于官方标价：${PARTS.zh[warning.part]} $${warning.price}，标价 $${warning.listPrice}。`;
      }
    },
    dashboard: '打开数据看板',
    stop: '停止接收每周邮件',
    footer: '您收到此邮件是因为您在个人设置中开启了每周用量邮件。',
  },
};

/** Writes the e-mail in one language. */
export const weeklySummaryMail =
  (language: Language) =>
  (values: WeeklySummaryValues, systemName: string): MailPage => {
    const words = WORDS[language];
    const { models, warnings } = values;
    return {
      subject: words.subject(values, systemName),
      blocks: [
        { kind: 'paragraph', text: words.lead(values) },
        { kind: 'fact', label: words.spend, value: words.figure(values.spend) },
        { kind: 'fact', label: words.calls, value: words.figure(values.calls) },
        { kind: 'fact', label: words.failures, value: words.figure(values.failures) },
        ...section(
          words.models,
          models.map(({ name, spend, calls }) => ({
            kind: 'fact',
            label: name === '' ? words.unnamed : name,
            value: words.model(spend, calls),
          })),
        ),
        ...section(
          words.warnings,
          warnings.map((warning) => ({ kind: 'paragraph', text: words.warning(warning) })),
        ),
        { kind: 'link', label: words.dashboard, url: values.dashboardUrl },
        { kind: 'small-link', label: words.stop, url: values.stopUrl },
      ],
      footer: words.footer,
    };
  };

const section = (heading: string, blocks: readonly MailBlock[]): readonly MailBlock[] =>
  blocks.length === 0 ? [] : [{ kind: 'heading', text: heading }, ...blocks];
