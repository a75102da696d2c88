import { type Moment, momentOf } from '../../../common/moment.js';
import { describe, expect, it } from '@jest/globals';
import type { UpstreamFault, UpstreamRequest, UpstreamSink } from '../../../relay-core/ports/http-sender.js';
import { HttpSender } from '../../../relay-core/ports/http-sender.js';
import { Clock } from '../../../common/clock.js';
import { VendorTokenStore } from './vendor-token-store.js';

class FakeClock extends Clock {
  time = 0;
  override nowMs(): Moment {
    return momentOf(this.time);
  }
  override monotonicMs(): number {
    return this.time;
  }
  override after(): () => void {
    return () => undefined;
  }
}

/** Answers on the next turn with what `next` says. */
class FakeSender extends HttpSender {
  readonly sent: UpstreamRequest[] = [];
  next: { readonly status: number; readonly body: string } | UpstreamFault = { status: 200, body: 'token' };

  override send(request: UpstreamRequest, sink: UpstreamSink) {
    this.sent.push(request);
    const { next } = this;
    queueMicrotask(() => {
      if ('kind' in next) return sink.onBroken(next);
      sink.onHead(next.status, {});
      sink.onBytes(Buffer.from(next.body));
      sink.onEnd();
    });
    return { resume: () => undefined, abort: () => undefined };
  }
}

const FORM = Buffer.from('assertion=assertion-0123456789');

function setUp() {
  const clock = new FakeClock();
  const sender = new FakeSender();
  const store = new VendorTokenStore(sender, clock);
  const ask = (key = 'k') =>
    store.tokenOf(key, {
      request: () => ({ method: 'POST', url: 'https://token.example', headers: {}, body: FORM }),
      read: (body) => (body.length === 0 ? undefined : { token: body.toString(), lifetimeSeconds: 3_600 }),
      secrets: ['private-line-0123456789'],
    });
  return { clock, sender, store, ask };
}

describe('VendorTokenStore', () => {
  it('sends one request for concurrent callers, and remembers the answer', async () => {
    const { sender, ask } = setUp();
    const answers = await Promise.all([ask(), ask(), ask()]);
    expect(answers).toEqual([1, 2, 3].map(() => ({ ok: true, value: 'token' })));
    await ask();
    expect(sender.sent).toHaveLength(1);
    await ask('other');
    expect(sender.sent).toHaveLength(2);
  });

  it('sends another before the token ends, and when it was forgotten', async () => {
    const { clock, sender, store, ask } = setUp();
    await ask();
    clock.time = 54 * 60_000;
    await ask();
    expect(sender.sent).toHaveLength(1);
    clock.time = 55 * 60_000 + 1;
    await ask();
    expect(sender.sent).toHaveLength(2);
    store.forget('k');
    await ask();
    expect(sender.sent).toHaveLength(3);
  });

  it.each([
    [{ status: 401, body: '' }, 'upstream-key-refused'],
    [{ status: 200, body: '' }, 'upstream-key-refused'],
    [{ status: 503, body: 'x' }, 'upstream-overloaded'],
    [{ status: 429, body: 'x' }, 'upstream-rate-limited'],
    [{ kind: 'timeout' } as const, 'upstream-timeout'],
    [{ kind: 'refused-by-policy' } as const, 'upstream-unreachable'],
  ])('%j is %s', async (next, kind) => {
    const { sender, ask } = setUp();
    sender.next = next;
    expect(await ask()).toMatchObject({ ok: false, error: { kind, blame: 'upstream' } });
  });

  it.each([400, 401, 403, 429, 500, 503])(
    'status %i: what the vendor said is kept, without secrets',
    async (status) => {
      const { sender, ask } = setUp();
      const said = 'No account (assertion-0123456789, private-line-0123456789).';
      sender.next = { status, body: JSON.stringify({ error: 'invalid_grant', error_description: said }) };
      expect(await ask()).toMatchObject({
        error: { vendorSays: { status, sentence: 'No account (***, ***).' } },
      });
    },
  );

  it('takes no message from a successful answer', async () => {
    const { sender, ask } = setUp();
    sender.next = { status: 200, body: '' };
    expect(await ask()).not.toMatchObject({ error: { vendorSays: expect.anything() } });
  });

  it('remembers a refusal for a moment, but no outage', async () => {
    const { clock, sender, ask } = setUp();
    sender.next = { status: 400, body: '' };
    await ask();
    await ask();
    expect(sender.sent).toHaveLength(1);
    clock.time = 10_001;
    sender.next = { status: 500, body: '' };
    await ask();
    sender.next = { status: 200, body: 'token' };
    expect(await ask()).toEqual({ ok: true, value: 'token' });
  });
});
