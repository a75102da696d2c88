import { describe, expect, it } from '@jest/globals';
import { openTestSession, settled } from '../../../test/support/realtime-session.js';

describe('a realtime session', () => {
  it('slows down the side whose other side takes nothing, in both directions', () => {
    const { client, upstream } = openTestSession();
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
    const { client, upstream, clock } = openTestSession();
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
        const all = openTestSession();
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
    const { client, upstream, clock, holdRef } = openTestSession();
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
      const parties = openTestSession({ sensitiveWords: ['bomb'] });
      const { end, client, upstream } = parties;
      parties[side].listener?.onFrame(Buffer.from(`${'['.repeat(6_000)}${']'.repeat(6_000)}`), isText);
      const kind = side === 'client' ? 'invalid-request' : 'upstream-malformed';
      await expect(end).resolves.toMatchObject({ error: { kind } });
      expect(client.sent).toEqual([`error ${kind}`]);
      expect(upstream.sent).toEqual([]);
    },
  );

  it('meters frames of the upstream whatever kind they claim to be', async () => {
    const { upstream, client, end } = openTestSession();
    client.say({ type: 'response.create' });
    const done = { type: 'response.done', response: { usage: { input_tokens: 5_000, output_tokens: 10 } } };
    upstream.listener?.onFrame(Buffer.from(JSON.stringify(done)), false);
    client.listener?.onClosed(1000, '');
    const { meter } = await end;
    expect(meter.usage()).toMatchObject({ input: { total: 5_000 }, output: { total: 10 } });
  });

  it('refuses an event it cannot read and continues, and ends when a word filter is set', async () => {
    const free = openTestSession();
    free.client.listener?.onFrame(Buffer.from('{"text":"bo\\u006db",}'), true);
    expect([free.upstream.sent, free.client.sent]).toEqual([[], ['error invalid-request']]);
    expect(free.client.closed).toBeUndefined();
    const guarded = openTestSession({ sensitiveWords: ['bomb'] });
    guarded.client.listener?.onFrame(Buffer.from('{"text":"bo\\u006db",}'), true);
    expect(guarded.upstream.sent).toEqual([]);
    await expect(guarded.end).resolves.toMatchObject({ error: { kind: 'invalid-request' } });
  });

  it.each(['client', 'upstream', 'purse', 'timer', 'goodbye'])(
    'ends alone when its %s fails',
    async (part) => {
      const parties = openTestSession();
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
    const { client, upstream, end } = openTestSession({ sensitiveWords: ['bomb'] });
    client.listener?.onFrame(Buffer.from('{"type":"x","text":"a BOMB"}'), false);
    await expect(end).resolves.toMatchObject({ error: { kind: 'content-refused' } });
    expect(upstream.sent).toEqual([]);
  });

  it('writes down every response and sets more aside for the next', async () => {
    const { respond, extensions, holdRef, checkpoints } = openTestSession();
    respond(60);
    expect(checkpoints()).toBe(1);
    expect(extensions).toEqual([60]);
    await settled();
    expect(holdRef.hold.amount).toBe(160);
    respond(10);
    expect(extensions).toEqual([60, 10]);
  });

  it('continues with its hold when no more quota is left, and ends when it is spent', async () => {
    const { respond, refuse, end, client, upstream } = openTestSession();
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
    const { client, upstream, end } = openTestSession({ sensitiveWords: ['forbidden'] });
    client.say({ type: 'conversation.item.create', item: { content: [{ text: 'a forbidden word' }] } });
    expect(upstream.sent).toEqual([]);
    expect(client.sent).toEqual(['error content-refused']);
    await expect(end).resolves.toMatchObject({ outcome: 'limit' });
  });

  it('ends when it is silent for a quarter of an hour, and when it lasts an hour', async () => {
    const silent = openTestSession();
    for (let quarter = 0; quarter < 60; quarter += 1) {
      silent.clock.advance(15_000);
      silent.client.listener?.onControl(true);
    }
    silent.clock.advance(15_000);
    await expect(silent.end).resolves.toMatchObject({ outcome: 'ok', error: { kind: 'limit-reached' } });
    const long = openTestSession();
    for (let quarter = 0; quarter < 240; quarter += 1) {
      long.client.listener?.onControl(true);
      long.client.say({ type: 'x' });
      long.clock.advance(15_000);
    }
    await expect(long.end).resolves.toMatchObject({ outcome: 'limit', error: { kind: 'limit-reached' } });
  });

  it('pings both sides, and ends when the client answers none of them', async () => {
    const { clock, client, upstream, end } = openTestSession();
    clock.advance(15_000);
    expect([client.pings, upstream.pings]).toEqual([1, 1]);
    clock.advance(45_000);
    await expect(end).resolves.toMatchObject({ outcome: 'ok', error: undefined });
    expect(upstream.closed).toBe(1000);
  });

  it('cuts one that closed properly only when the other end does not', async () => {
    const { client, upstream, end, clock } = openTestSession();
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
    const { client, upstream, end } = openTestSession();
    upstream.listener?.onClosed(code, 'why');
    await expect(end).resolves.toMatchObject({ outcome });
    expect(client.closed).toBe(shown);
  });

  it('ends at a frame that quotes the key of the channel, which is not passed on', async () => {
    const { client, upstream, end } = openTestSession({ quotesKey: ({ bytes }) => bytes.includes('secret') });
    upstream.say({ type: 'session.updated', session: { note: 'secret' } });
    expect(client.sent).toEqual(['error upstream-broken']);
    await expect(end).resolves.toMatchObject({ outcome: 'partial' });
  });

  it.each([
    ['client', 'limit', 'limit-reached'],
    ['upstream', 'partial', 'upstream-malformed'],
  ] as const)('ends when a frame of the %s is not whole after a minute', async (side, outcome, kind) => {
    const parties = openTestSession();
    const { clock, client, end } = parties;
    parties[side].isLate = true;
    for (let look = 0; look < 4; look += 1) {
      client.listener?.onControl(true);
      clock.advance(15_000);
    }
    await expect(end).resolves.toMatchObject({ outcome, error: { kind } });
  });

  it('ends where there is no room for a frame of either side', async () => {
    for (const side of ['client', 'upstream'] as const) {
      const parties = openTestSession();
      parties[side].listener?.onFull();
      await expect(parties.end).resolves.toMatchObject({ outcome: 'limit', error: { kind: 'unavailable' } });
    }
  });

  it('holds memory for a large frame until the other side has taken it', () => {
    const { upstream, client, heldBytes } = openTestSession();
    upstream.say({ type: 'x', text: 'a'.repeat(100_000) });
    expect(heldBytes()).toBeGreaterThan(100_000);
    client.waiting.at(-1)?.();
    expect(heldBytes()).toBe(0);
  });

  it('writes down the end of a response or a transcript once', () => {
    const { client, upstream, checkpoints, successes } = openTestSession();
    client.say({ type: 'response.create' });
    const usage = { input_tokens: 0, output_tokens: 1 };
    const transcript = 'conversation.item.input_audio_transcription.completed';
    for (const end of [
      { type: 'response.done', response: { id: 'a', usage } },
      { type: transcript, item_id: 'i', transcript: 'one' },
    ]) {
      const before = checkpoints();
      upstream.say(end);
      upstream.say(end);
      expect(checkpoints() - before).toBe(1);
    }
    expect(successes).toHaveLength(2);
    expect(client.sent).toHaveLength(4);
  });

  it('counts every response that went well among the successes', () => {
    const { respond, upstream, client, successes } = openTestSession();
    respond(1);
    respond(1);
    client.say({ type: 'response.create' });
    const failed = { status: 'failed', status_details: { error: { message: 'no' } } };
    upstream.say({ type: 'response.done', response: failed });
    expect(successes).toHaveLength(2);
  });
});
