import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../../common/errors/domain-error.js';
import { parseOperations } from '../../relay-core/pipeline/overrides/override-rules.js';
import {
  checkModelMapping,
  checkParamOverride,
  checkSetting,
  checkStatusMapping,
  proxyOf,
} from './channel-documents.js';

const refusalOf = (action: () => unknown): string => {
  try {
    action();
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
  return 'nothing refused';
};

describe('JSON documents of a channel (CHAN-12, CH-05)', () => {
  it.each(['{', '[]', '1', 'null x', '{"a":1}', '{"a":""}', '{"a":{"b":"c"}}', '{"__proto__":"x"}'])(
    'refuses %s as a model mapping',
    (text) => {
      expect(refusalOf(() => checkModelMapping(text))).toBe('channel_model_mapping_invalid');
    },
  );

  it('refuses mapping cycles of any length, not a name mapped onto itself', () => {
    expect(refusalOf(() => checkModelMapping('{"a":"b","b":"a"}'))).toBe('channel_model_mapping_cycle');
    expect(refusalOf(() => checkModelMapping('{"x":"a","a":"b","b":"c","c":"a"}'))).toBe(
      'channel_model_mapping_cycle',
    );
    expect(checkModelMapping('{"a":"a","b":"a"}')).toBe('{"a":"a","b":"a"}');
  });

  it('keeps what the operator typed, and writes objects as JSON', () => {
    expect(checkModelMapping(' {"a": "b"} ')).toBe('{"a": "b"}');
    expect(checkModelMapping({ a: 'b' })).toBe('{"a":"b"}');
    expect(checkModelMapping('')).toBe('');
    expect(checkModelMapping(null)).toBe('');
    expect(checkModelMapping('{}')).toBe('');
  });

  it.each([
    '{"200":"500"}',
    '{"429":"200"}',
    '{"429":600}',
    '{"429":429.5}',
    '{"4xx":"500"}',
    '{"429":null}',
    '[]',
  ])('refuses %s as a status mapping', (text) => {
    expect(refusalOf(() => checkStatusMapping(text))).toBe('channel_status_mapping_invalid');
  });

  it('takes statuses as numbers and as text', () => {
    expect(checkStatusMapping('{"429":"503","400":500}')).toBe('{"429":"503","400":500}');
  });

  it.each(['model', 'stream', 'stream_options', 'n', 'max_tokens'])('refuses an override of %s', (member) => {
    expect(refusalOf(() => checkParamOverride({ [member]: 1 }))).toBe('channel_override_fixed');
  });

  it('refuses an override that is not an object, or nested without end', () => {
    expect(refusalOf(() => checkParamOverride('[1]'))).toBe('channel_override_invalid');
    expect(refusalOf(() => checkParamOverride(`${'{"a":'.repeat(40)}1${'}'.repeat(40)}`))).toBe(
      'channel_override_invalid',
    );
    expect(refusalOf(() => checkParamOverride('{"a":{"constructor":1}}'))).toBe('channel_override_invalid');
    expect(checkParamOverride('{"temperature":0}')).toBe('{"temperature":0}');
  });

  it.each(['ftp://p:1', 'p:1', 'http://', 'socks5://h/path', '5'])('refuses %s as a proxy', (proxy) => {
    expect(refusalOf(() => checkSetting({ proxy }))).toBe('channel_proxy_invalid');
  });

  it('reads the proxy back and refuses switches that are no switches', () => {
    const setting = checkSetting('{"proxy":"socks5://u:p@10.0.0.1:1080","force_format":true,"later":1}');
    expect(proxyOf(setting)).toBe('socks5://u:p@10.0.0.1:1080');
    expect(proxyOf('')).toBe('');
    expect(refusalOf(() => checkSetting('{"force_format":"yes"}'))).toBe('channel_setting_invalid');
    expect(refusalOf(() => checkSetting('{"system_prompt":1}'))).toBe('channel_setting_invalid');
  });

  it('takes blanks off the names of a model mapping, and finds cycles behind them', () => {
    expect(checkModelMapping('{" a ":"b\\t", "c":"d"}')).toBe('{"a":"b","c":"d"}');
    expect(checkModelMapping('{ "a": "b" }')).toBe('{ "a": "b" }');
    expect(refusalOf(() => checkModelMapping('{" ":"b"}'))).toBe('channel_model_mapping_invalid');
    expect(refusalOf(() => checkModelMapping('{"a ":"b","b":" a"}'))).toBe('channel_model_mapping_cycle');
  });

  const operation = { mode: 'set', path: 'temperature', value: 0.5 };
  const condition = { path: 'model', mode: 'prefix', value: 'gpt' };

  it.each([
    [{ operations: [{ ...operation, match: [condition] }] }, 'operations.0.match'],
    [{ operations: [{ ...operation, condition }] }, 'operations.0.condition'],
    [{ operations: [operation, { ...operation, keepOrigin: true }] }, 'operations.1.keepOrigin'],
    [
      { operations: [{ ...operation, conditions: [condition, { ...condition, not: true }] }] },
      'operations.0.conditions.1.not',
    ],
    [{ operations: [operation], temperature: 1 }, 'temperature'],
  ])('names the member of an override nobody reads: %j', (document, member) => {
    for (const input of [document, JSON.stringify(document)])
      try {
        checkParamOverride(input);
        throw new Error('saved');
      } catch (error) {
        expect(error).toMatchObject({ code: 'channel_override_member', values: { member } });
      }
    // What was stored before is still read, without that member.
    expect(parseOperations(document)).toHaveProperty('operations');
  });

  it('saves operations with every member they have', () => {
    const full = {
      ...operation,
      keep_origin: true,
      from: '',
      to: '',
      logic: 'AND',
      conditions: [{ ...condition, invert: true, pass_missing_key: true }],
    };
    expect(checkParamOverride({ operations: [full, { ...operation, conditions: null }] })).not.toBe('');
  });
});
