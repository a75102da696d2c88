import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import * as documents from './option-documents.js';

const accepts = (schema: z.ZodType, value: unknown): boolean => schema.safeParse(value).success;

/** Texts each document accepts and refuses, with the parsed value. */
describe.each<[string, z.ZodType, Readonly<Record<string, unknown>>, Readonly<Record<string, unknown>>]>([
  [
    'ratioMap',
    documents.ratioMap,
    {
      nothing: {},
      zero: { m: 0 },
      'the largest': { m: 1_000_000 },
      'words of objects': { constructor: 1, toString: 0.5 },
      'names of any script': { '模型 😀': 1 },
    },
    {
      'less than nothing': { m: -0.01 },
      'more than the largest': { m: 1_000_000.01 },
      'a number as text': { m: '1' },
      null: { m: null },
      'no name': { '': 1 },
      'a name of blanks': { '  ': 1 },
      'a name of 256 characters': { ['m'.repeat(256)]: 1 },
      'a list': [1],
    },
  ],
  [
    'groupModelMap',
    documents.groupModelMap,
    { 'a pattern of names': { vip: { 'gpt-4*': 0 } }, 'a group without models': { vip: {} } },
    { 'no model': { vip: { '': 1 } }, 'no group': { '': {} } },
  ],
  [
    'toolPriceMap',
    documents.toolPriceMap,
    {
      'a tool, a size and a family of models': { 'web_search@low:sonar*': 5 },
      'a tool that is free': { file_search: 0 },
    },
    {
      'a size nobody sells': { 'web_search@huge': 1 },
      'capitals in a tool': { Web_search: 1 },
      'a blank in a model': { 'web_search:a b': 1 },
      'a star inside a model': { 'web_search:a*b': 1 },
      'a tool of 65 characters': { ['t'.repeat(65)]: 1 },
    },
  ],
  [
    'lengthTierMap',
    documents.lengthTierMap,
    {
      'no tiers': { m: [] },
      'the smallest tier': { m: [{ above: 1, input: 0, output: 0 }] },
      'the longest call': { m: [{ above: 100_000_000, input: 2, output: 2, cache_read: 0, cache_write: 2 }] },
    },
    {
      'a tier above nothing': { m: [{ above: 0, input: 1, output: 1 }] },
      'parts of a token': { m: [{ above: 1.5, input: 1, output: 1 }] },
      'a tier without a price of output': { m: [{ above: 1, input: 1 }] },
      'eleven tiers': {
        m: Array.from({ length: 11 }, (_, index) => ({ above: index + 1, input: 1, output: 1 })),
      },
    },
  ],
  [
    'tokenCountMap',
    documents.tokenCountMap,
    { one: { m: 1 }, 'ten million': { m: 10_000_000 } },
    { zero: { m: 0 }, 'a part': { m: 1.5 }, 'more than ten million': { m: 10_000_001 } },
  ],
  [
    'safetyMap',
    documents.safetyMap,
    { 'the default alone': { default: 'OFF' }, 'a category': { HARM_CATEGORY_HATE_SPEECH: 'BLOCK_NONE' } },
    {
      'a category nobody has': { constructor: 'OFF' },
      'a threshold nobody has': { default: 'BLOCK_ALL' },
      'a category in small letters': { harm_category_hate_speech: 'OFF' },
    },
  ],
  [
    'versionMap',
    documents.versionMap,
    { 'a version': { default: 'v1beta' }, 'the longest': { m: `v1${'x'.repeat(30)}` } },
    {
      'a path that climbs': { m: 'v1/../admin' },
      'a query': { m: 'v1?key=x' },
      'a letter first': { m: 'vbeta' },
      'a line break': { m: 'v1\n' },
      'one character too many': { m: `v1${'x'.repeat(31)}` },
    },
  ],
  [
    'groupLimitMap',
    documents.groupLimitMap,
    { 'no limit of all calls': { g: [0, 1] }, 'the largest': { g: [2_147_483_647, 2_147_483_647] } },
    {
      'no successful call at all': { g: [1, 0] },
      'one number': { g: [1] },
      'three numbers': { g: [1, 1, 1] },
      'more than 31 bits hold': { g: [2_147_483_648, 1] },
    },
  ],
  [
    'modelHeaderMap',
    documents.modelHeaderMap,
    {
      'two values of a header': { m: { 'anthropic-beta': ['a', 'b'] } },
      'an empty value': { m: { x: [''] } },
    },
    {
      'a line break in a value': { m: { x: ['a\r\nhost: b'] } },
      'a zero byte in a value': { m: { x: ['a\0'] } },
      'letters beyond ASCII': { m: { x: ['é'] } },
      'a colon in a name': { m: { 'x:': ['a'] } },
      'a value alone': { m: { x: 'a' } },
    },
  ],
  [
    'payMethods',
    documents.payMethods,
    { none: [], 'a way to pay': [{ name: '支付宝', type: 'alipay' }] },
    { 'fifty-one': Array.from({ length: 51 }, () => ({ type: 'a' })), 'a number': [{ type: 1 }] },
  ],
  [
    'amountList',
    documents.amountList,
    { none: [], 'smallest and largest': [1, 1_000_000] },
    {
      zero: [0],
      'a part': [1.5],
      'too large': [1_000_001],
      'fifty-one': Array.from({ length: 51 }, () => 1),
    },
  ],
  [
    'chatLinks',
    documents.chatLinks,
    { none: [], 'one of a kind': [{ Chat: 'https://chat.example.com/#/?key={key}' }] },
    {
      'an entry without a label': [{}],
      'two labels in one entry': [{ a: 'https://a.example', b: 'https://b.example' }],
      'a label without letters': [{ '': 'https://a.example' }],
      'a script': [{ a: 'javascript:alert(1)' }],
    },
  ],
])('%s', (_name, schema, taken, refused) => {
  it.each(Object.entries(taken))('takes %s', (_what, value) => {
    expect(accepts(schema, value)).toBe(true);
  });
  it.each(Object.entries(refused))('refuses %s', (_what, value) => {
    expect(accepts(schema, value)).toBe(false);
  });
});

