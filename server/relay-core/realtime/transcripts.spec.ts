import { describe, expect, it } from '@jest/globals';
import { meteredSession, sound } from '../../../test/support/metered-session.js';

const TRANSCRIPT = 'conversation.item.input_audio_transcription.completed';

describe('speech that is only written down [RLY-10]', () => {
  const MINUTE = 60 * 48_000;
  const heard = (seconds: number) => ({ type: 'input_audio_buffer.append', audio: sound(48_000 * seconds) });
  const commit = { type: 'input_audio_buffer.commit' };
  const committed = (id: string) => ({ type: 'input_audio_buffer.committed', item_id: id });
  const completed = (id: string, transcript: string, usage?: unknown) => ({
    type: TRANSCRIPT,
    item_id: id,
    transcript,
    usage,
  });
  const piece = (id: string, delta: string) => ({
    type: 'conversation.item.input_audio_transcription.delta',
    item_id: id,
    delta,
  });
  const transcribing = { type: 'session.update', session: { input_audio_transcription: {} } };

  it.each([
    ['tokens', { type: 'tokens', input_tokens: 40, output_tokens: 9 }, 40, 9],
    ['seconds', { type: 'duration', seconds: 60 }, 1_000, 0],
    ['nothing', undefined, 0, 3],
    ['what cannot be true', { type: 'tokens', input_tokens: -5, output_tokens: 9 }, 0, 3],
    ['a day', { type: 'duration', seconds: 86_400 }, 0, 0],
  ])('charges it without a response, by %s', (_name, usage, input, output) => {
    const { meter, server, client } = meteredSession();
    client(heard(60));
    expect(server({ type: TRANSCRIPT, transcript: 'one two three', usage })).toBe('transcript-done');
    expect(meter.usage()).toMatchObject({ input: { total: input }, output: { total: output } });
  });

  it('accepts a report up to the audio of its turn, and without audio only the text', () => {
    const { meter, server, client } = meteredSession();
    const huge = { type: 'tokens', input_tokens: 100_000, output_tokens: 60_000 };
    for (const id of ['a', 'b', 'c']) server(completed(id, 'one two', huge));
    expect(meter.usage()).toMatchObject({ input: { total: 0 }, output: { total: 6 } });
    expect(meter).toMatchObject({ bounded: 3 });
    client(transcribing);
    client(heard(60));
    client(commit);
    server(committed('d'));
    server(completed('d', 'one', huge));
    expect(meter.usage()).toMatchObject({ input: { total: 1_000 }, output: { total: 7 } });
  });

  it('accepts no more words than fit into the audio of a turn', () => {
    const { meter, server, client } = meteredSession();
    client(transcribing);
    const short = { type: 'input_audio_buffer.append', audio: sound(960) };
    const report = { type: 'tokens', input_tokens: 1, output_tokens: 1_000 };
    for (let turn = 0; turn < 10; turn += 1) {
      client(short);
      server(committed(`item_${turn}`));
      server(completed(`item_${turn}`, 'one', report));
    }
    expect(meter.usage()).toMatchObject({ input: { total: 10 }, output: { total: 10 } });
    expect(meter).toMatchObject({ bounded: 10 });
  });

  it('charges a turn whose transcript is reported again once', () => {
    const { meter, server, client } = meteredSession();
    client(heard(60));
    const report = { type: 'tokens', input_tokens: 600, output_tokens: 2 };
    for (let time = 0; time < 5; time += 1) server(completed('a', 'one two', report));
    expect(meter.usage()).toMatchObject({ input: { total: 600 }, output: { total: 2 } });
  });

  it('charges committed turns without a transcript by their audio and by the received text', () => {
    const { meter, server, client } = meteredSession();
    client(transcribing);
    client(heard(60));
    client(commit);
    expect(meter.usage().input.total).toBe(1_000);
    server(committed('a'));
    server(piece('a', 'one two three'));
    client(heard(30));
    expect(meter.usage()).toMatchObject({ input: { total: 1_000 }, output: { total: 3 } });
    expect(meter.evidence()).toBe('counted');
    server(completed('a', 'one two three', { type: 'tokens', input_tokens: 600, output_tokens: 3 }));
    expect(meter.usage()).toMatchObject({ input: { total: 600 }, output: { total: 3 } });
    expect(meter.evidence()).toBe('reported');
  });

  it('charges nothing for a turn that could not be written down', () => {
    const { meter, server, client } = meteredSession();
    client(transcribing);
    client(heard(60));
    client(commit);
    server(committed('a'));
    server({ type: 'conversation.item.input_audio_transcription.failed', item_id: 'a' });
    expect(meter.evidence()).toBe('none');
  });

  it('leaves out the silence before a turn that the vendor ends', () => {
    const { meter, server, client } = meteredSession();
    client(transcribing);
    client(heard(90));
    server({ type: 'input_audio_buffer.speech_started', audio_start_ms: 60_000 });
    client(heard(30));
    server(committed('a'));
    expect(meter.usage().input.total).toBe(1_000);
    expect(meter.unasked).toBe(1);
  });

  it('counts the audio of a refused commit for the next turn', () => {
    const { meter, server, client } = meteredSession();
    client(transcribing);
    client(heard(60));
    client({ ...commit, event_id: 'c1' });
    client(commit);
    server({ type: 'error', error: { event_id: 'c1', code: 'buffer_too_small' } });
    server({ type: 'error', error: { code: 'input_audio_buffer_commit_empty' } });
    expect(meter.usage().input.total).toBe(0);
    server(committed('a'));
    server(completed('a', 'one two', { type: 'tokens', input_tokens: 600, output_tokens: 2 }));
    expect(meter.usage()).toMatchObject({ input: { total: 600 }, output: { total: 2 } });
  });

  it('counts each turn’s own audio when all of it was sent ahead', () => {
    const { meter, server, client } = meteredSession();
    client(transcribing);
    client(heard(120));
    for (const [id, endMs] of [
      ['a', 60_000],
      ['b', 90_000],
    ] as const) {
      server({ type: 'input_audio_buffer.speech_stopped', audio_end_ms: endMs });
      server(committed(id));
    }
    expect(meter.usage().input.total).toBe(1_000 + 500);
  });

  it('takes a minute in the slower of two formats for six, however late it was named', () => {
    const { meter, server, client } = meteredSession();
    client({ type: 'session.update', session: { input_audio_format: 'g711_ulaw' } });
    client({ type: 'session.update', session: { input_audio_format: 'pcm16' } });
    client({ type: 'input_audio_buffer.append', audio: sound(MINUTE) });
    server(completed('a', 'one', { type: 'duration', seconds: 360 }));
    expect(meter.usage().input.total).toBe(6_000);
  });

  it('keeps what another model writes down out of what the session costs', () => {
    const { meter, server, client } = meteredSession();
    client({ type: 'session.update', session: { input_audio_transcription: { model: 'other' } } });
    client(heard(60));
    client(commit);
    expect(meter.usage()).toEqual({ input: { total: 0 }, output: { total: 0 } });
    server(piece('a', 'one two'));
    const isOther = (model: string | undefined) => model === 'other';
    expect(meter.transcripts.usageOf(isOther)).toMatchObject({
      input: { total: 1_000 },
      output: { total: 2 },
    });
    expect(meter.transcripts.countsOf(isOther)).toEqual({ all: 1, counted: 1, bounded: 0 });
  });

  it('leaves out turns that were committed before transcription was on, and the audio of items', () => {
    const { meter, server, client } = meteredSession();
    client(heard(60));
    client(commit);
    server(committed('a'));
    client(transcribing);
    client({ type: 'conversation.item.create', item: { content: [{ audio: sound(MINUTE) }] } });
    client(heard(30));
    client(commit);
    expect(meter.usage().input.total).toBe(500);
  });

  it('settles the oldest turn once 64 are open', () => {
    const { meter, server } = meteredSession();
    for (let turn = 0; turn < 65; turn += 1) server(piece(`t${turn}`, 'one'));
    expect(server(completed('t0', 'one', { type: 'tokens', input_tokens: 0, output_tokens: 1 }))).toBe(
      'other',
    );
    expect(server(completed('t1', 'one'))).toBe('transcript-done');
    expect(meter.usage().output.total).toBe(65);
  });

  it('counts thousands of turns that are never written down as they stand', () => {
    const { meter, server } = meteredSession();
    for (let turn = 0; turn < 3_000; turn += 1) server(piece(`t${turn}`, 'one'));
    expect(meter.usage().output.total).toBe(3_000);
  });
});
