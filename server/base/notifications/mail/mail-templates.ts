import type { Language } from '../../../common/language.js';
import type { MailPage } from './mail-page.js';

/** What guards an account. */
export type GuardChange = keyof typeof GUARD_CHANGES.en;

/** What happened, by what changed; `{username}` stands for the account. */
const GUARD_CHANGES = {
  en: {
    mail: 'The mail address of the account {username} was changed; this address does not belong to it any more.',
    password: 'The password of the account {username} was reset by mail.',
    'two-factor-on': 'Two-factor authentication of the account {username} was switched on.',
    'two-factor-off': 'Two-factor authentication of the account {username} was switched off.',
    'recovery-codes': 'New recovery codes were made for the account {username}; the old ones no longer work.',
    'passkey-added': 'A passkey was added to the account {username}.',
    'passkey-removed': 'A passkey was removed from the account {username}.',
    'access-token': 'A new system access token was made for the account {username}.',
    'password-changed': 'The password of the account {username} was changed.',
    'password-set': 'An administrator set a new password for the account {username}.',
    'identity-bound': 'An outside account was bound to the account {username}; it can be used to sign in.',
    'identity-unbound': 'An outside account was unbound from the account {username}.',
  },
  zh: {
    mail: '账户 {username} 的邮箱地址已更改，此邮箱不再属于该账户。',
    password: '账户 {username} 的密码已通过邮件重置。',
    'two-factor-on': '账户 {username} 已启用两步验证。',
    'two-factor-off': '账户 {username} 已停用两步验证。',
    'recovery-codes': '账户 {username} 已生成新的恢复代码，旧的恢复代码已失效。',
    'passkey-added': '账户 {username} 已添加一个通行密钥。',
    'passkey-removed': '账户 {username} 已删除一个通行密钥。',
    'access-token': '账户 {username} 已生成新的系统访问令牌。',
    'password-changed': '账户 {username} 的密码已更改。',
    'password-set': '管理员已为账户 {username} 设置新密码。',
    'identity-bound': '账户 {username} 已绑定一个外部账户，可用于登录。',
    'identity-unbound': '账户 {username} 已解绑一个外部账户。',
  },
} as const;

/** What each letter needs to know. */
export interface MailValues {
  /** A code to type, and how many minutes it counts. */
  readonly code: { readonly code: string; readonly minutes: number };
  /** Somebody asked for a code to register with an address that has an account already. `link` may be empty. */
  readonly 'address-known': { readonly link: string };
  readonly reset: { readonly link: string; readonly minutes: number; readonly username: string };
  readonly 'login-unlock': { readonly link: string; readonly minutes: number; readonly username: string };
  /** Something that guards the account changed; goes to the address known before. */
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
  /** What is wrong with the installation, or is not any more: a heading and its explanation each. `link` may be empty. */
  readonly alert: {
    readonly title: string;
    readonly items: readonly { readonly title: string; readonly text: string }[];
    readonly link: string;
  };
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

/** @param at  ISO 8601, UTC. To the second, for people; the zone is said since nobody knows the reader's */
const moment = (at: string) => at.replace('T', ' ').replace(/(\.\d+)?Z$/, ' UTC');

const ASKED_FOR = {
  en: 'If you did not ask for this, ignore this mail: nothing happens without you.',
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
        paragraph('This is your verification code. Give it to nobody.'),
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
        paragraph('Somebody, probably you, asked for a code to register with this address.'),
        paragraph(
          'An account with this address exists already: sign in with it, or reset its password if you forgot it.',
        ),
        ...link('Sign in', url),
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
      subject: `Reset your password of ${systemName}`,
      blocks: [
        paragraph(`Somebody, probably you, asked for a new password of the account ${username}.`),
        ...link('Reset the password', url),
        paragraph(
          `The link is valid for ${minutes} minutes and can be used once. All logins of the account end.`,
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
      subject: `Sign in to ${systemName}`,
      blocks: [
        paragraph(
          `Wrong passwords were tried at the account ${username}, so that signing in has to wait. By this link you can sign in at once with your password.`,
        ),
        ...link('Sign in', url),
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
          'Your balance has fallen below the warning threshold. Top up so that your calls go on working.',
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
        paragraph(`${channel} was disabled automatically and takes no calls any more.`),
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
      subject: `Order ${tradeNo} needs a look`,
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
      subject: 'The channel test has ended',
      blocks: [
        paragraph('All channels have been tested.'),
        { kind: 'fact', label: 'Result', value: summary },
      ],
      footer: YOUR_SETTINGS.en,
    }),
    zh: ({ summary }) => ({
      subject: '通道测试完成',
      blocks: [paragraph('所有通道测试已完成。'), { kind: 'fact', label: '结果', value: summary }],
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
      footer: 'You receive this because you are named as a receiver of alerts, or are a root account.',
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
  test: {
    en: ({ at }, systemName) => ({
      subject: `Test mail of ${systemName}`,
      blocks: [
        paragraph('Sending mail works: this mail came through the mail server of the settings.'),
        { kind: 'fact', label: 'Sent', value: moment(at) },
      ],
      footer: 'An administrator asked for this mail.',
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
