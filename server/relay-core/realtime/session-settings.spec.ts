import { describe, expect, it } from '@jest/globals';
import { frame, meteredSession, sound, words } from '../../../test/support/metered-session.js';
import { RealtimeFrame } from './realtime-frame.js';

describe('caps on the output of a session', () => {
  const update = (cap: unknown) => ({ type: 'session.update', session: { max_output_tokens: cap } });
  const updated = (cap: unknown) => ({ type: 'session.updated', session: { max_output_tokens: cap } });
  const heldFor = (meter: ReturnType<typeof meteredSession>['meter'], response?: object) =>
    meter.forecast(RealtimeFrame.read(frame({ type: 'response.create', response }))).words.output.total;

  it('counts a cap of the client only once the vendor has confirmed it', () => {
    const { meter, client, server } = meteredSession();
    client(update(1));
    expect(heldFor(meter)).toBe(2_000);
    server(updated(1));
    expect(heldFor(meter)).toBe(1);
  });

  it('drops or raises a cap as soon as the client names it', () => {
    const { meter, client, server } = meteredSession();
    server(updated(10));
    client(update(5));
    expect(heldFor(meter)).toBe(10);
    client(update(3_000));
    expect(heldFor(meter)).toBe(3_000);
    client(update('inf'));
    expect(heldFor(meter)).toBe(2_000);
  });

  it('drops a cap that the vendor lifts, and keeps one that it does not mention', () => {
    const { meter, server } = meteredSession();
    server(updated(10));
    server({ type: 'session.updated', session: {} });
    expect(heldFor(meter)).toBe(10);
    server(updated('inf'));
    expect(heldFor(meter)).toBe(2_000);
  });

  it('leaves the cap of the session out where a response has expressly none', () => {
    const { meter, server } = meteredSession();
    server(updated(1));
    expect(heldFor(meter, { max_output_tokens: 'inf' })).toBe(2_000);
    expect(heldFor(meter, { max_output_tokens: 7 })).toBe(7);
  });
});

describe('settings that the vendor may refuse', () => {
  const update = (session: object) => ({ type: 'session.update', session });
  const updated = (session: object) => ({ type: 'session.updated', session });
  const heardSecond = { type: 'input_audio_buffer.append', audio: sound(9_000) };
  const PHONE = { input_audio_format: 'g711_ulaw', output_audio_format: 'g711_ulaw' };
  const PCM = { input_audio_format: 'pcm16', output_audio_format: 'pcm16' };

  it('counts audio by a faster format only once the vendor has confirmed it', () => {
    const { meter, client, server } = meteredSession();
    client(update(PHONE));
    client(update(PCM));
    client(heardSecond);
    expect(meter.heardBytes).toBe(54_000);
    expect(meter.settings).toMatchObject({ spokenBytesPerSecond: 8_000 });
    server(updated(PCM));
    client(heardSecond);
    expect(meter.heardBytes).toBe(63_000);
    expect(meter.settings).toMatchObject({ spokenBytesPerSecond: 48_000 });
  });

  it.each([{ output_audio_format: 'g711_ulaw' }, { audio: { output: { format: { type: 'audio/pcmu' } } } }])(
    'counts audio by the format of a response: %j',
    (response) => {
      const { meter, server, ask } = meteredSession();
      ask(response);
      server({ type: 'response.created', response: { id: 'r' } });
      server({ type: 'response.output_audio.delta', response_id: 'r', delta: sound(480_000) });
      // A minute of speech.
      expect(meter.usage().output.audio).toBe(834);
    },
  );

  it('keeps the model that transcribes until the vendor has confirmed another', () => {
    const { meter, client, server } = meteredSession();
    const by = (model?: string) => ({ input_audio_transcription: { ...(model && { model }) } });
    client(update(by('dear')));
    client(update(by('cheap')));
    expect(meter.settings).toMatchObject({ transcriptionModel: 'dear', requestedModel: 'cheap' });
    server(updated(by('dear')));
    expect(meter.settings).toMatchObject({ transcriptionModel: 'dear', requestedModel: undefined });
    client(update(by('cheap')));
    server(updated(by()));
    expect(meter.settings).toMatchObject({ transcriptionModel: 'cheap', requestedModel: undefined });
  });

  it('prices a turn by the model in effect when the vendor commits it', () => {
    const { meter, client, server } = meteredSession();
    const by = (model: string) => ({ input_audio_transcription: { model } });
    client(update(by('first')));
    server(updated(by('first')));
    client(update(by('second')));
    client({ type: 'input_audio_buffer.commit' });
    expect(meter.transcripts.countsOf((model) => model === 'first').all).toBe(1);
    server(updated(by('second')));
    server({ type: 'input_audio_buffer.committed', item_id: 'item' });
    expect(meter.transcripts.countsOf((model) => model === 'second').all).toBe(1);
    expect(meter.transcripts.countsOf((model) => model === 'first').all).toBe(0);
  });

  it.each([
    ['instructions', { instructions: words(500) }, { instructions: '' }],
    ['tools', { tools: [{ type: 'function', description: words(500) }] }, { tools: [] }],
  ])('counts fewer %s only once the vendor has confirmed them', (_what, long, short) => {
    const { meter, client, server, ask } = meteredSession();
    const read = () => meter.usage().input.total ?? 0;
    client(update(long));
    client(update(short));
    server(updated(long));
    ask();
    const before = read();
    expect(before).toBeGreaterThanOrEqual(500);
    server(updated(short));
    ask();
    expect(read()).toBe(before);
  });
});
