import { describe, expect, it } from '@jest/globals';
import i18next from 'i18next';
import { aChannel, aChannelPreset, aChannelType } from '../../testing/builders';
import { checkRows } from './many-check';
import { readPaste } from './many-text';

const CONTEXT = {
  t: i18next.t,
  types: [
    aChannelType(),
    aChannelType({ code: 48, name: 'xAI', base_url: 'https://api.x.ai', key_prefixes: ['xai-'] }),
    aChannelType({ code: 18, name: 'Spark', key_format: 'three_parts', key_example: 'A|B|C' }),
    aChannelType({ code: 8, name: 'Custom', base_url: '', needs_base_url: true }),
  ],
  presets: [aChannelPreset({ key_prefix: 'gsk_', paths: { responses_path: '/v1/responses' } })],
  usual: { 1: ['gpt-4o', 'gpt-4o-mini'], 48: ['grok-4'] },
  taken: new Set<string>(),
};

function check(text: string) {
  const pasted = readPaste(text);
  if (typeof pasted === 'string') throw new Error(pasted);
  return checkRows(pasted, CONTEXT);
}

describe('checkRows', () => {
  it('finds the provider by the key, and fills in its usual models and numbered names', () => {
    const rows = check('xai-one\nxai-two\nopenai,sk-three,gpt-4o');
    expect(rows.map(({ faults }) => faults)).toEqual([[], [], []]);
    expect(rows.map(({ body: { type, name, models } }) => [type, name, models])).toEqual([
      [48, 'xAI 1', 'grok-4'],
      [48, 'xAI 2', 'grok-4'],
      [1, 'OpenAI', 'gpt-4o'],
    ]);
    expect(rows.map(({ host, hasUsualModels }) => [host, hasUsualModels])).toEqual([
      ['api.x.ai', true],
      ['api.x.ai', true],
      ['api.openai.com', false],
    ]);
  });

  it('stores a preset as its type, with its address and paths', () => {
    const [row] = check('gsk_secret');
    expect(row?.body).toMatchObject({ type: 1, name: 'Groq', base_url: 'https://api.groq.com/openai' });
    expect(JSON.parse(String(row?.body.settings))).toEqual({
      responses_path: '/v1/responses',
      preset: 'groq',
    });
  });

  it.each([
    ['sk-unknown', /^Name the provider/],
    ['nobody,sk-a,m', /^There is no provider of this name/],
    ['openai,,m', /^The key is missing/],
    ['spark,a|b,m', /^Key: The key must look like A\|B\|C/],
    ['custom,k,m', /^Base address: This type has no default address/],
    ['openai,sk-a,m,n,ftp://x', /^Base address: /],
    ['openai,sk-a,m,n,,high', /^Priority: /],
    ['openai,sk-a,m,n,,1,default,2,rest', /^There are more than 8 columns/],
    ['spark,a|b|c', /^Models: /],
    ['[{"type":1,"key":"k","models":"m","base-url":"x"}]', /^Unknown members: base-url/],
    ['[{"type":99,"key":"k","models":"m"}]', /^The member type/],
    ['[{"key":"k","models":"m"}]', /^The member type/],
    ['[{"type":1,"key":"","models":"m"}]', /^The key is missing/],
    [
      '[{"type":1,"key":"k","models":"m","setting":{"proxy":"http://u:******@p"}}]',
      /^The password of the proxy/,
    ],
    ['[{"type":1,"key":"k","models":"m","model_mapping":"{"}]', /^Model mapping: /],
  ])('names what is wrong: %s', (text, fault) => {
    expect(check(text)[0]?.faults).toEqual([expect.stringMatching(fault)]);
  });

  it('keeps everything that an export holds, with a key beside it', () => {
    const stored = aChannel({
      models: 'gpt-4o,mine',
      group: 'vip,default',
      priority: 4,
      weight: 7,
      status: 3,
      auto_ban: 0,
      model_mapping: '{"mine":"gpt-4o"}',
      setting: '{"proxy":"socks5://p:1","http_protocol":"http1"}',
      settings: '{"disable_store":true,"upstream_model_update":5}',
    });
    const [row] = check(JSON.stringify({ success: true, data: [{ ...stored, key: 'sk-new' }] }));
    expect(row?.faults).toEqual([]);
    expect(row?.body).toMatchObject({
      key: 'sk-new',
      mode: 'single',
      status: 2,
      models: 'gpt-4o,mine',
      group: 'vip,default',
      priority: 4,
      weight: 7,
      auto_ban: 0,
      model_mapping: '{"mine":"gpt-4o"}',
    });
    expect(JSON.parse(String(row?.body.setting))).toEqual({ proxy: 'socks5://p:1', http_protocol: 'http1' });
    expect(JSON.parse(String(row?.body.settings))).toEqual({ disable_store: true, upstream_model_update: 5 });
  });

  it('puts the keys of an exported ring into one channel', () => {
    const ring = {
      is_multi_key: true,
      multi_key_size: 2,
      multi_key_mode: 'random',
      multi_key_off: 0,
    } as const;
    const [row] = check(JSON.stringify([aChannel({ channel_info: ring, key: 'a\nb' as '' })]));
    expect(row?.body).toMatchObject({ mode: 'multi_to_single', multi_key_mode: 'random', key: 'a\nb' });
  });

  it('takes lists and objects where the API takes them', () => {
    const [row] = check(
      '[{"type":1,"key":"k","models":["a","b"],"group":["vip"],"model_mapping":{"a":"b"}}]',
    );
    expect(row?.body).toMatchObject({ models: 'a,b', group: 'vip', model_mapping: '{"a":"b"}' });
  });
});
