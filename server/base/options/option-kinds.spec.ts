import { describe, expect, it } from '@jest/globals';
import { OPTION_CATALOGUE, OPTION_KEYS, optionRow, type OptionKey } from './option-catalogue.js';
import { isSafeChatLink } from './option-documents.js';

const refuses = (key: OptionKey, text: string): boolean => {
  try {
    optionRow(key).parse(text);
    return false;
  } catch (error) {
    return error instanceof Error && error.constructor.name === 'OptionValueError';
  }
};

describe('the option catalogue', () => {
  it.each(OPTION_KEYS)('%s reads back what it writes, and its default is valid', (key) => {
    const row = optionRow(key);
    expect(row.parse(row.format(row.fallback))).toEqual(row.fallback);
    expect(row.help).toMatch(/\.$/);
  });

  it('cuts the trailing slash of base addresses, and keeps endpoints to the letter', () => {
    expect(optionRow('ServerAddress').parse('https://ai.example//')).toBe('https://ai.example');
    expect(optionRow('oidc.token_endpoint').parse(' https://id.example/token/ ')).toBe(
      'https://id.example/token/',
    );
    expect(refuses('oidc.token_endpoint', 'ftp://id.example/token')).toBe(true);
  });

  it.each([
    ['https://cdn.example/logo.png', false],
    ['/logo.svg', false],
    ['data:image/png;base64,AAAA', false],
    ['', false],
    ['javascript:alert(1)', true],
    ['//cdn.example/logo.png', true],
    ['data:text/html,<script>', true],
    ['logo.png', true],
  ])('a logo at %s is refused: %s', (given, isRefused) => {
    expect(refuses('Logo', given)).toBe(isRefused);
  });

  it('marks exactly the secrets as secret [OPT-104]', () => {
    const secrets = OPTION_KEYS.filter((key) => OPTION_CATALOGUE[key].class === 'secret').toSorted();
    expect(secrets).toEqual([
      'AlertWebhookSecret',
      'EpayKey',
      'GitHubClientSecret',
      'LinuxDOClientSecret',
      'SMTPToken',
      'StripeApiSecret',
      'StripeWebhookSecret',
      'TelegramBotToken',
      'TurnstileSecretKey',
      'WeChatServerToken',
      'WorkerValidKey',
      'oidc.client_secret',
    ]);
  });

  it.each([
    ['QuotaPerUnit', ['0', '-1', 'NaN', 'Infinity', '1e400', '', '0x10', '5e5x']],
    ['RetryTimes', ['-1', '1.5', '6', '21', '1e1', ' ', '９']],
    ['Price', ['-0.01', 'seven']],
    ['MinTopUp', ['0', '-5']],
    ['StripeCurrency', ['', 'us', 'dollar', 'kwd', '€']],
    ['DataExportDefaultTime', ['year', 'HOUR']],
    ['AlertMailReceivers', ['nobody', 'a@b@c.example', 'a b@c.example']],
    ['AlertRulesOff', ['Instance gone', 'a--b', '-a']],
    ['AlertErrorRatePercent', ['0', '101']],
    ['RegisterEnabled', ['yes', '1', 'True', '']],
    ['ServerAddress', ['ftp://x.example', 'javascript:alert(1)', 'https://user:word@x.example', 'x.example']],
    ['ModelRatio', ['{', '[]', 'null', '{"a":"1"}', '{"a":-1}', '{"a":1e308}', '{"a":null}', '{"":1}']],
    ['ModelRequestRateLimitGroup', ['{"a":[1]}', '{"a":[-1,1]}', '{"a":[0,0]}', '{"a":[0,1.5]}']],
    ['EmailDomainWhitelist', ['not a domain', 'a.example,@b.example', '*.example']],
    ['gemini.thinking_adapter_budget_tokens_percentage', ['0.05', '1.1']],
    ['general_setting.ping_interval_seconds', ['0']],
    [
      'Chats',
      [
        '{}',
        '[{"a":"http://x.example"}]',
        '[{"a":"javascript:alert(1)"}]',
        '[{"a":"https://x.example","b":"https://y.example"}]',
      ],
    ],
    ['claude.model_headers_settings', ['{"m":{"bad header":["x"]}}', '{"m":{"h":["a\\r\\nb"]}}']],
  ] as const)('%s refuses %j [OPT-102, RLY-11]', (key, texts) => {
    expect(texts.filter((text) => !refuses(key, text))).toEqual([]);
  });

  it('gives maps without inherited members', () => {
    const ratios = OPTION_CATALOGUE.ModelRatio.parse('{"constructor":2,"gpt":1}');
    expect(ratios['constructor']).toBe(2);
    expect(ratios['valueOf']).toBeUndefined();
    expect(ratios['hasOwnProperty']).toBeUndefined();
    expect(Object.isFrozen(ratios)).toBe(true);
  });

  it.each([
    ['ModelRatio', '{"__proto__":1}'],
    ['ModelRatio', '{"gpt":1,"\\u005f_proto__":1}'],
    ['claude.model_headers_settings', '{"m":{"__proto__":["x"]}}'],
  ] as const)('%s refuses %s as a whole', (key, text) => {
    expect(refuses(key, text)).toBe(true);
  });

  it('keeps each entry of a list once, in lower case', () => {
    const row = optionRow('EmailDomainWhitelist');
    expect(row.format(row.parse('a.com, B.com，a.com\nA.COM'))).toBe('a.com,b.com');
  });

  it('an empty whitelist is an empty list [OPT-106]', () => {
    expect(OPTION_CATALOGUE.EmailDomainWhitelist.parse('')).toEqual([]);
  });
});

describe('chat links [WEB-06]', () => {
  it.each([
    ['https://chat.example/#/?settings={"key":"{key}","url":"{address}"}', true],
    ['opencat://team/join?domain={address}&token={key}', true],
    ['http://chat.example/{key}', false],
    ['http://8.8.8.8/{key}', false],
    ['http://{address}/', false],
    ['http://10.0.0.5:3000/#/?key={key}', true],
    ['http://192.168.1.9/', true],
    ['http://[fd00::1]:8080/', true],
    ['http://[::ffff:8.8.8.8]/', false],
    ['http://nextchat:3000/', true],
    ['http://chat.lan/', true],
    ['http://user:word@chat.lan/', false],
    ['http://0x08080808/', false],
    ['https://user:word@chat.example/', false],
    ['https://{address}/', false],
    ['javascript:alert(1)', false],
    ['data:text/html,x', false],
    ['//chat.example', false],
    ['mailto:x@y.example', false],
  ])('%s is safe: %s', (link, safe) => {
    expect(isSafeChatLink(link)).toBe(safe);
  });
});
