import { describe, expect, it } from '@jest/globals';
import type { Language } from '../../../common/language.js';
import { writeMailText } from './mail-page.js';
import { MAIL_TEMPLATES, type MailTemplate, type MailValues } from './mail-templates.js';

const LINK = 'https://gate.example/go';
/** `shown` is what a reader has to find; `$&` would be replaced by a careless template. */
const LETTERS: { readonly [Name in MailTemplate]: { values: MailValues[Name]; shown: readonly string[] } } = {
  code: { values: { code: 'ABC234', minutes: 10 }, shown: ['ABC234', '10'] },
  'address-known': { values: { link: LINK }, shown: [LINK] },
  reset: { values: { link: LINK, minutes: 15, username: 'ada$&' }, shown: [LINK, '15', 'ada$&'] },
  'login-unlock': { values: { link: LINK, minutes: 20, username: 'ada$&' }, shown: [LINK, '20', 'ada$&'] },
  'account-changed': {
    values: { username: 'ada$&', change: 'password', at: '2026-11-25T20:15:03.123Z' },
    shown: ['ada$&', '2026-11-25 20:15:03 UTC'],
  },
  'quota-warning': {
    values: { balance: '$1.20', threshold: '$2.00', link: LINK },
    shown: ['$1.20', '$2.00', LINK],
  },
  'channel-off': { values: { channel: 'Channel 7', reason: 'HTTP 401' }, shown: ['Channel 7', 'HTTP 401'] },
  'channel-on': { values: { channel: 'Channel 7' }, shown: ['Channel 7'] },
  'channel-test': { values: { summary: '3 of 4 work' }, shown: ['3 of 4 work'] },
  'order-incident': {
    values: { tradeNo: 'T-1', what: 'was paid twice', detail: 'see the provider' },
    shown: ['T-1', 'was paid twice', 'see the provider'],
  },
  'token-locked': {
    values: { token: 'laptop', reason: 'found in a repository' },
    shown: ['laptop', 'found in a repository'],
  },
  'limit-near': {
    values: {
      limit: 'CI',
      value: 'nightly',
      percent: 80,
      used: '$4.00',
      amount: '$5.00',
      resets: '2026-05-15 00:00 UTC',
    },
    shown: ['CI', 'nightly', '$4.00', '$5.00', '2026-05-15 00:00 UTC'],
  },
  alert: {
    values: { title: 'Redis is gone', items: [{ title: 'Since', text: '20:15' }], link: LINK },
    shown: ['Redis is gone', 'Since', '20:15', LINK],
  },
  'weekly-summary': {
    values: {
      scope: 'account',
      username: 'ada$&',
      from: '2026-11-16',
      to: '2026-11-22',
      zone: 'Asia/Shanghai',
      spend: { text: '$12.35', changePercent: -15 },
      calls: { text: '1,234', changePercent: 0 },
      failures: { text: '3', changePercent: null },
      models: [{ name: 'model-x', spend: '$9.00', calls: 1_000 }],
      warnings: [
        { kind: 'unpriced-model', model: 'model-y', calls: 1 },
        { kind: 'failing-channel', channel: 'West #7', attempts: 40, failures: 12 },
        { kind: 'expiring-token', token: 'laptop', at: '2026-11-27 10:00' },
        { kind: 'low-balance', balance: '$0.50', spentInDay: '$0.80' },
        { kind: 'near-limit', limit: 'CI', percent: 92, resetsAt: '2026-11-28 00:00' },
        { kind: 'price-below-list', model: 'model-z', part: 'output', price: 0.3, listPrice: 0.6 },
      ],
      dashboardUrl: LINK,
      stopUrl: `${LINK}/stop`,
    },
    shown: [
      'ada$&',
      '2026-11-16',
      'Asia/Shanghai',
      '$12.35',
      '−15%',
      '±0%',
      'model-x',
      'model-y',
      'model-z',
      'West #7',
      '30%',
      'laptop',
      '$0.80',
      '92%',
      `${LINK}/stop`,
    ],
  },
  test: { values: { at: '2026-11-25T20:15:03Z' }, shown: ['2026-11-25 20:15:03 UTC'] },
};
const NAMES = Object.keys(MAIL_TEMPLATES) as MailTemplate[];
const CASES = NAMES.flatMap((name) => (['en', 'zh'] as const).map((language) => [name, language] as const));

function write<Name extends MailTemplate>(name: Name, language: Language, values: MailValues[Name]) {
  return MAIL_TEMPLATES[name][language](values, 'Gate');
}

describe('MAIL_TEMPLATES', () => {
  it.each(CASES)('%s in %s shows every value of its mail', (name, language) => {
    const text = writeMailText(write(name, language, LETTERS[name].values), 'Gate');
    for (const part of LETTERS[name].shown) expect(text).toContain(part);
    expect(text).not.toMatch(/undefined|\[object|\{\w+\}/);
  });

  it.each(CASES)('%s in %s has a subject of one line and its reason', (name, language) => {
    const page = write(name, language, LETTERS[name].values);
    expect(page.subject).toMatch(/^[^\r\n]+$/);
    expect(page.footer).not.toBe('');
    expect(/\p{Script=Han}/u.test(page.footer)).toBe(language === 'zh');
  });

  it.each(CASES.filter(([name]) => 'link' in LETTERS[name].values))(
    '%s in %s shows no button when the address of the console is unknown',
    (name, language) => {
      const { values } = LETTERS[name];
      const kinds = (link: string) =>
        write(name, language, { ...values, link } as never).blocks.map(({ kind }) => kind);
      expect(kinds(LINK)).toContain('link');
      expect(kinds('')).not.toContain('link');
    },
  );
});
