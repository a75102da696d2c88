import { describe, expect, it } from '@jest/globals';
import { aLogLine } from '../../testing/builders';
import { mendsOf, ruleOf } from './refused-call';

const USER = { id: 2, role: 1 };
const ADMINISTRATOR = { id: 1, role: 10 };
const ROOT = { id: 1, role: 100 };

const refused = (code: string, kind: string) =>
  aLogLine({
    type: 5,
    user_id: 2,
    token_id: 7,
    channel: 0,
    other: JSON.stringify({ error_code: kind, refusal: { code, values: {} } }),
  });

describe('what refused a call, and where it is mended', () => {
  it.each([
    ['balance-too-small', 'quota-insufficient', 'balance', '/topup'],
    ['key-quota-too-small', 'quota-insufficient', 'tokenQuota', '/token?edit=7'],
    ['address-refused', 'address-refused', 'token', '/token?edit=7'],
    ['group-closed', 'forbidden', 'group', '/token?edit=7'],
    ['price-missing', 'price-missing', 'price', '/personal?tab=prices'],
    ['account-busy', 'rate-limited', 'atOnce', undefined],
    ['no-channel', 'channel-unavailable', 'channels', undefined],
    ['code-of-tomorrow', 'kind-of-tomorrow', 'provider', undefined],
  ])('leads the owner of a call that met %s (%s) to what is theirs', (code, kind, rule, path) => {
    expect(ruleOf(refused(code, kind))).toBe(rule);
    expect(mendsOf(refused(code, kind), USER).map((mend) => mend.path)).toEqual(
      path === undefined ? [] : [path],
    );
  });

  it.each([
    ['price-missing', 'price-missing', '/prices?prices=unset_models'],
    ['no-channel', 'channel-unavailable', '/channel?model=gpt-4o'],
    ['balance-too-small', 'quota-insufficient', '/user/edit/2'],
    ['key-without-model', 'model-refused', '/user/edit/2'],
    ['charges-unrecorded', 'unavailable', '/status'],
  ])('leads an administrator to what others cannot change: %s', (code, kind, path) => {
    expect(mendsOf(refused(code, kind), ADMINISTRATOR)).toMatchObject([{ path }]);
  });

  it('leads root alone to settings that only root changes', () => {
    expect(mendsOf(refused('requests-full', 'rate-limited'), ADMINISTRATOR)).toEqual([]);
    expect(mendsOf(refused('requests-full', 'rate-limited'), ROOT)).toMatchObject([
      { path: '/setting?tab=ratelimit' },
    ]);
    expect(mendsOf(refused('words-refused', 'content-refused'), ROOT)).toMatchObject([
      { path: '/setting?tab=operation#section-words' },
    ]);
  });

  it('leads administrators to the channel whose key a provider refused, by its last attempt', () => {
    const line = aLogLine({
      type: 5,
      channel: 5,
      other: JSON.stringify({
        error_code: 'invalid_api_key',
        admin_info: { use_channel: ['5'], attempts: [{ channel_id: 5, failure: 'upstream-key-refused' }] },
      }),
    });
    expect(ruleOf(line)).toBe('channelKey');
    expect(mendsOf(line, ADMINISTRATOR)).toEqual([{ word: 'channel', path: '/channel/edit/5' }]);
    expect(mendsOf(line, USER)).toEqual([]);
  });
});
