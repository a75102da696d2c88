import { beforeEach, describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { memoryPendingSteps } from '../../../../test/support/memory-pending-steps.js';
import { memoryRateLimiter } from '../../../../test/support/memory-rate-limiter.js';
import { ResetLinks } from './password-reset.js';

const LINK = { userId: 7, folded: 'ada@example.com', authVersion: 3 };
const IP = '192.0.2.1';
const INVALID = expect.objectContaining({ code: 'reset_link_invalid' });
let links: ResetLinks;

beforeEach(() => {
  links = new ResetLinks(memoryPendingSteps(), memoryRateLimiter(new FakeClock()));
});

describe('ResetLinks', () => {
  it('accepts a link any number of times until it is used', async () => {
    const token = await links.issue(LINK);
    expect(await links.open(token, LINK.folded, IP)).toEqual(LINK);
    expect(await links.open(token, LINK.folded, IP)).toEqual(LINK);
    expect([await links.take(token), await links.take(token)]).toEqual([true, false]);
    await expect(links.open(token, LINK.folded, IP)).rejects.toEqual(INVALID);
  });

  it('refuses an older link of the same address, and one beside another address', async () => {
    const older = await links.issue(LINK);
    const newest = await links.issue(LINK);
    await expect(links.open(older, LINK.folded, IP)).rejects.toEqual(INVALID);
    await expect(links.open(newest, 'bob@example.com', IP)).rejects.toEqual(INVALID);
    expect(await links.open(newest, LINK.folded, IP)).toEqual(LINK);
  });

  it('rejects a link without an account', async () => {
    const token = await links.issue({ ...LINK, userId: 0 });
    await expect(links.open(token, LINK.folded, IP)).rejects.toEqual(INVALID);
  });

  it('counts the tries of one network', async () => {
    for (let tries = 0; tries < 20; tries += 1)
      await expect(links.open('a guess', LINK.folded, IP)).rejects.toEqual(INVALID);
    await expect(links.open('a guess', LINK.folded, IP)).rejects.toEqual(
      expect.objectContaining({ code: 'too_many_requests' }),
    );
  });
});
