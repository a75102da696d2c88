import { describe, expect, it } from '@jest/globals';
import { openTestSession, settled } from '../../../test/support/realtime-session.js';
import { fail, ok } from '../../common/result.js';
import type { RelayError } from '../model/relay-error.js';

describe('work in a session', () => {
  const CREATE = { type: 'response.create' };
  const APPEND = { type: 'input_audio_buffer.append', audio: 'A'.repeat(64_000) };
  const rateLimited: RelayError = {
    kind: 'rate-limited',
    blame: 'caller',
    message: 'full',
    retryAfterMs: 30_000,
  };

  it('holds before the request for it is passed on', async () => {
    const { client, upstream, extensions, meter } = openTestSession();
    meter.settings.outputCap = 250;
    client.say(CREATE);
    client.say({ type: 'x' });
    expect(upstream.sent).toEqual([]);
    expect(client.isPaused).toBe(true);
    await settled();
    expect(extensions).toEqual([150]);
    expect(upstream.sent.map((frame) => JSON.parse(frame).type)).toEqual(['response.create', 'x']);
  });

  it('refuses it where the account has no more, and the session stays', async () => {
    const { client, upstream, refuse, meter } = openTestSession();
    refuse();
    meter.settings.outputCap = 60;
    client.say(CREATE);
    client.say(CREATE);
    await settled();
    expect(upstream.sent).toHaveLength(1);
    expect(client.sent).toEqual(['error quota-insufficient']);
    expect(client.closed).toBeUndefined();
  });

  it('refuses it while 64 wait to begin, and takes it once one begins', async () => {
    const { client, upstream, holdRef } = openTestSession();
    Object.assign(holdRef.hold, { amount: 1_000_000 });
    for (let asked = 0; asked < 65; asked += 1) client.say(CREATE);
    await settled();
    expect([upstream.sent.length, client.sent]).toEqual([64, ['error invalid-request']]);
    expect(client.closed).toBeUndefined();
    upstream.say({ type: 'response.created', response: { id: 'a' } });
    client.say(CREATE);
    await settled();
    expect(upstream.sent).toHaveLength(65);
  });

  it('refuses it above the request limits, and the session stays', () => {
    let places = 1;
    const countRequest = () => {
      places -= 1;
      return places < 0 ? fail(rateLimited) : ok(undefined);
    };
    const { client, upstream } = openTestSession({ countRequest });
    client.say(CREATE);
    client.say(CREATE);
    expect(upstream.sent).toHaveLength(1);
    expect(client.sent).toEqual(['error rate-limited']);
    expect(client.closed).toBeUndefined();
  });

  it('counts turns the vendor answers by itself, and holds back audio above the limit until there is room', async () => {
    let counted = 0;
    let isFull = true;
    const countRequest = () => {
      counted += 1;
      return isFull ? fail(rateLimited) : ok(undefined);
    };
    const { client, upstream, clock } = openTestSession({ countRequest });
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

  it('holds for it while the vendor ends turns by itself: for every ten seconds of audio, and after every item', async () => {
    const { client, extensions, meter } = openTestSession();
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

  it('refuses audio whose answer the account cannot pay, and tries again once a second', async () => {
    const { client, upstream, clock, refuse, extensions, meter } = openTestSession();
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

  it('passes audio without a check when the vendor confirms that it ends no turns', () => {
    const { client, upstream, extensions, meter } = openTestSession();
    meter.settings.outputCap = 250;
    client.say({ type: 'session.update', session: { turn_detection: null } });
    upstream.say({ type: 'session.updated', session: { turn_detection: null } });
    client.say(APPEND);
    expect([upstream.sent.length, extensions.length]).toEqual([2, 0]);
  });

  it.each([
    { input_audio_transcription: { model: 'a' }, audio: { input: { transcription: { model: 'b' } } } },
    { input_audio_format: 'pcm16', audio: { input: { format: { type: 'audio/pcmu' } } } },
    { output_audio_format: 'pcm16', audio: { output: { format: { type: 'audio/pcmu' } } } },
    { turn_detection: null, audio: { input: { turn_detection: { type: 'server_vad' } } } },
    { max_output_tokens: 1, max_response_output_tokens: 'inf' },
  ])('refuses an update that sets the same thing in both grammars: %j', (session) => {
    const { client, upstream } = openTestSession();
    client.say({ type: 'session.update', session });
    expect(upstream.sent).toEqual([]);
    expect(client.sent).toEqual(['error invalid-request']);
    expect(client.closed).toBeUndefined();
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
    const { client, upstream, end } = openTestSession({ transcription });
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
    const { client, upstream } = openTestSession();
    client.listener?.onFrame(Buffer.from(event), true);
    expect([upstream.sent, client.sent]).toEqual([[], ['error invalid-request']]);
  });

  it('drops requests that did not begin when the vendor leaves, not when the client does', async () => {
    const left = openTestSession();
    left.client.say({ type: 'conversation.item.create', item: { content: [{ text: 'abc' }] } });
    left.client.say(CREATE);
    left.client.listener?.onClosed(1000, '');
    await expect(left.end).resolves.toMatchObject({ outcome: 'client_abort' });
    expect(left.meter.usage().input.total).toBe(3);
    const broken = openTestSession();
    broken.client.say({ type: 'conversation.item.create', item: { content: [{ text: 'abc' }] } });
    broken.client.say(CREATE);
    broken.upstream.listener?.onClosed(1006, '');
    await broken.end;
    expect(broken.meter.evidence()).toBe('none');
  });
});
