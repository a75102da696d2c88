import { describe, expect, it } from '@jest/globals';
import { MemorySender } from '../../../test/support/memory-sides.js';
import { fetchBounded } from './fetch-bounded.js';

const REQUEST = { method: 'GET', url: 'https://a.test', headers: {}, body: undefined } as const;
const LIMITS = { timeoutMs: 10_000, maxBytes: 10 };

function fetching(limits = LIMITS) {
  const sender = new MemorySender();
  const outcome = fetchBounded(sender, REQUEST, limits);
  const [exchange] = sender.exchanges;
  if (exchange === undefined) throw new Error('nothing was sent');
  return { outcome, exchange };
}

describe('fetchBounded', () => {
  it('reads the whole of a reply that is as large as it may be', async () => {
    const { outcome, exchange } = fetching();
    exchange.head(201, { a: 'b' }).bytes('12345').bytes('67890').end();
    expect(await outcome).toEqual({
      ok: true,
      value: { status: 201, headers: { a: 'b' }, body: Buffer.from('1234567890') },
    });
  });

  it('breaks off one that is larger', async () => {
    const { outcome, exchange } = fetching();
    exchange.head().bytes('1234567890').bytes('1');
    expect(await outcome).toEqual({ ok: false, error: { kind: 'too-large' } });
    expect(exchange.isAborted).toBe(true);
  });

  it('breaks off one that takes longer than it may, though bytes come', async () => {
    const { outcome, exchange } = fetching({ ...LIMITS, timeoutMs: 1 });
    exchange.head().bytes('1');
    expect(await outcome).toEqual({ ok: false, error: { kind: 'timeout' } });
    expect(exchange.isAborted).toBe(true);
  });

  it('passes on what went wrong, and takes an end without a head for a broken connection', async () => {
    const broken = fetching();
    broken.exchange.head().breakWith({ kind: 'reset' });
    expect(await broken.outcome).toEqual({ ok: false, error: { kind: 'reset' } });
    const empty = fetching();
    empty.exchange.end();
    expect(await empty.outcome).toEqual({ ok: false, error: { kind: 'reset' } });
  });
});