describe('ratioMap', () => {
  it('reads names without the blanks around them', () => {
    expect(documents.ratioMap.parse({ ' gpt-4o\n': 2 })).toEqual({ 'gpt-4o': 2 });
  });
});

describe('isSafeChatLink', () => {
  it.each([
    'https://chat.example.com/?key={key}',
    'https://[2001:db8::1]/',
    'http://localhost:3000/{key}',
    'http://nas/',
    'http://chat.home.arpa/',
    'http://192.168.1.5:8080/',
    'http://[::1]/',
    'http://[fd00::1]/',
    'http://[::ffff:10.0.0.1]/',
    'cherrystudio://providers/api-keys?v=1&data={key}',
  ])('takes %s', (link) => {
    expect(documents.isSafeChatLink(link)).toBe(true);
  });

  it.each([
    '',
    'chat.example.com',
    '//chat.example.com/',
    'https://user@chat.example.com/',
    'https://:secret@chat.example.com/',
    'https://{address}/',
    'https://%7Baddress%7D/',
    'http://chat.example.com/',
    'http://8.8.8.8/',
    'http://134744072/',
    'http://[::ffff:8.8.8.8]/',
    'http://local.example.com/',
    'http://user@localhost/',
    'javascript://%0aalert(1)',
    'JavaScript://%0aalert(1)',
    ' javascript://%0aalert(1)',
    'java\nscript://%0aalert(1)',
    'data://text/html,x',
    'vbscript://x',
    'file:///etc/passwd',
    'blob:https://chat.example.com/1',
    'ws://localhost/',
    'mailto:a@b.example',
  ])('refuses %j', (link) => {
    expect(documents.isSafeChatLink(link)).toBe(false);
  });
});

describe('wrongTopUpRatio', () => {
  it('names the group whose factor of 0 would charge the full price', () => {
    expect(documents.wrongTopUpRatio({ default: 1, vip: 0, other: 0 })).toBe('vip');
    expect(documents.wrongTopUpRatio({ default: 1, vip: 0.000001 })).toBeUndefined();
  });
});

describe('wrongDiscount', () => {
  it.each<[Readonly<Record<string, number>>, string | undefined]>([
    [{}, undefined],
    [{ 100: 1 }, undefined],
    [{ 100: Number.MIN_VALUE }, undefined],
    [{ 100: 0 }, '100'],
    [{ 50: 0.5, 100: 1.0001 }, '100'],
    [{ constructor: -1 }, 'constructor'],
  ])('judges %j: an amount that gives credit away or costs more is named', (discounts, wrong) => {
    expect(documents.wrongDiscount(discounts)).toBe(wrong);
  });
});

describe('wrongPayMethod', () => {
  it.each<[string, readonly Readonly<Record<string, string>>[], string | undefined]>([
    ['none at all', [], undefined],
    ['two of different types', [{ type: 'a' }, { type: 'b' }], undefined],
    [
      'two of one name',
      [
        { name: 'n', type: 'a' },
        { name: 'n', type: 'b' },
      ],
      undefined,
    ],
    ['two that name no type', [{ name: 'a' }, { type: '' }], undefined],
    ['two of one type', [{ type: 'a' }, { type: 'b' }, { type: 'a' }], 'a'],
    [
      'two of a type that is a word of objects',
      [{ type: 'constructor' }, { type: 'constructor' }],
      'constructor',
    ],
    ['a member nobody reads', [{ type: 'a' }, { type: 'b', color: 'red' }], '1.color'],
    ['a member that objects inherit', [{ constructor: 'x' }], '0.constructor'],
  ])('judges %s', (_what, methods, wrong) => {
    expect(documents.wrongPayMethod(methods)).toBe(wrong);
  });
});
