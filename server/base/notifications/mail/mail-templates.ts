import type { Language } from '../../../common/language.js';
import type { MailPage } from './mail-page.js';
import { weeklySummaryMail, type WeeklySummaryValues } from './weekly-summary-mail.js';

/** Security settings of an account. */
export type GuardChange = keyof typeof GUARD_CHANGES.en;

/** Description of each security change; `{username}` stands for the account. */
const GUARD_CHANGES = {
  en: {
    mail: 'The email address of the account {username} was changed; this address no longer belongs to it.',
    password: 'The password of the account {username} was reset by email.',
    'two-factor-on': 'Two-factor authentication of the account {username} was turned on.',
    'two-factor-off': 'Two-factor authentication of the account {username} was turned off.',
    'recovery-codes':
      'New recovery codes were created for the account {username}; the old ones no longer work.',
    'passkey-added': 'A passkey was added to the account {username}.',
    'passkey-removed': 'A passkey was removed from the account {username}.',
    'access-token': 'A new system access token was created for the account {username}.',
    'password-changed': 'The password of the account {username} was changed.',
    'password-set': 'An administrator set a new password for the account {username}.',
    'identity-bound': 'A third-party account was linked to the account {username}; it can be used to log in.',
    'identity-unbound': 'A third-party account was unlinked from the account {username}.',
  },
  zh: {
    mail: '账户 {username} 的邮箱地址已更改，此邮箱不再属于该账户。',
    password: '账户 {username} 的密码已通过邮件重置。',
    'two-factor-on': '账户 {username} 已启用两步验证。',
    'two-factor-off': '账户 {username} 已停用两步验证。',
    'recovery-codes': '账户 {username} 已生成新的备用码，旧的备用码已失效。',
    'passkey-added': '账户 {username} 已添加一个通行密钥。',
    'passkey-removed': '账户 {username} 已删除一个通行密钥。',
    'access-token': '账户 {username} 已生成新的系统访问令牌。',
    'password-changed': '账户 {username} 的密码已更改。',
    'password-set': '管理员已为账户 {username} 设置新密码。',
    'identity-bound': '账户 {username} 已绑定一个第三方账户，可用于登录。',
    'identity-unbound': '账户 {username} 已解绑一个第三方账户。',
  },
} as const;

/** Values of each mail template. */
export interface MailValues {
  /** A code to type, and how many minutes it counts. */
  readonly code: { readonly code: string; readonly minutes: number };
  /** Registration code requested for an address that has an account already. `link` may be empty. */
  readonly 'address-known': { readonly link: string };
  readonly reset: { readonly link: string; readonly minutes: number; readonly username: string };
  readonly 'login-unlock': { readonly link: string; readonly minutes: number; readonly username: string };
  /** A security setting of the account changed; sent to the address known before. */
  readonly 'account-changed': {
    readonly username: string;
    readonly change: GuardChange;
    readonly at: string;
  };
  /** `balance` as text in the unit of the installation. */
  readonly 'quota-warning': { readonly balance: string; readonly threshold: string; readonly link: string };
  readonly 'channel-off': { readonly channel: string; readonly reason: string };
  readonly 'channel-on': { readonly channel: string };
  readonly 'channel-test': { readonly summary: string };
  /** `what` continues the sentence "order … ". */
  readonly 'order-incident': { readonly tradeNo: string; readonly what: string; readonly detail: string };
  /** An administrator has disabled an API token of the account. */
  readonly 'token-locked': { readonly token: string; readonly reason: string };
  /** Amounts as texts with their unit; `value` may be empty. */
  readonly 'limit-near': {
    readonly limit: string;
    readonly value: string;
    readonly percent: number;
    readonly used: string;
    readonly amount: string;
    readonly resets: string;
  };
  /** Alerts that fire or are resolved: a heading and its explanation each. `link` may be empty. */
  readonly alert: {
    readonly title: string;
    readonly items: readonly { readonly title: string; readonly text: string }[];
    readonly link: string;
  };
  /** Figures of the last week of an account, or of the instance. */
  readonly 'weekly-summary': WeeklySummaryValues;
  readonly test: { readonly at: string };
}

