import { describe, expect, it } from '@jest/globals';
import { FakeClock } from '../../../test/support/fake-clock.js';
import { fail, ok } from '../../common/result.js';
import type { RelayError } from '../model/relay-error.js';
import type { Quote } from '../ports/price-book.js';
import type { QuotaHolds } from '../ports/quota-holds.js';
import type { RealtimeListener, RealtimeSocket } from '../ports/realtime-socket.js';
import { RealtimeMeter } from './realtime-meter.js';
import { RealtimeSession, type SessionInput } from './realtime-session.js';

/** A socket whose other end is the test. */
class FakeSocket implements RealtimeSocket {
  bufferedBytes = 0;
  readonly sent: string[] = [];
  readonly waiting: (() => void)[] = [];
  isPaused = false;
  closed: number | undefined;
  isCut = false;
  pings = 0;
  listener: RealtimeListener | undefined;

  send(frame: Buffer | string, _isText: boolean, onSent: () => void): void {
    this.sent.push(frame.toString());
    this.waiting.push(onSent);
  }
  pause(): void {
    this.isPaused = true;
  }
  resume(): void {
    this.isPaused = false;
  }
  close(code: number): void {
    this.closed ??= code;
  }
  cut(): void {
    this.isCut = true;
  }
  ping(): void {
    this.pings += 1;
  }
  listen(listener: RealtimeListener): void {
    this.listener = listener;
  }
  say(event: unknown): void {
    this.listener?.onFrame(Buffer.from(JSON.stringify(event)), true);
  }
}

function fixture(fields: Partial<SessionInput> = {}) {
  const clock = new FakeClock();
  const client = new FakeSocket();
  const upstream = new FakeSocket();
  const extensions: number[] = [];
  let extend: (by: number) => unknown = (by) => ({
    ok: true,
    value: { callId: 'c', amount: holdRef.hold.amount + by },
  });
  let checkpoints = 0;
  const faults: unknown[] = [];
  const holdRef = { hold: { callId: 'c', amount: 100 } } as SessionInput['holdRef'];
  let isPurseBroken = false;
  const quota = {
    recordCheckpoint: () => {
      if (isPurseBroken) throw new Error('broken');
      checkpoints += 1;
    },
    extend: (_hold: unknown, by: number) => {
      extensions.push(by);
      return Promise.resolve(extend(by));
    },
  } as unknown as QuotaHolds;
  const quote = {
    estimate: 100,
    charge: ({ input, output }: { input: { total: number }; output: { total: number } }) =>
      input.total + output.total,
  } as unknown as Quote;
  const meter = new RealtimeMeter((text) => text.length);
  // One answer is held for as this much.
  meter.settings.outputCap = 10;
  const successes: number[] = [];
  const session = new RealtimeSession({
    clock,
    quota,
    quote,
    holdRef,
    client,
    upstream,
    early: [],
    sensitiveWords: [],
    meter,
    transcription: {
      bind: () => undefined,
      allow: () => undefined,
      holdNext: () => undefined,
      settle: () => undefined,
    },
    countRequest: () => ({ ok: true, value: undefined }),
    recordSuccess: () => void successes.push(clock.nowMs()),
    quotesKey: () => false,
    writeError: ({ kind }) => `error ${kind}`,
    withReason: (error) => error,
    readFailure: () => ({
      error: { kind: 'upstream-broken', blame: 'upstream', message: 'failed' },
      isFatal: false,
    }),
    reportFault: (fault) => faults.push(fault),
    ...fields,
  });
  const end = session.run();
  const respond = (tokens: number): void => {
    client.say({ type: 'response.create' });
    upstream.say({ type: 'response.created' });
    upstream.say({
      type: 'response.done',
      response: { usage: { input_tokens: 0, output_tokens: tokens } },
    });
  };
  const refuse = (): void => {
    extend = () => ({ ok: false, error: { kind: 'quota-insufficient', blame: 'caller', message: 'spent' } });
  };
  return {
    clock,
    client,
    upstream,
    session,
    end,
    respond,
    refuse,
    breakPurse: () => (isPurseBroken = true),
    meter,
    successes,
    extensions,
    faults,
    holdRef,
    checkpoints: () => checkpoints,
  };
}

