import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { isKeyPair, signTencent } from './signing.js';

const REQUEST = {
  method: 'POST',
  url: 'https://hunyuan.tencentcloudapi.com/',
  headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
  body: Buffer.from('{"Model":"hunyuan-lite","Messages":[{"Content":"你好"}]}'),
} as const;
/** 2024-02-29T23:59:59.999Z: the day is the one of Greenwich. */
const NOW_MS = 1_709_251_199_999;

const hash = (data: Buffer | string) => createHash('sha256').update(data).digest('hex');
const hmac = (key: Buffer | string, text: string) => createHmac('sha256', key).update(text).digest();

function signed(
  changes: Partial<{ -readonly [K in keyof typeof REQUEST]: unknown }> = {},
  credential = '1|id|key',
) {
  const result = signTencent(
    { ...REQUEST, ...changes } as typeof REQUEST,
    'ChatCompletions',
    credential,
    NOW_MS,
  );
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

describe('signTencent', () => {
  it.each(['1|id|', '1||key', '1|id', '||', ' | | '])('refuses the key %j', (credential) => {
    expect(signTencent(REQUEST, 'ChatCompletions', credential, NOW_MS)).toMatchObject({
      ok: false,
      error: { kind: 'upstream-key-refused', blame: 'upstream' },
    });
  });

  it('signs the bytes that are sent as the vendor’s page describes it', () => {
    const canonical = [
      'POST\n/\n',
      'content-type:application/json\nhost:hunyuan.tencentcloudapi.com\nx-tc-action:chatcompletions\n',
      'content-type;host;x-tc-action',
      hash(REQUEST.body),
    ].join('\n');
    const toSign = `TC3-HMAC-SHA256\n1709251199\n2024-02-29/hunyuan/tc3_request\n${hash(canonical)}`;
    const key = hmac(hmac(hmac('TC3key', '2024-02-29'), 'hunyuan'), 'tc3_request');
    expect(signed()).toEqual({
      ...REQUEST,
      headers: {
        ...REQUEST.headers,
        'x-tc-action': 'ChatCompletions',
        'x-tc-version': '2023-09-01',
        'x-tc-timestamp': '1709251199',
        authorization:
          'TC3-HMAC-SHA256 Credential=id/2024-02-29/hunyuan/tc3_request, ' +
          `SignedHeaders=content-type;host;x-tc-action, Signature=${hmac(key, toSign).toString('hex')}`,
      },
    });
  });

  it('signs each body, host and key differently without exposing the secret', () => {
    const all = [
      signed(),
      signed({ body: Buffer.from('{}') }),
      signed({ url: 'https://proxy.example/' }),
      signed({}, ' 1 | id | other-secret '),
    ].map(({ headers }) => headers['authorization']);
    expect(new Set(all).size).toBe(4);
    expect(all.join()).not.toContain('other-secret');
  });
});

describe('isKeyPair', () => {
  it('distinguishes a pair of the cloud’s keys from a key that is sent', () => {
    expect([isKeyPair('1|id|key'), isKeyPair('sk-plain')]).toEqual([true, false]);
  });
});