export type MailTemplate = keyof MailValues;

type Templates = {
  readonly [Name in MailTemplate]: Readonly<
    Record<Language, (values: MailValues[Name], systemName: string) => MailPage>
  >;
};

const paragraph = (text: string) => ({ kind: 'paragraph', text }) as const;
const link = (label: string, url: string) => (url === '' ? [] : [{ kind: 'link', label, url } as const]);

/** @param at  ISO 8601, UTC. Shown to the second, with the zone, since the reader's is unknown */
const moment = (at: string) => at.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');

const ASKED_FOR = {
  en: 'If you did not request this, ignore this email: nothing will change.',
  zh: '如果这不是您本人的操作，请忽略此邮件，不会产生任何影响。',
} as const;
const YOUR_SETTINGS = {
  en: 'You receive this because of the notification settings of your account.',
  zh: '您收到此邮件是因为您账户的通知设置。',
} as const;

export const MAIL_TEMPLATES: Templates = {
  code: {
    en: ({ code, minutes }, systemName) => ({
      subject: `Verification code of ${systemName}`,
      blocks: [
        paragraph('This is your verification code. Do not share it with anyone.'),
        { kind: 'code', text: code },
        paragraph(`It is valid for ${minutes} minutes and can be used once.`),
      ],
      footer: ASKED_FOR.en,
    }),
    zh: ({ code, minutes }, systemName) => ({
      subject: `${systemName}邮箱验证邮件`,
      blocks: [
        paragraph('您的验证码如下，请勿告诉他人。'),
        { kind: 'code', text: code },
        paragraph(`验证码 ${minutes} 分钟内有效，且只能使用一次。`),
      ],
      footer: ASKED_FOR.zh,
    }),
  },
  'address-known': {
    en: ({ link: url }, systemName) => ({
      subject: `You already have an account at ${systemName}`,
      blocks: [
        paragraph('Someone, probably you, requested a code to register with this address.'),
        paragraph(
          'An account with this address already exists: log in with it, or reset its password if you forgot it.',
        ),
        ...link('Log in', url),
      ],
      footer: ASKED_FOR.en,
    }),
    zh: ({ link: url }, systemName) => ({
      subject: `您已拥有${systemName}账户`,
      blocks: [
        paragraph('有人（可能是您本人）请求用此邮箱地址注册。'),
        paragraph('此邮箱地址已绑定账户：请直接登录，如忘记密码可重置密码。'),
        ...link('登录', url),
      ],
      footer: ASKED_FOR.zh,
    }),
  },
  reset: {
    en: ({ link: url, minutes, username }, systemName) => ({
      subject: `Reset your ${systemName} password`,
      blocks: [
        paragraph(`Someone, probably you, requested a new password for the account ${username}.`),
        ...link('Reset the password', url),
        paragraph(
          `The link is valid for ${minutes} minutes and can be used once. All sessions of the account end.`,
        ),
      ],
      footer: ASKED_FOR.en,
    }),
    zh: ({ link: url, minutes, username }, systemName) => ({
      subject: `${systemName}密码重置`,
      blocks: [
        paragraph(`有人（可能是您本人）请求重置账户 ${username} 的密码。`),
        ...link('重置密码', url),
        paragraph(`链接 ${minutes} 分钟内有效，且只能使用一次。重置后该账户的所有登录都会失效。`),
      ],
      footer: ASKED_FOR.zh,
    }),
  },
  'login-unlock': {
    en: ({ link: url, minutes, username }, systemName) => ({
      subject: `Log in to ${systemName}`,
      blocks: [
        paragraph(
          `Wrong passwords were entered for the account ${username}, so logging in has to wait. With this link you can log in now with your password.`,
        ),
        ...link('Log in', url),
        paragraph(`The link is valid for ${minutes} minutes and does not replace the password.`),
      ],
      footer: ASKED_FOR.en,
    }),
    zh: ({ link: url, minutes, username }, systemName) => ({
      subject: `登录${systemName}`,
      blocks: [
        paragraph(`账户 ${username} 有人多次输入错误密码，登录需要等待。通过此链接可立即使用您的密码登录。`),
        ...link('登录', url),
        paragraph(`链接 ${minutes} 分钟内有效，仍需输入密码。`),
      ],
      footer: ASKED_FOR.zh,
    }),
  },
  'account-changed': {
    en: ({ username, change, at }, systemName) => ({
      subject: `Your account at ${systemName} was changed`,
      blocks: [
        paragraph(GUARD_CHANGES.en[change].replace('{username}', () => username)),
        { kind: 'fact', label: 'When', value: moment(at) },
      ],
      footer: 'If this was not you, contact the administrator at once.',
    }),
    zh: ({ username, change, at }, systemName) => ({
      subject: `您的${systemName}账户已变更`,
      blocks: [
        paragraph(GUARD_CHANGES.zh[change].replace('{username}', () => username)),
        { kind: 'fact', label: '时间', value: moment(at) },
      ],
      footer: '如果这不是您本人的操作，请立即联系管理员。',
    }),
  },
  'quota-warning': {
    en: ({ balance, threshold, link: url }, systemName) => ({
      subject: `Your balance at ${systemName} is low`,
      blocks: [
        paragraph(
          'Your balance has fallen below the warning threshold. Top up so that your calls keep working.',
        ),
        { kind: 'fact', label: 'Balance', value: balance },
        { kind: 'fact', label: 'Threshold', value: threshold },
        ...link('Top up', url),
      ],
      footer: YOUR_SETTINGS.en,
    }),
    zh: ({ balance, threshold, link: url }, systemName) => ({
      subject: `您在${systemName}的额度即将用尽`,
      blocks: [
        paragraph('您的额度已低于预警阈值，为了不影响您的使用，请及时充值。'),
        { kind: 'fact', label: '剩余额度', value: balance },
        { kind: 'fact', label: '预警阈值', value: threshold },
        ...link('充值', url),
      ],
      footer: YOUR_SETTINGS.zh,
    }),
  },
  'channel-off': {
    en: ({ channel, reason }) => ({
      subject: `${channel} was disabled`,
      blocks: [
        paragraph(`${channel} was disabled automatically and no longer serves calls.`),
        { kind: 'fact', label: 'Reason', value: reason },
      ],
      footer: YOUR_SETTINGS.en,
    }),
    zh: ({ channel, reason }) => ({
      subject: `${channel} 已被禁用`,
      blocks: [
        paragraph(`${channel} 已被自动禁用，不再处理请求。`),
        { kind: 'fact', label: '原因', value: reason },
      ],
      footer: YOUR_SETTINGS.zh,
    }),
  },
  'channel-on': {
    en: ({ channel }) => ({
      subject: `${channel} was enabled`,
      blocks: [paragraph(`${channel} works again and was enabled automatically.`)],
      footer: YOUR_SETTINGS.en,
    }),
    zh: ({ channel }) => ({
      subject: `${channel} 已被启用`,
      blocks: [paragraph(`${channel} 已恢复正常，并已自动启用。`)],
      footer: YOUR_SETTINGS.zh,
    }),
  },
  'order-incident': {
    en: ({ tradeNo, what, detail }) => ({
      subject: `Order ${tradeNo} needs attention`,
      blocks: [paragraph(`Order ${tradeNo} ${what}.`), { kind: 'fact', label: 'Details', value: detail }],
      footer: YOUR_SETTINGS.en,
    }),
    zh: ({ tradeNo, what, detail }) => ({
      subject: `订单 ${tradeNo} 需要处理`,
      blocks: [paragraph(`订单 ${tradeNo} ${what}。`), { kind: 'fact', label: '详情', value: detail }],
      footer: YOUR_SETTINGS.zh,
    }),
  },
  'channel-test': {
    en: ({ summary }) => ({
      subject: 'The channel test is complete',
      blocks: [
        paragraph('All channels have been tested.'),
        { kind: 'fact', label: 'Result', value: summary },
      ],
      footer: YOUR_SETTINGS.en,
    }),
    zh: ({ summary }) => ({
      subject: '渠道测试完成',
      blocks: [paragraph('所有渠道测试已完成。'), { kind: 'fact', label: '结果', value: summary }],
      footer: YOUR_SETTINGS.zh,
    }),
  },
  'limit-near': {
    en: ({ limit, value, percent, used, amount, resets }, systemName) => ({
      subject: `A limit at ${systemName} is used to ${percent} %`,
      blocks: [
        paragraph('The use of a limit reached a share of its amount that you are warned at.'),
        { kind: 'fact', label: 'Limit', value: limit },
        ...(value === '' ? [] : [{ kind: 'fact', label: 'Applies to', value } as const]),
        { kind: 'fact', label: 'Used', value: `${used} of ${amount}` },
        { kind: 'fact', label: 'Starts anew', value: resets },
      ],
      footer: YOUR_SETTINGS.en,
    }),
    zh: ({ limit, value, percent, used, amount, resets }, systemName) => ({
      subject: `您在${systemName}的限额已使用 ${percent}%`,
      blocks: [
        paragraph('限额的使用量已达到提醒比例。'),
        { kind: 'fact', label: '限额', value: limit },
        ...(value === '' ? [] : [{ kind: 'fact', label: '适用于', value } as const]),
        { kind: 'fact', label: '已使用', value: `${used} / ${amount}` },
        { kind: 'fact', label: '重置时间', value: resets },
      ],
      footer: YOUR_SETTINGS.zh,
    }),
  },
  'token-locked': {
    en: ({ token, reason }, systemName) => ({
      subject: `Your API token at ${systemName} was disabled`,
      blocks: [
        paragraph(
          'An administrator disabled one of your API tokens. Its calls are refused, and running ones have ended. You can delete it and create another one.',
        ),
        { kind: 'fact', label: 'Token', value: token },
        { kind: 'fact', label: 'Reason', value: reason },
      ],
      footer: YOUR_SETTINGS.en,
    }),
    zh: ({ token, reason }, systemName) => ({
      subject: `您在${systemName}的令牌已被禁用`,
      blocks: [
        paragraph(
          '管理员已禁用您的一个令牌。使用该令牌的请求会被拒绝，进行中的请求已结束。您可以删除该令牌并新建一个。',
        ),
        { kind: 'fact', label: '令牌', value: token },
        { kind: 'fact', label: '原因', value: reason },
      ],
      footer: YOUR_SETTINGS.zh,
    }),
  },
  alert: {
    en: ({ title, items, link: url }) => ({
      subject: title,
      blocks: [
        ...items.map(({ title: label, text: value }) => ({ kind: 'fact', label, value }) as const),
        ...link('Open the status page', url),
      ],
      footer: 'You receive this because you are a recipient of alerts or a root account.',
    }),
    zh: ({ title, items, link: url }) => ({
      subject: title,
      blocks: [
        ...items.map(({ title: label, text: value }) => ({ kind: 'fact', label, value }) as const),
        ...link('打开运行状态页', url),
      ],
      footer: '您收到此邮件是因为您是告警接收人或超级管理员。',
    }),
  },
  'weekly-summary': { en: weeklySummaryMail('en'), zh: weeklySummaryMail('zh') },
  test: {
    en: ({ at }, systemName) => ({
      subject: `Test email of ${systemName}`,
      blocks: [
        paragraph('Email works: this message came through the mail server in the settings.'),
        { kind: 'fact', label: 'Sent', value: moment(at) },
      ],
      footer: 'An administrator requested this email.',
    }),
    zh: ({ at }, systemName) => ({
      subject: `${systemName}测试邮件`,
      blocks: [
        paragraph('邮件发送正常：此邮件通过设置中的邮件服务器发出。'),
        { kind: 'fact', label: '发送时间', value: moment(at) },
      ],
      footer: '此邮件由管理员请求发送。',
    }),
  },
};
