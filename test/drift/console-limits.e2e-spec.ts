import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { LIMITS } from '../../console/src/shared/form/limits.ts';
import { parseMailAddress } from '../../server/common/mail-address.js';
import { assertDisplayName, assertPassword, assertUsername } from '../../server/base/users/user-rules.js';
import { checkChannelFields } from '../../server/gateway/channels/state/channel-rules.js';
import { OPTION_KEYS, optionRow } from '../../server/base/options/option-catalogue.js';
import { checkLimitName, checkReason } from '../../server/console/limits/limit-rules.js';
import { passkeyNameOf } from '../../server/console/passkeys/passkey-name.js';
import {
  checkCodeCount,
  checkCodeName,
  checkCodeQuota,
} from '../../server/console/redemptions/redemptions.service.js';
import { checkLockReason } from '../../server/gateway/tokens/token-lock-rules.js';
import { checkTokenName, checkTokenTags } from '../../server/gateway/tokens/token-rules.js';

const read = (path: string): string => readFileSync(path, 'utf8');
const document = JSON.parse(read('docs/openapi.json')) as {
  components: { schemas: Record<string, { properties: Record<string, { maxLength?: number }> }> };
};

/** Checks that the server accepts a text of this length, or a number. */
type Takes = (size: number) => unknown;
const member =
  (schema: string, name: string): Takes =>
  (length) =>
    expect(document.components.schemas[schema]?.properties[name]?.maxLength).toBeGreaterThanOrEqual(length);
const channel = (name: 'name' | 'tag' | 'remark'): Takes => {
  const noTypes = { find: () => undefined } as never;
  return (length) => checkChannelFields({ [name]: 'a'.repeat(length) }, noTypes);
};
const option =
  (key: (typeof OPTION_KEYS)[number], documentOf: (size: number) => unknown): Takes =>
  (size) =>
    optionRow(key).parse(JSON.stringify(documentOf(size)));
const mail = (length: number) => `${'a'.repeat(40)}@${'b'.repeat(length - 44)}.io`;

const MOST: [string, number, Takes][] = [
  ['accountReason', LIMITS.accountReason, member('UserManage', 'reason')],
  ['accountReason', LIMITS.accountReason, member('UserEdit', 'reason')],
  ['channelName', LIMITS.channelName, channel('name')],
  ['channelRemark', LIMITS.channelRemark, channel('remark')],
  ['channelTag', LIMITS.channelTag, channel('tag')],
  ['codeName', LIMITS.codeName, (length) => checkCodeName('a'.repeat(length))],
  ['codeQuota', LIMITS.codeQuota, checkCodeQuota],
  ['codesAtOnce', LIMITS.codesAtOnce, checkCodeCount],
  ['displayName', LIMITS.displayName, (length) => assertDisplayName('a'.repeat(length), 'administrator')],
  [
    'groupDescription',
    LIMITS.groupDescription,
    option('UserUsableGroups', (length) => ({ default: 'a'.repeat(length) })),
  ],
  ['limitName', LIMITS.limitName, (length) => checkLimitName('a'.repeat(length))],
  ['limitReason', LIMITS.limitReason, (length) => checkReason('a'.repeat(length))],
  ['mailAddress', LIMITS.mailAddress, (length) => expect(parseMailAddress(mail(length))).not.toBeNull()],
  ['modelRatio', LIMITS.modelRatio, option('ModelRatio', (ratio) => ({ model: ratio }))],
  ['orderReason', LIMITS.orderReason, member('CompleteOrder', 'reason')],
  ['orderReason', LIMITS.orderReason, member('RefundOrder', 'reason')],
  ['passkeyName', LIMITS.passkeyName, (length) => passkeyNameOf('a'.repeat(length))],
  ['password', LIMITS.password.max, (length) => assertPassword('aB3'.padEnd(length, '∂'))],
  ['priceName', LIMITS.priceName, option('GroupRatio', (length) => ({ ['a'.repeat(length)]: 1 }))],
  ['priceNote', LIMITS.priceNote, member('OptionUpdateWithNote', 'note')],
  ['priceNote', LIMITS.priceNote, member('PriceSyncApply', 'note')],
  ['tokenLockReason', LIMITS.tokenLockReason, (length) => checkLockReason('a'.repeat(length))],
  ['tokenTag', LIMITS.tokenTag, (length) => checkTokenTags('a'.repeat(length))],
  [
    'tokenTags',
    LIMITS.tokenTags,
    (count) => checkTokenTags(Array.from({ length: count }, (_, index) => `t${index}`)),
  ],
  ['tokenName', LIMITS.tokenName, (length) => checkTokenName('a'.repeat(length))],
  ['username', LIMITS.username.max, (length) => assertUsername('a'.repeat(length), 'owner')],
  [
    'username that is given',
    LIMITS.username.given,
    (length) => assertUsername('a'.repeat(length), 'administrator'),
  ],
  ['weChatCode', LIMITS.weChatCode, member('WeChatBind', 'code')],
  ['webhookSecret', LIMITS.webhookSecret, member('UserSetting', 'webhook_secret')],
  ['webhookUrl', LIMITS.webhookUrl, member('UserSetting', 'webhook_url')],
];
const LEAST: [string, number, Takes][] = [
  ['password', LIMITS.password.min, (length) => assertPassword('∂'.repeat(length))],
  ['username', LIMITS.username.min, (length) => assertUsername('a'.repeat(length), 'owner')],
];

