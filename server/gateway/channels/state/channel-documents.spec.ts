import { describe, expect, it } from '@jest/globals';
import { DomainError } from '../../../common/errors/domain-error.js';
import { parseOperations } from '../../../relay-core/pipeline/request/overrides/override-rules.js';
import {
  CHANNEL_DOCUMENTS,
  checkHeaderOverride,
  checkModelMapping,
  checkParamOverride,
  checkSetting,
  checkStatusMapping,
  documentsToLookAt,
  JSON_DOCUMENTS,
  proxyOf,
} from './channel-documents.js';
import { CLOSED_DOCUMENTS, type ClosedDocument } from './channel-members.js';

const refusalOf = (action: () => unknown): string => {
  try {
    action();
  } catch (error) {
    if (error instanceof DomainError) return error.code;
    throw error;
  }
  return 'nothing refused';
};

describe('JSON documents of a channel [CHAN-112, CH-05]', () => {
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

  it.each(['model', 'stream', 'stream_options', 'n', 'max_tokens', 'best_of', 'num_images'])(
    'refuses an override of %s',
    (member) => {
      expect(refusalOf(() => checkParamOverride({ [member]: 1 }))).toBe('channel_override_fixed');
    },
  );

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
    const setting = checkSetting('{"proxy":"socks5://u:p@10.0.0.1:1080","force_format":true}');
    expect(proxyOf(setting)).toBe('socks5://u:p@10.0.0.1:1080');
    expect(proxyOf('')).toBe('');
    expect(refusalOf(() => checkSetting('{"force_format":"yes"}'))).toBe('channel_document_value');
    expect(refusalOf(() => checkSetting('{"system_prompt":1}'))).toBe('channel_document_value');
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
  ])('names the unknown member of an override: %j', (document, member) => {
    for (const input of [document, JSON.stringify(document)])
      try {
        checkParamOverride(input);
        throw new Error('saved');
      } catch (error) {
        expect(error).toMatchObject({ code: 'channel_override_member', values: { member } });
      }
    // A document stored before is still read, without that member.
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

  const KNOWN: Readonly<Record<ClosedDocument, Readonly<Record<string, unknown>>>> = {
    setting: {
      proxy: '',
      system_prompt: 'Be brief.',
      system_prompt_override: true,
      force_format: false,
      thinking_to_content: false,
      pass_through_body_enabled: true,
      abandoned_read_seconds: 5,
    },
    settings: {
      allow_service_tier: true,
      allow_inference_geo: false,
      allow_speed: true,
      disable_store: true,
      allow_safety_identifier: true,
      allow_stored_files: false,
      claude_beta_query: true,
      claude_cache_marks: true,
      aws_inference_profile: 'eu',
      vertex_key_type: 'api_key',
      dify_application: 'workflow',
      responses_path: '/v1/responses',
      messages_path: '/v1/messages',
      gemini_path: '/v1beta',
      preset: 'groq',
      allow_foreign_ids: true,
      azure_responses_version: 'preview',
    },
  };
  const CLOSED = Object.keys(CLOSED_DOCUMENTS) as ClosedDocument[];

  it.each(CLOSED)('saves %s with every member that is read, and nothing else', (name) => {
    const known = KNOWN[name];
    expect(Object.keys(known).toSorted()).toEqual([...CLOSED_DOCUMENTS[name].keys()].toSorted());
    const check = CHANNEL_DOCUMENTS[name];
    expect(JSON.parse(check(known))).toEqual(known);
    for (const input of [{ ...known, later: 1 }, JSON.stringify({ ...known, later: 1 })])
      expect(() => check(input)).toThrow(
        expect.objectContaining({
          code: 'channel_document_member',
          values: { document: name, member: 'later' },
        }),
      );
    for (const member of Object.keys(known))
      for (const wrong of [7.5, null, ['x'], 'no such choice'].slice(0, member === 'proxy' ? 0 : 4)) {
        const isText = CLOSED_DOCUMENTS[name].get(member) === 'text';
        if (isText && typeof wrong === 'string') continue;
        expect(() => check({ [member]: wrong })).toThrow(
          expect.objectContaining({
            code: 'channel_document_value',
            values: expect.objectContaining({ document: name, member }),
          }),
        );
      }
  });

  it.each(JSON_DOCUMENTS)('names what stands twice in %s', (name) => {
    const twice =
      name === 'status_code_mapping' ? '{"429":503,"429":500}' : '{"force_format":true,"force_format":false}';
    expect(() => CHANNEL_DOCUMENTS[name](twice)).toThrow(
      expect.objectContaining({
        code: 'channel_document_twice',
        values: expect.objectContaining({ document: name }),
      }),
    );
  });

  it('names a model that is there twice once the blanks are gone', () => {
    expect(() => checkModelMapping('{"a":"b"," a":"c"}')).toThrow(
      expect.objectContaining({
        code: 'channel_document_twice',
        values: { document: 'model_mapping', member: 'a' },
      }),
    );
  });

  it.each([
    [{ operations: { ...operation } }, 'operations'],
    [{ operations: [{ mode: 'set', path: 'a' }] }, 'operations.0.value'],
    [{ operations: [{ mode: 'append', path: 'a' }] }, 'operations.0.value'],
    [{ operations: [{ ...operation, conditions: [{ path: 'model' }] }] }, 'operations.0.conditions.0.value'],
    [{ operations: [{ ...operation, logic: 'XOR' }] }, 'operations.0.logic'],
  ])('names what an operation cannot do without, or does not know: %j', (document, at) => {
    expect(() => checkParamOverride(document)).toThrow(
      expect.objectContaining({ code: 'channel_override_operation', values: { at } }),
    );
  });

  it.each([
    [{ mode: 'return_error', value: { message: 'no', http_status: 403 } }, 'operations.0.value.http_status'],
    [
      { mode: 'prune_objects', path: '', value: { where: { type: 'a' }, when: {} } },
      'operations.0.value.when',
    ],
  ])('names unknown members inside values: %j', (each, member) => {
    expect(() => checkParamOverride({ operations: [each] })).toThrow(
      expect.objectContaining({ code: 'channel_override_member', values: { member } }),
    );
  });

  it.each(['{apikey}', '{header:X-Id}', 'Bearer {client_headers:X}'])(
    'names the unknown placeholder %s',
    (value) => {
      expect(() => checkHeaderOverride({ 'X-Team': value })).toThrow(
        expect.objectContaining({ code: 'channel_document_member' }),
      );
    },
  );

  it.each([7, null, ['a']])('names the header whose value is %j', (value) => {
    expect(() => checkHeaderOverride({ 'X-Team': value })).toThrow(
      expect.objectContaining({
        code: 'channel_document_value',
        values: expect.objectContaining({ member: 'X-Team' }),
      }),
    );
  });

  it('accepts headers whose value only resembles one', () => {
    const header = { 'X-A': '{api_key} {client_header:X-Id}', 'X-B': '{"team": "blue"}', 'X-C': '{}' };
    expect(JSON.parse(checkHeaderOverride(header))).toEqual(header);
  });

  it('lists stored documents that current rules reject, with their paths', () => {
    const stored = {
      model_mapping: '{"a":"b"}',
      status_code_mapping: '',
      param_override: '{"operations":[{"mode":"set","path":"a","value":1,"match":[]}]}',
      header_override: null,
      setting: '{"later":1}',
      settings: '{"openrouter_enterprise":true}',
    };
    expect(documentsToLookAt(stored)).toEqual([
      'param_override: operations.0.match',
      'setting: later',
      'settings: openrouter_enterprise',
    ]);
  });
});
