import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../../../common/errors/domain-error.js';
import {
  checkBaseUrl,
  checkChannelFields,
  checkChannelStatus,
  checkWholeChannel,
  movesElsewhere,
  splitKeys,
} from './channel-rules.js';

const refusalOf = (action: () => unknown): string => {
  try {
    action();
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
  return 'nothing refused';
};

describe('channel fields [CHAN-103]', () => {
  it.each([
    ['name', 191],
    ['tag', 191],
    ['remark', 255],
  ] as const)('counts %s by characters: %i that are two units each are not too long', (field, most) => {
    const text = '𝟙'.repeat(most);
    expect(checkChannelFields({ [field]: text })).toEqual({ [field]: text });
    expect(refusalOf(() => checkChannelFields({ [field]: `${text}𝟙` }))).not.toBe('nothing refused');
  });

  it.each([
    [{ name: ' ' }, 'channel_name_and_key_required'],
    [{ name: 'x'.repeat(192) }, 'channel_name_too_long'],
    [{ models: ' , ' }, 'channel_model_required'],
    [{ models: ['m'.repeat(256)] }, 'channel_model_too_long'],
    [{ group: '' }, 'channel_group_required'],
    [{ group: 'g'.repeat(65) }, 'invalid_input'],
    [{ type: 0 }, 'channel_type_unknown'],
    [{ type: 11 }, 'channel_type_unserved'],
    [{ weight: -1 }, 'invalid_input'],
    [{ priority: 2e9 }, 'invalid_input'],
    [{ openai_organization: 'org\r\nX-Evil: 1é' }, 'invalid_input'],
  ])('refuses %j', (fields, code) => {
    expect(refusalOf(() => checkChannelFields(fields))).toBe(code);
  });

  it('lets a channel keep a type that new channels cannot have', () => {
    const stored = { setting: '', settings: null, type: 11 };
    expect(checkChannelFields({ type: 11, name: 'a' }, stored)).toEqual({ type: 11, name: 'a' });
    expect(refusalOf(() => checkChannelFields({ type: 11 }, { ...stored, type: 1 }))).toBe(
      'channel_type_unserved',
    );
  });

  it('names only columns a person edits, whatever comes in', () => {
    const hostile = {
      name: 'a',
      id: 7,
      key: 'sk',
      used_quota: 9,
      usedQuota: 9,
      balance: 9,
      deletedAtMs: 1,
      created_time: 1,
    };
    expect(checkChannelFields(hostile)).toEqual({ name: 'a' });
  });

  it('trims, removes duplicates, and lets presence decide [CHAN-104, CHAN-110]', () => {
    expect(
      checkChannelFields({
        models: ' a ,b,a\nc',
        group: 'x,x',
        tag: '',
        other: null,
        weight: null,
        auto_ban: false,
      }),
    ).toEqual({ models: 'a,b,c', group: 'x', tag: '', other: '', weight: 0, autoBan: 0 });
  });

  it.each([
    'ftp://a',
    'a.example',
    'http://u:p@a.example',
    'https://a.example/#x',
    'https://',
    'https://a.example/one\ntwo',
  ])('refuses %s as base address', (address) => {
    expect(refusalOf(() => checkBaseUrl(address))).toBe('channel_base_url_invalid');
  });

  it('strips trailing slashes', () => {
    expect(checkBaseUrl('https://a.example/v1//')).toBe('https://a.example/v1');
    expect(checkBaseUrl('')).toBe('');
  });

  it('accepts words that stand for an address, and a query only when the address is complete', () => {
    expect(checkBaseUrl('kimi-coding-plan')).toBe('kimi-coding-plan');
    expect(checkBaseUrl('https://a.example/chat?v=1')).toBe('https://a.example/chat?v=1');
    const withQuery = { baseUrl: 'https://a.example/chat?v=1', other: '' };
    expect(refusalOf(() => checkWholeChannel({ type: 1, ...withQuery }))).toBe('channel_base_url_query');
    expect(checkWholeChannel({ type: 8, ...withQuery })).toEqual({ other: '' });
  });

  it('requires the fields of each type [CH-04]', () => {
    expect(refusalOf(() => checkWholeChannel({ type: 8, baseUrl: '', other: '' }))).toBe(
      'channel_base_url_required',
    );
    expect(refusalOf(() => checkWholeChannel({ type: 41, baseUrl: '', other: '' }))).toBe(
      'channel_region_required',
    );
    expect(refusalOf(() => checkWholeChannel({ type: 41, baseUrl: '', other: '{"a":"b"}' }))).toBe(
      'channel_region_required',
    );
    expect(refusalOf(() => checkWholeChannel({ type: 41, baseUrl: '', other: '{"default":"evil/#"}' }))).toBe(
      'channel_other_invalid',
    );
    expect(checkWholeChannel({ type: 18, baseUrl: '', other: '' })).toEqual({ other: 'v2.1' });
    for (const type of [3, 36, 47, 59, 60]) {
      expect(refusalOf(() => checkWholeChannel({ type, baseUrl: '', other: '' }))).toBe(
        'channel_base_url_required',
      );
    }
    expect(refusalOf(() => checkWholeChannel({ type: 39, baseUrl: '', other: '' }))).toBe(
      'channel_other_required',
    );
    for (const other of ['a/b', 'a#b', 'a@b', 'a?b', '..', 'a b']) {
      expect(refusalOf(() => checkWholeChannel({ type: 39, baseUrl: '', other }))).toBe(
        'channel_other_invalid',
      );
    }
  });

  it('lets people set statuses 1 and 2 only; the stored one may come back', () => {
    expect(checkChannelStatus(3, 3)).toBe(3);
    expect(refusalOf(() => checkChannelStatus(3, 1))).toBe('invalid_input');
    expect(refusalOf(() => checkChannelStatus(0, 1))).toBe('invalid_input');
    expect(checkChannelStatus(1, 3)).toBe(1);
  });
});

describe('keys', () => {
  it('splits lines into one channel each, except JSON keys and single mode [CHAN-105]', () => {
    const json = '{\n "type": "service_account"\n}';
    expect(splitKeys('a\r\n\n b \n', undefined, 1)).toEqual(['a', 'b']);
    expect(splitKeys('a\nb', 'batch', 1)).toEqual(['a', 'b']);
    expect(splitKeys(json, undefined, 41)).toEqual([json]);
    expect(splitKeys(json, undefined, 24)).toEqual([json]);
    expect(refusalOf(() => splitKeys('a\nb', 'single', 1))).toBe('channel_key_invalid');
    expect(refusalOf(() => splitKeys(' \n ', undefined, 1))).toBe('channel_name_and_key_required');
    expect(refusalOf(() => splitKeys('clé', undefined, 1))).toBe('channel_key_invalid');
    expect(refusalOf(() => splitKeys('no json', undefined, 41))).toBe('channel_key_invalid');
    expect(refusalOf(() => splitKeys(Array.from({ length: 501 }, () => 'k').join('\n'), 'batch', 1))).toBe(
      'channel_keys_too_many',
    );
  });

  it('sees every change of destination [CH-02]', () => {
    const before = { type: 1, baseUrl: 'https://a.example/v1', setting: '' };
    const moves = (change: Partial<typeof before>): boolean =>
      movesElsewhere(before, { ...before, ...change });
    expect(moves({})).toBe(false);
    expect(moves({ baseUrl: 'https://a.example/v2' })).toBe(false);
    expect(moves({ baseUrl: 'https://a.example:443' })).toBe(false);
    expect(moves({ baseUrl: 'http://a.example/v1' })).toBe(true);
    expect(moves({ baseUrl: 'https://b.example/v1' })).toBe(true);
    expect(moves({ baseUrl: 'https://a.example:8443/v1' })).toBe(true);
    expect(moves({ baseUrl: '' })).toBe(true);
    expect(moves({ type: 8 })).toBe(true);
    expect(moves({ baseUrl: 'kimi-coding-plan' })).toBe(true);
    expect(moves({ setting: '{"proxy":"http://evil.example:1"}' })).toBe(true);
    expect(moves({ setting: '{"force_format":true}' })).toBe(false);
    expect(movesElsewhere({ ...before, baseUrl: '' }, { ...before, baseUrl: 'https://api.openai.com' })).toBe(
      false,
    );
  });

  it.each([
    'Bearer sk-1',
    'bearer  sk-1',
    'BEARER\tsk-1',
    'Authorization: Bearer sk-1',
    'authorization：Bearer sk-1',
    'x-api-key: sk-1',
    'X-Goog-Api-Key:sk-1',
    'Bearer\u00a0sk-1',
  ])('takes %j for the key alone', (text) => {
    for (const mode of ['single', 'batch', undefined] as const)
      expect(splitKeys(text, mode, 1)).toEqual(['sk-1']);
  });

  it.each(['Bearer sk-1', 'bearer  sk-1', 'Authorization: Bearer sk-1'])('keeps %j at Azure', (text) => {
    // There it says that the key is a token of the directory.
    const marked = text.replace('  ', ' ');
    expect(splitKeys(marked, 'single', 3)).toEqual([marked]);
  });
});