describe('a limit shown in forms of the console', () => {
  it.each(MOST)('equals the most that the server takes: %s', (_name, limit, takes) => {
    expect(() => takes(limit)).not.toThrow();
    expect(() => takes(limit + 1)).toThrow();
  });

  it.each(LEAST)('equals the least that the server takes: %s', (_name, limit, takes) => {
    expect(() => takes(limit)).not.toThrow();
    expect(() => takes(limit - 1)).toThrow();
  });

  it('has a row above, each of them', () => {
    const names = [...MOST, ...LEAST].map(([name]) => name.split(' ')[0]);
    expect(new Set(names)).toEqual(new Set(Object.keys(LIMITS)));
  });

  it('stands in the table of limits and nowhere else', () => {
    const told = globSync('console/src/**/*.{ts,tsx}')
      .filter((path) => !/\.spec\.|schema\.d\.ts$|limits\.ts$/.test(path))
      .filter((path) => /(?:max|min)Length(?:\(|: )(?!1,)\d/.test(read(path)));
    expect(told).toEqual([]);
  });

  it.each(['en', 'zh'])('equals the number that its sentence names, in %s', (language) => {
    const { username, password, codeName, codesAtOnce, displayName } = LIMITS;
    const registered = [username.min, username.max];
    const given = [username.min, username.given];
    const sentences: [string, string, number[]][] = [
      ['personal', 'profile.displayNameHelp', [displayName]],
      ['personal', 'password.nextHelp', [password.min]],
      ['personal', 'password.length', [password.min, password.max]],
      ['redemptions', 'form.nameHelp', [codeName]],
      ['redemptions', 'form.countHelp', [codesAtOnce]],
      ['redemptions', 'error.name', [codeName]],
      ['redemptions', 'error.count', [codesAtOnce]],
      ['setup', 'usernameHelp', given],
      ['setup', 'passwordHelp', [password.min]],
      ['setup', 'error.password', [password.min]],
      ['sign-in', 'register.usernameHelp', registered],
      ['sign-in', 'register.passwordHelp', [password.min, password.max]],
      ['sign-in', 'error.usernameLength', registered],
      ['sign-in', 'error.passwordShort', [password.min]],
      ['sign-in', 'error.passwordLong', [password.max]],
      ['users', 'form.usernameHelp', given],
      ['users', 'form.passwordHelp', [password.min]],
      ['users', 'error.username', given],
      ['users', 'error.password', [password.min, password.max]],
    ];
    for (const [file, key, numbers] of sentences) {
      const texts: unknown = JSON.parse(read(`console/src/i18n/${language}/${file}.json`));
      const sentence = key
        .split('.')
        .reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], texts);
      const named = [...String(sentence).matchAll(/\d+/g)].map(([number]) => Number(number));
      expect([key, named]).toEqual([key, expect.arrayContaining(numbers)]);
    }
  });
});

describe('a field of the settings', () => {
  const bounds = OPTION_KEYS.flatMap((key) => {
    const { min, max } = optionRow(key).bounds ?? {};
    return [
      ...(min === undefined ? [] : [[key, 'least', min, -1] as const]),
      ...(max === undefined ? [] : [[key, 'most', max, 1] as const]),
    ];
  });

  it('has bounds where it is a number', () => {
    const numbers = OPTION_KEYS.filter((key) => /^(?:integer|number)$/.test(optionRow(key).kind));
    expect(bounds.length).toBe(2 * numbers.length);
  });

  it.each(bounds)('shows the bound that the server checks: %s, the %s %d', (key, _end, bound, beyond) => {
    const { parse } = optionRow(key);
    expect(() => parse(String(bound))).not.toThrow();
    expect(() => parse(String(bound + beyond))).toThrow();
  });
});

describe('an entry of a list in the settings', () => {
  const entries = {
    announcements: { content: 'a', publishDate: '2026-11-26T08:00:00Z' },
    apiInfo: { url: 'https://a', route: 'a' },
    faq: { question: 'a', answer: 'a' },
    statusPages: { categoryName: 'a', url: 'https://a', slug: 'a' },
  } as const;
  const keys = {
    announcements: 'console_setting.announcements',
    apiInfo: 'console_setting.api_info',
    faq: 'console_setting.faq',
    statusPages: 'console_setting.uptime_kuma_groups',
  } as const;
  const lists = Object.keys(keys) as (keyof typeof keys)[];
  const source = read('console/src/features/settings/row-members.ts');

  it.each(lists)('shows the lengths of the server: %s', (list) => {
    const { parse } = optionRow(keys[list]);
    const [, members = ''] = new RegExp(`\\b${list}: \\[([^\\]]*)\\]`).exec(source) ?? [];
    const lengths = [...members.matchAll(/name: '(\w+)'[^}]*?max: ([\d_]+)/g)];
    expect(lengths.length).toBeGreaterThan(0);
    for (const [, name = '', max = ''] of lengths) {
      const most = Number(max.replaceAll('_', ''));
      const store = (length: number) => {
        const start = name === 'url' ? 'https://' : '';
        parse(JSON.stringify([{ ...entries[list], [name]: start.padEnd(length, 'a') }]));
      };
      expect(() => store(most)).not.toThrow();
      expect(() => store(most + 1)).toThrow();
    }
  });

  it.each(lists)('shows the maximum count of the server: %s', (list) => {
    const { parse } = optionRow(keys[list]);
    const most = Number(new RegExp(`\\b${list}: (\\d+)`).exec(source)?.[1]);
    const store = (count: number) =>
      parse(
        JSON.stringify(
          Array.from({ length: count }, (_entry, index) => ({
            ...entries[list],
            ...(list === 'statusPages' ? { slug: `page-${index}` } : {}),
          })),
        ),
      );
    expect(() => store(most)).not.toThrow();
    expect(() => store(most + 1)).toThrow();
  });
});
