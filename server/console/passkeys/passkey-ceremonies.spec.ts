import { describe, expect, it } from '@jest/globals';
import { codeOf } from '../../../test/support/code-of.js';
import { memoryPendingSteps } from '../../../test/support/memory-pending-steps.js';
import type { Env } from '../../config/env.js';
import { SecretBox } from '../../infra/crypto/secret-box.js';
import { VerificationTickets } from '../../base/auth/verification-tickets.js';
import type { OptionsService } from '../../base/options/options.service.js';
import { PasskeyCeremonies, type Purpose } from './passkey-ceremonies.js';

const party = { id: 'gate.test', origins: ['https://gate.test'] };
const elsewhere = { id: 'other.test', origins: ['https://other.test'] };
const page = { protocol: 'https', host: 'other.test' };
const verify = { kind: 'verify', userId: 7, sessionDigest: 'digest' } as const;

const ceremonies = ({ isOn = true, ServerAddress = 'https://gate.test' } = {}): PasskeyCeremonies =>
  new PasskeyCeremonies(
    new VerificationTickets(memoryPendingSteps()),
    new SecretBox('x'.repeat(32)),
    { values: () => ({ 'passkey.enabled': isOn, ServerAddress }) } as unknown as OptionsService,
    {} as Env,
  );

/** Browser's statement of the challenge it answered. */
const clientData = (challenge: string): string =>
  Buffer.from(JSON.stringify({ challenge })).toString('base64url');

async function spent(
  offered: Purpose & { kind: 'login' | 'verify' },
  asked: Purpose,
  where = party,
): Promise<string[]> {
  const held = ceremonies();
  const { challenge } = await held.offerUse(party, offered, null);
  const spend = () => codeOf(held.spendChallenge(clientData(challenge), where, asked));
  return [await spend(), await spend()];
}

describe('PasskeyCeremonies', () => {
  it.each<[Purpose & { kind: 'login' | 'verify' }]>([[{ kind: 'login', browser: 'b' }], [verify]])(
    'accepts a challenge once for its own purpose: %j',
    async (purpose) => {
      expect(await spent(purpose, purpose)).toEqual(['done', 'passkey_refused']);
    },
  );

  it.each<[string, Purpose, typeof party]>([
    ['a login', { kind: 'login', browser: 'b' }, party],
    ['a registration', { ...verify, kind: 'register' }, party],
    ['another account', { ...verify, userId: 8 }, party],
    ['another login of the account', { ...verify, sessionDigest: 'other' }, party],
    ['another host', verify, elsewhere],
  ])('takes the challenge of a proof for no other: %s', async (_, purpose, where) => {
    expect(await spent(verify, purpose, where)).toEqual(['passkey_refused', 'passkey_refused']);
  });

  it('refuses malformed client data, and challenges that were never issued', async () => {
    const held = ceremonies();
    for (const text of ['', clientData('short'), clientData('x'.repeat(40))])
      expect(await codeOf(held.spendChallenge(text, party, { kind: 'login', browser: 'b' }))).toBe(
        'passkey_refused',
      );
  });

  it('takes the public address, or the page where there is none', () => {
    expect(ceremonies().partyAt(page).id).toBe('gate.test');
    expect(ceremonies({ ServerAddress: '' }).partyAt(page).id).toBe('other.test');
    const plain = { protocol: 'http', host: '192.0.2.1' };
    expect(ceremonies({ ServerAddress: '' }).isOffered(plain)).toBe(false);
    expect(() => ceremonies({ ServerAddress: '' }).partyAt(plain)).toThrow(
      expect.objectContaining({ code: 'passkey_unavailable' }),
    );
    expect(() => ceremonies({ isOn: false }).partyAt(page)).toThrow(
      expect.objectContaining({ code: 'passkey_off' }),
    );
  });

  it('opens no account with a passkey of another host name', () => {
    expect(ceremonies().isUsable({ relyingParty: 'gate.test' })).toBe(true);
    expect(ceremonies().isUsable({ relyingParty: 'old.test' })).toBe(false);
    expect(ceremonies().isUsable({ relyingParty: 'old.test' }, { ServerAddress: 'https://old.test' })).toBe(
      true,
    );
    expect(ceremonies().isUsable({ relyingParty: 'old.test' }, { ServerAddress: '' })).toBe(true);
  });

  it('names accounts by handles that differ and reveal nothing', () => {
    const handles = [
      ceremonies().userHandleOf(7),
      ceremonies().userHandleOf(7),
      ceremonies().userHandleOf(8),
    ];
    expect(handles[0]).toBe(handles[1]);
    expect(handles[0]).not.toBe(handles[2]);
    expect(handles[0]).toMatch(/^[\w-]{43}$/);
  });
});
