import { describe, expect, it } from '@jest/globals';
import { codeOf } from '../../../test/support/code-of.js';
import type { OutboundClient } from '../../infra/http-client/outbound-client.js';
import type { PendingVerifications } from '../../infra/pending-verifications/pending-verifications.js';
import type { OptionsService } from '../../base/options/options.service.js';
import { IdentityFetcher } from './identity-fetcher.js';
import { WeChatIdentity } from './wechat.identity.js';

function wechat(answer: unknown) {
  const asked: unknown[] = [];
  const claimed = new Set<string>();
  const identity = new WeChatIdentity(
    {
      values: () => ({ WeChatServerAddress: 'https://helper.test', WeChatServerToken: 'secret' }),
    } as unknown as OptionsService,
    new IdentityFetcher({
      fetch: async (caller: string, { url, headers }: { url: string; headers: Record<string, string> }) => {
        asked.push([caller, url, headers['authorization']]);
        return { ok: true, value: { status: 200, headers: {}, body: Buffer.from(JSON.stringify(answer)) } };
      },
    } as unknown as OutboundClient),
    {
      claim: async (key: string) => {
        const isFirst = !claimed.has(key);
        claimed.add(key);
        return isFirst;
      },
    } as unknown as PendingVerifications,
  );
  return { identity, asked };
}

describe('WeChatIdentity', () => {
  it('queries the helper for the owner of the code, which is used once however it is typed', async () => {
    const { identity, asked } = wechat({ success: true, data: 'openid' });
    expect(await identity.profileOf('aB12')).toEqual({
      provider: 'wechat',
      subject: 'openid',
      issuer: 'https://helper.test',
    });
    expect(asked).toEqual([['identity', 'https://helper.test/api/wechat/user?code=aB12', 'secret']]);
    expect(await codeOf(identity.profileOf('Ab12'))).toBe('wechat_code_wrong');
  });

  it.each([
    ['refuses the code', { success: false, data: 'openid' }],
    ['names nobody', { success: true, data: '' }],
    ['names nothing', { success: true }],
  ])('signs no one in when the helper %s', async (_, answer) => {
    expect(await codeOf(wechat(answer).identity.profileOf('aB12'))).toBe('wechat_code_wrong');
  });

  it.each(['', 'abc', 'a'.repeat(13), 'ab&c=1', '../x1'])('sends no query about %j', async (code) => {
    const { identity, asked } = wechat({ success: true, data: 'openid' });
    expect(await codeOf(identity.profileOf(code))).toBe('wechat_code_wrong');
    expect(asked).toEqual([]);
  });
});