/** Everything that waits for a promise has gone on. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('a realtime session', () => {
  it('slows down the side whose other side takes nothing, in both directions', () => {
    const { client, upstream } = fixture();
    upstream.bufferedBytes = 2 * 1024 * 1024;
    client.say({ type: 'x' });
    expect(client.isPaused).toBe(true);
    upstream.bufferedBytes = 1_000;
    upstream.waiting.at(-1)?.();
    expect(client.isPaused).toBe(false);
    client.bufferedBytes = 2 * 1024 * 1024;
    upstream.say({ type: 'y' });
    expect(upstream.isPaused).toBe(true);
    // Not yet: a side that has barely caught up would stop again at once.
    client.bufferedBytes = 900 * 1024;
    client.waiting.at(-1)?.();
    expect(upstream.isPaused).toBe(true);
  });

  it('makes a client that floods wait for the next second, whatever its frames lead to [RLY-10]', () => {
    const { client, upstream, clock } = fixture();
    for (let sent = 0; sent < 999; sent += 1) client.say({ type: 'x' });
    expect(client.isPaused).toBe(false);
    client.say({ type: 'x' });
    expect(client.isPaused).toBe(true);
    // Everything it sent was taken: that alone does not let it go on.
    upstream.waiting.at(-1)?.();
    expect(client.isPaused).toBe(true);
    clock.advance(1_000);
    expect(client.isPaused).toBe(false);
    client.say({ type: 'x' });
    expect(client.isPaused).toBe(false);
    expect(upstream.sent).toHaveLength(1_001);
  });

  it.each([true, false])(
    'counts what only keeps a connection alive among the frames of a second (pongs: %s)',
    (isPong) => {
      for (const side of ['client', 'upstream'] as const) {
        const all = fixture();
        for (let count = 0; count < 999; count += 1) all[side].listener?.onControl(isPong);
        expect([side, all[side].isPaused]).toEqual([side, false]);
        all[side].listener?.onControl(isPong);
        expect([side, all[side].isPaused]).toEqual([side, true]);
        all.clock.advance(1_000);
        expect([side, all[side].isPaused]).toEqual([side, false]);
      }
    },
  );

  it('makes a side wait as many seconds as its bytes are worth, the upstream as well', () => {
    const { client, upstream, clock, holdRef } = fixture();
    Object.assign(holdRef.hold, { amount: 1_000_000 });
    const large = Buffer.from(
      JSON.stringify({ type: 'input_audio_buffer.append', audio: 'A'.repeat(9 * 1024 * 1024) }),
    );
    for (const side of [client, upstream]) {
      side.listener?.onFrame(large, true);
      expect(side.isPaused).toBe(true);
      clock.advance(1_000);
      expect(side.isPaused).toBe(true);
      clock.advance(1_000);
      expect(side.isPaused).toBe(false);
    }
  });

  it.each([
    ['client', true],
    ['client', false],
    ['upstream', true],
    ['upstream', false],
  ] as const)(
    'ends at a frame of the %s beyond the limits, which is not passed on; as text: %s',
    async (side, isText) => {
      const parties = fixture({ sensitiveWords: ['bomb'] });
      const { end, client, upstream } = parties;
      parties[side].listener?.onFrame(Buffer.from(`${'['.repeat(6_000)}${']'.repeat(6_000)}`), isText);
      const kind = side === 'client' ? 'invalid-request' : 'upstream-malformed';
      await expect(end).resolves.toMatchObject({ error: { kind } });
      expect(client.sent).toEqual([`error ${kind}`]);
      expect(upstream.sent).toEqual([]);
    },
  );

  it('meters frames of the upstream whatever kind they claim to be', async () => {
    const { upstream, client, end } = fixture();
    client.say({ type: 'response.create' });
    const done = { type: 'response.done', response: { usage: { input_tokens: 5_000, output_tokens: 10 } } };
    upstream.listener?.onFrame(Buffer.from(JSON.stringify(done)), false);
    client.listener?.onClosed(1000, '');
    const { meter } = await end;
    expect(meter.usage()).toMatchObject({ input: { total: 5_000 }, output: { total: 10 } });
  });

  it('refuses an event it cannot read and goes on, and ends where there are words to be found in it', async () => {
    const free = fixture();
    free.client.listener?.onFrame(Buffer.from('{"text":"bo\\u006db",}'), true);
    expect([free.upstream.sent, free.client.sent]).toEqual([[], ['error invalid-request']]);
    expect(free.client.closed).toBeUndefined();
    const guarded = fixture({ sensitiveWords: ['bomb'] });
    guarded.client.listener?.onFrame(Buffer.from('{"text":"bo\\u006db",}'), true);
    expect(guarded.upstream.sent).toEqual([]);
    await expect(guarded.end).resolves.toMatchObject({ error: { kind: 'invalid-request' } });
  });

  it.each(['client', 'upstream', 'purse', 'timer', 'goodbye'])(
    'ends alone when its %s fails',
    async (part) => {
      const parties = fixture();
      const { client, upstream, clock, end, faults } = parties;
      const broken = (): never => {
        throw new Error('broken');
      };
      if (part === 'client') {
        client.send = broken;
        upstream.say({ type: 'x' });
      } else if (part === 'upstream') {
        upstream.send = broken;
        client.say({ type: 'x' });
      } else if (part === 'purse') {
        parties.breakPurse();
        parties.respond(1);
      } else if (part === 'timer') {
        upstream.ping = broken;
        clock.advance(15_000);
      } else {
        client.close = broken;
        client.say({ type: 'x' });
        upstream.listener?.onClosed(1006, '');
      }
      await expect(end).resolves.toMatchObject({ error: { kind: 'internal' } });
      expect(faults.length).toBeGreaterThan(0);
      clock.advance(1_000);
      expect([client.isCut, upstream.isCut]).toEqual([true, true]);
    },
  );

  it('finds forbidden words in frames of either kind', async () => {
    const { client, upstream, end } = fixture({ sensitiveWords: ['bomb'] });
    client.listener?.onFrame(Buffer.from('{"type":"x","text":"a BOMB"}'), false);
    await expect(end).resolves.toMatchObject({ error: { kind: 'content-refused' } });
    expect(upstream.sent).toEqual([]);
  });

  it('writes down every response and sets more aside for the next', async () => {
    const { respond, extensions, holdRef, checkpoints } = fixture();
    respond(60);
    expect(checkpoints()).toBe(1);
    expect(extensions).toEqual([60]);
    await settled();
    expect(holdRef.hold.amount).toBe(160);
    respond(10);
    expect(extensions).toEqual([60, 10]);
  });

  it('goes on with what is held when no more is to be had, and ends when it is spent', async () => {
    const { respond, refuse, end, client, upstream } = fixture();
    refuse();
    respond(30);
    await settled();
    expect(client.closed).toBeUndefined();
    respond(80);
    await settled();
    expect(client.sent.at(-1)).toBe('error quota-insufficient');
    expect(client.closed).toBe(1008);
    expect(upstream.closed).toBe(1000);
    await expect(end).resolves.toMatchObject({ outcome: 'limit' });
  });

  it('ends at a forbidden word, which is not passed on [RLY-07]', async () => {
    const { client, upstream, end } = fixture({ sensitiveWords: ['forbidden'] });
    client.say({ type: 'conversation.item.create', item: { content: [{ text: 'a forbidden word' }] } });
    expect(upstream.sent).toEqual([]);
    expect(client.sent).toEqual(['error content-refused']);
    await expect(end).resolves.toMatchObject({ outcome: 'limit' });
  });

  it('ends when it is silent for a quarter of an hour, and when it lasts an hour', async () => {
    const silent = fixture();
    for (let quarter = 0; quarter < 60; quarter += 1) {
      silent.clock.advance(15_000);
      silent.client.listener?.onControl(true);
    }
    silent.clock.advance(15_000);
    await expect(silent.end).resolves.toMatchObject({ outcome: 'ok', error: { kind: 'limit-reached' } });
    const long = fixture();
    for (let quarter = 0; quarter < 240; quarter += 1) {
      long.client.listener?.onControl(true);
      long.client.say({ type: 'x' });
      long.clock.advance(15_000);
    }
    await expect(long.end).resolves.toMatchObject({ outcome: 'limit', error: { kind: 'limit-reached' } });
  });

  it('pings both sides, and ends when the client answers none of them', async () => {
    const { clock, client, upstream, end } = fixture();
    clock.advance(15_000);
    expect([client.pings, upstream.pings]).toEqual([1, 1]);
    clock.advance(45_000);
    await expect(end).resolves.toMatchObject({ outcome: 'ok', error: undefined });
    expect(upstream.closed).toBe(1000);
  });

  it('cuts one that closed properly only when the other end does not', async () => {
    const { client, upstream, end, clock } = fixture();
    client.listener?.onClosed(1000, '');
    await expect(end).resolves.toMatchObject({ outcome: 'ok' });
    expect(upstream.isCut).toBe(false);
    clock.advance(1_000);
    expect(upstream.isCut).toBe(true);
  });

  it.each([
    [1000, 'ok', 1000],
    [1006, 'partial', 1011],
    [1009, 'partial', 1009],
    [4000, 'partial', 1011],
  ])('the upstream closes with %d: %s, the client sees %d', async (code, outcome, shown) => {
    const { client, upstream, end } = fixture();
    upstream.listener?.onClosed(code, 'why');
    await expect(end).resolves.toMatchObject({ outcome });
    expect(client.closed).toBe(shown);
  });

  it('ends at a frame that quotes the key of the channel, which is not passed on', async () => {
    const { client, upstream, end } = fixture({ quotesKey: (frame) => frame.includes('secret') });
    upstream.say({ type: 'session.updated', session: { note: 'secret' } });
    expect(client.sent).toEqual(['error upstream-broken']);
    await expect(end).resolves.toMatchObject({ outcome: 'partial' });
  });

  it('counts every response that went well among the successes', () => {
    const { respond, upstream, client, successes } = fixture();
    respond(1);
    respond(1);
    client.say({ type: 'response.create' });
    const failed = { status: 'failed', status_details: { error: { message: 'no' } } };
    upstream.say({ type: 'response.done', response: failed });
    expect(successes).toHaveLength(2);
  });
});

describe('work in a session', () => {
  const CREATE = { type: 'response.create' };
  const APPEND = { type: 'input_audio_buffer.append', audio: 'A'.repeat(64_000) };
  const rateLimited: RelayError = {
    kind: 'rate-limited',
    blame: 'caller',
    message: 'full',
    retryAfterMs: 30_000,
  };

  it('is held for before the request for it is passed on', async () => {
    const { client, upstream, extensions, meter } = fixture();
    meter.settings.outputCap = 250;
    client.say(CREATE);
    client.say({ type: 'x' });
    expect(upstream.sent).toEqual([]);
    expect(client.isPaused).toBe(true);
    await settled();
    expect(extensions).toEqual([150]);
    expect(upstream.sent.map((frame) => JSON.parse(frame).type)).toEqual(['response.create', 'x']);
  });

  it('is refused where no more is to be had, and the session stays', async () => {
    const { client, upstream, refuse, meter } = fixture();
    refuse();
    meter.settings.outputCap = 60;
    client.say(CREATE);
    client.say(CREATE);
    await settled();
    expect(upstream.sent).toHaveLength(1);
    expect(client.sent).toEqual(['error quota-insufficient']);
    expect(client.closed).toBeUndefined();
  });

  it('is refused above the request limits, and the session stays', () => {
    let places = 1;
    const countRequest = () => {
      places -= 1;
      return places < 0 ? fail(rateLimited) : ok(undefined);
    };
    const { client, upstream } = fixture({ countRequest });
    client.say(CREATE);
    client.say(CREATE);
    expect(upstream.sent).toHaveLength(1);
    expect(client.sent).toEqual(['error rate-limited']);
    expect(client.closed).toBeUndefined();
  });

  it('counts turns the vendor answers by itself, and takes no sound above the limit until there is room', async () => {
    let counted = 0;
    let isFull = true;
    const countRequest = () => {
      counted += 1;
      return isFull ? fail(rateLimited) : ok(undefined);
    };
    const { client, upstream, clock } = fixture({ countRequest });
    client.say(APPEND);
    upstream.say({ type: 'response.created', response: { id: 'a' } });
    expect(counted).toBe(1);
    client.say(APPEND);
    expect(client.sent.at(-1)).toBe('error rate-limited');
    expect(upstream.sent).toHaveLength(1);
    isFull = false;
    clock.advance(30_000);
    client.say(APPEND);
    await settled();
    expect(upstream.sent).toHaveLength(2);
  });

  it('is held for while the vendor ends turns by itself: once for every ten seconds of sound, and after every item', async () => {
    const { client, extensions, meter } = fixture();
    meter.settings.outputCap = 250;
    client.say(APPEND);
    await settled();
    expect(extensions).toHaveLength(1);
    for (let sent = 0; sent < 10; sent += 1) client.say(APPEND);
    await settled();
    expect(extensions).toHaveLength(1);
    client.say({ type: 'conversation.item.create', item: { content: [{ text: 'x'.repeat(1_000) }] } });
    client.say(APPEND);
    await settled();
    expect(extensions).toHaveLength(2);
  });

  it('refuses sound that the account cannot pay an answer to, and asks once a second', async () => {
    const { client, upstream, clock, refuse, extensions, meter } = fixture();
    refuse();
    meter.settings.outputCap = 250;
    for (let sent = 0; sent < 5; sent += 1) {
      client.say(APPEND);
      await settled();
    }
    expect([upstream.sent.length, client.sent.length, extensions.length]).toEqual([0, 5, 1]);
    clock.advance(1_000);
    client.say(APPEND);
    await settled();
    expect(extensions).toHaveLength(2);
  });

  it('takes sound without asking where the vendor confirms that it ends no turns', () => {
    const { client, upstream, extensions, meter } = fixture();
    meter.settings.outputCap = 250;
    client.say({ type: 'session.update', session: { turn_detection: null } });
    upstream.say({ type: 'session.updated', session: { turn_detection: null } });
    client.say(APPEND);
    expect([upstream.sent.length, extensions.length]).toEqual([2, 0]);
  });

  it('refuses a model that may not transcribe, and ends when the vendor names one', async () => {
    const refused: RelayError = { kind: 'model-refused', blame: 'caller', message: 'no' };
    const asked: string[] = [];
    const transcription = {
      bind: () => undefined,
      allow: (model: string) => {
        asked.push(model);
        return Promise.resolve(refused);
      },
      holdNext: () => undefined,
      settle: () => undefined,
    };
    const { client, upstream, end } = fixture({ transcription });
    const session = { audio: { input: { transcription: { model: 'scribe' } } } };
    client.say({ type: 'session.update', session });
    await settled();
    expect([upstream.sent, client.sent, client.closed]).toEqual([[], ['error model-refused'], undefined]);
    upstream.say({ type: 'session.updated', session });
    await expect(end).resolves.toMatchObject({ outcome: 'limit', error: refused });
    expect(asked).toEqual(['scribe', 'scribe']);
  });

  it.each([
    '{"type":"x","type":"response.create"}',
    '{"type":"session.update","session":{"input_audio_transcription":{"model":"a","model":"b"}}}',
  ])('refuses an event that two readers may take for different ones: %s', (event) => {
    const { client, upstream } = fixture();
    client.listener?.onFrame(Buffer.from(event), true);
    expect([upstream.sent, client.sent]).toEqual([[], ['error invalid-request']]);
  });

  it('drops what was asked for and did not begin when the vendor leaves, not when the client does', async () => {
    const left = fixture();
    left.client.say({ type: 'conversation.item.create', item: { content: [{ text: 'abc' }] } });
    left.client.say(CREATE);
    left.client.listener?.onClosed(1000, '');
    await expect(left.end).resolves.toMatchObject({ outcome: 'client_abort' });
    expect(left.meter.usage().input.total).toBe(3);
    const broken = fixture();
    broken.client.say({ type: 'conversation.item.create', item: { content: [{ text: 'abc' }] } });
    broken.client.say(CREATE);
    broken.upstream.listener?.onClosed(1006, '');
    await broken.end;
    expect(broken.meter.evidence()).toBe('none');
  });
});
