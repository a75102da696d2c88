import { describe, expect, it } from '@jest/globals';
import { memoryPendingSteps, type StepContent } from '../../../../test/support/memory-pending-steps.js';
import { anActor, byAccessToken } from '../../../../test/support/people.js';
import { SecretBox } from '../../../infra/crypto/secret-box.js';
import type { OptionsService } from '../../options/options.service.js';
import { VerificationTickets } from '../verification-tickets.js';
import { TwoFactorSetups } from './two-factor-setups.js';

const kept = new Map<string, StepContent>();
const setups = new TwoFactorSetups(
  new VerificationTickets(memoryPendingSteps(kept)),
  new SecretBox('x'.repeat(32)),
  {
    values: () => ({ SystemName: 'Gate' }),
  } as unknown as OptionsService,
);

describe('TwoFactorSetups', () => {
  it('keeps the newest secret of a login sealed until it is used', async () => {
    const first = await setups.begin(anActor());
    const { secret, qr_code_data: address } = await setups.begin(anActor());
    expect(secret).not.toBe(first.secret);
    expect(address).toContain(`secret=${secret}`);
    expect(JSON.stringify([...kept])).not.toContain(secret);
    expect(await setups.look(anActor())).toBe(secret);
    await setups.end(anActor());
    expect(await setups.look(anActor())).toBeNull();
  });

  it('shows a secret to no other login and no other account', async () => {
    await setups.begin(anActor());
    expect(await setups.look(anActor({ sessionDigest: 'other' }))).toBeNull();
    expect(await setups.look(anActor({ id: 8 }))).toBeNull();
  });

  it('begins nothing for an access token', async () => {
    await expect(setups.begin(byAccessToken())).rejects.toMatchObject({ code: 'session_required' });
  });
});
