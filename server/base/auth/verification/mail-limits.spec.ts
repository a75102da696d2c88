import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../../test/support/fake-clock.js';
import { memoryRateLimiter } from '../../../../test/support/memory-rate-limiter.js';
import { mailboxOf, MailLimits } from './mail-limits.js';

describe('mailboxOf', () => {
  it.each([
    ['ada@example.com', 'ada@example.com'],
    ['a.d.a@example.com', 'ada@example.com'],
    ['ada+news@example.com', 'ada@example.com'],
    ['a.da+x+y@googlemail.com', 'ada@gmail.com'],
    ['ada@notgooglemail.com', 'ada@notgooglemail.com'],
    ['"a@b"@example.com', '"a@b"@example.com'],
    ['+news@example.com', '+news@example.com'],
    ['...@example.com', '...@example.com'],
    ['ada', 'ada'],
  ])('%s ends in %s', (address, mailbox) => {
    expect(mailboxOf(address)).toBe(mailbox);
  });
});

describe('MailLimits', () => {
  const start = () => {
    const clock = new FakeClock();
    return { clock, limits: new MailLimits(memoryRateLimiter(clock)) };
  };

  it('makes one mailbox wait 30 seconds, however its address is spelt', async () => {
    const { clock, limits } = start();
    await limits.admit('ada@gmail.com', '203.0.113.7');
    clock.advance(10_000);
    await expect(limits.admit('a.da+x@googlemail.com', '198.51.100.1')).rejects.toMatchObject({
      code: 'mail_too_often',
      values: { seconds: 20 },
      retryAfterMs: 20_000,
    });
    await limits.admit('bob@gmail.com', '203.0.113.7');
    clock.advance(20_001);
    await limits.admit('ada@gmail.com', '203.0.113.7');
  });

  it('sends five mails an hour to one mailbox', async () => {
    const { clock, limits } = start();
    for (let mail = 0; mail < 5; mail += 1) {
      await limits.admit('ada@example.com', `203.0.113.${mail}`);
      clock.advance(31_000);
    }
    await expect(limits.admit('ada@example.com', '203.0.113.9')).rejects.toMatchObject({
      code: 'mail_too_often',
    });
    clock.advance(3_600_000);
    await limits.admit('ada@example.com', '203.0.113.9');
  });

  it('limits a network to 20 e-mails an hour over all recipients', async () => {
    const { limits } = start();
    for (let mail = 0; mail < 20; mail += 1)
      await limits.admit(`user${mail}@example.com`, `2001:db8:0:1::${mail}`);
    await expect(limits.admit('another@example.com', '2001:db8:0:1:ffff::1')).rejects.toMatchObject({
      code: 'too_many_requests',
    });
    await limits.admit('another@example.com', '2001:db8:0:2::1');
  });
});
