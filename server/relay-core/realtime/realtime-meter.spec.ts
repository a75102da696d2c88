import { describe, expect, it } from '@jest/globals';
import { RealtimeFrame } from './realtime-frame.js';
import { RealtimeMeter } from './realtime-meter.js';

/** A token per word. */
const estimate = (text: string): number => text.split(/\s+/).filter((word) => word !== '').length;
const frame = (event: unknown): Buffer => Buffer.from(JSON.stringify(event));
const sound = (bytes: number): string => Buffer.alloc(bytes).toString('base64');

function session() {
  const meter = new RealtimeMeter(estimate);
  return {
    meter,
    client: (event: unknown) => meter.readClient(frame(event)),
    server: (event: unknown) => meter.readServer(frame(event)),
    ask: (response?: object) => meter.readClient(frame({ type: 'response.create', response })),
    /** The vendor begins and ends a response that was asked for. */
    end: (usage?: unknown) => {
      meter.readServer(frame({ type: 'response.created' }));
      return meter.readServer(frame({ type: 'response.done', response: { usage } }));
    },
    respond: (usage?: unknown) => {
      meter.readClient(frame({ type: 'response.create' }));
      meter.readServer(frame({ type: 'response.created' }));
      return meter.readServer(frame({ type: 'response.done', response: { usage } }));
    },
  };
}

const REPORT = {
  input_tokens: 100,
  output_tokens: 30,
  input_token_details: {
    cached_tokens: 20,
    audio_tokens: 60,
    cached_tokens_details: { audio_tokens: 15, text_tokens: 5 },
  },
  output_token_details: { audio_tokens: 20 },
};

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
    const { meter, server, client } = session();
    client(heard(60));
    expect(server({ type: TRANSCRIPT, transcript: 'one two three', usage })).toBe('transcript-done');
    expect(meter.usage()).toMatchObject({ input: { total: input }, output: { total: output } });
  });

  it('believes a report up to the sound of its turn, and without sound only what was written', () => {
    const { meter, server, client } = session();
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

  it('charges a turn whose transcript is reported again once', () => {
    const { meter, server, client } = session();
    client(heard(60));
    const report = { type: 'tokens', input_tokens: 600, output_tokens: 2 };
    for (let time = 0; time < 5; time += 1) server(completed('a', 'one two', report));
    expect(meter.usage()).toMatchObject({ input: { total: 600 }, output: { total: 2 } });
  });

  it('charges turns that were committed and not written down by their sound and by the text that came', () => {
    const { meter, server, client } = session();
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
    const { meter, server, client } = session();
    client(transcribing);
    client(heard(60));
    client(commit);
    server(committed('a'));
    server({ type: 'conversation.item.input_audio_transcription.failed', item_id: 'a' });
    expect(meter.evidence()).toBe('none');
  });

  it('leaves out the silence before a turn that the vendor ends', () => {
    const { meter, server, client } = session();
    client(transcribing);
    client(heard(90));
    server({ type: 'input_audio_buffer.speech_started', audio_start_ms: 60_000 });
    client(heard(30));
    server(committed('a'));
    expect(meter.usage().input.total).toBe(1_000);
    expect(meter.unasked).toBe(1);
  });

  it('takes a minute in the slower of two formats for six, however late it was named', () => {
    const { meter, server, client } = session();
    client({ type: 'session.update', session: { input_audio_format: 'g711_ulaw' } });
    client({ type: 'session.update', session: { input_audio_format: 'pcm16' } });
    client({ type: 'input_audio_buffer.append', audio: sound(MINUTE) });
    server(completed('a', 'one', { type: 'duration', seconds: 360 }));
    expect(meter.usage().input.total).toBe(6_000);
  });

  it('keeps what another model writes down out of what the session costs', () => {
    const { meter, server, client } = session();
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
    expect(meter.transcripts.countsOf(isOther)).toEqual({ all: 1, counted: 1 });
  });

  it('counts thousands of turns that are never written down as they stand', () => {
    const { meter, server } = session();
    for (let turn = 0; turn < 3_000; turn += 1) server(piece(`t${turn}`, 'one'));
    expect(meter.usage().output.total).toBe(3_000);
  });
});

describe('what a realtime session used', () => {
  it('sums the reports; cached sound is cached, not sound', () => {
    const { meter, respond } = session();
    expect(meter.evidence()).toBe('none');
    expect(respond(REPORT)).toBe('response-done');
    respond(REPORT);
    expect(meter.usage()).toEqual({
      input: { total: 200, cacheRead: 40, audio: 90 },
      output: { total: 60, audio: 40 },
    });
    expect(meter.evidence()).toBe('reported');
  });

  it('sums pictures that were seen and made', () => {
    const { meter, respond } = session();
    const report = {
      input_tokens: 50,
      output_tokens: 40,
      input_token_details: { image_tokens: 30 },
      output_token_details: { image_tokens: 35 },
    };
    respond(report);
    respond(report);
    expect(meter.usage()).toEqual({ input: { total: 100, image: 60 }, output: { total: 80, image: 70 } });
  });

  it.each([
    ['nothing', undefined],
    ['an empty report', {}],
    ['a negative figure', { input_tokens: -5, output_tokens: 3 }],
    ['a fraction', { input_tokens: 5.5, output_tokens: 3 }],
    ['an absurd figure', { input_tokens: 5_000_000, output_tokens: 30_000_000 }],
    ['zero, although something was said', { input_tokens: 0, output_tokens: 0 }],
  ])('counts it here when the vendor reports %s [UP-01]', (_name, usage) => {
    const { meter, client, server, ask, end } = session();
    // 0.6 s heard at 24 kHz: 17 tokens; 1.2 s spoken: 17 tokens.
    client({ type: 'input_audio_buffer.append', audio: sound(28_800) });
    client({
      type: 'conversation.item.create',
      item: { content: [{ type: 'input_text', text: 'two words' }] },
    });
    ask();
    server({ type: 'response.output_audio.delta', delta: sound(57_600) });
    server({ type: 'response.output_audio_transcript.delta', delta: 'and three words' });
    end(usage);
    expect(meter.usage()).toMatchObject({
      input: { total: 17 + 2, audio: 17 },
      output: { total: 17 + 3, audio: 17 },
    });
    expect(meter.evidence()).toBe('counted');
    expect(meter.counted).toBe(1);
  });

  it('takes the telephone for what it is: a sixth of the bytes', () => {
    const { meter, client, server, ask, end } = session();
    client({ type: 'session.update', session: { input_audio_format: 'g711_ulaw' } });
    server({ type: 'session.updated', session: { audio: { output: { format: { type: 'audio/pcma' } } } } });
    client({ type: 'input_audio_buffer.append', audio: sound(8_000 * 6) });
    ask();
    server({ type: 'response.audio.delta', delta: sound(8_000 * 6) });
    end();
    expect(meter.usage()).toMatchObject({ input: { audio: 167 }, output: { audio: 84 } });
  });

  it('counts tools in every turn, instructions and items in theirs', () => {
    const { meter, client, ask, end, respond } = session();
    const tool = { type: 'function', name: 'weather' };
    client({ type: 'session.update', session: { instructions: 'be kind', tools: [tool] } });
    const toolTokens = 8 + estimate(JSON.stringify(tool));
    respond();
    expect(meter.usage().input.total).toBe(2 + toolTokens);
    ask({ instructions: 'be brief now' });
    end();
    expect(meter.usage().input.total).toBe(2 + toolTokens + 3 + toolTokens);
  });

  it('includes a response that is being made, and nothing that only waits for one', () => {
    const { meter, client, server } = session();
    client({ type: 'input_audio_buffer.append', audio: sound(48_000) });
    expect(meter.evidence()).toBe('none');
    server({ type: 'response.created' });
    expect(server({ type: 'response.output_text.delta', delta: 'one two' })).toBe('content');
    expect(meter.isResponding).toBe(true);
    expect(meter.usage()).toMatchObject({ input: { total: 28 }, output: { total: 2 } });
    expect(meter.evidence()).toBe('counted');
  });

  it('includes what an interpreter says, who speaks without responses', () => {
    const { meter, client, server } = session();
    client({ type: 'input_audio_buffer.append', audio: sound(48_000) });
    server({ type: 'session.output_audio.delta', delta: sound(48_000) });
    server({ type: 'session.output_transcript.delta', delta: 'tres palabras aquí' });
    expect(meter.usage()).toMatchObject({
      input: { total: 28, audio: 28 },
      output: { total: 14 + 3, audio: 14 },
    });
    expect(meter.evidence()).toBe('counted');
  });

  it('ignores frames it does not know or cannot read', () => {
    const { meter } = session();
    for (const text of [
      '',
      'null',
      '[]',
      '{"type":5}',
      '{"type":"response.done"',
      '{"type":"x","delta":',
      '"x"',
    ]) {
      expect(meter.readServer(Buffer.from(text))).toBe('other');
      meter.readClient(Buffer.from(text));
    }
    expect(meter.readServer(Buffer.from('{"type":"error"}'))).toBe('error');
    expect(meter.usage()).toEqual({ input: { total: 0 }, output: { total: 0 } });
  });
});

/** A response of so many words, in pieces that name it. */
const words = (count: number): string => 'word '.repeat(count);
const report = (input: number, output: number, audio = 0) => ({
  input_tokens: input,
  output_tokens: output,
  input_token_details: { audio_tokens: audio },
});

describe('every response is counted by itself', () => {
  const created = (id: string) => ({ type: 'response.created', response: { id } });
  /** A session whose client asked for this many responses. */
  const asking = (count: number) => {
    const opened = session();
    for (let asked = 0; asked < count; asked += 1) opened.ask();
    return opened;
  };
  const piece = (id: string, delta: string) => ({
    type: 'response.output_text.delta',
    response_id: id,
    delta,
  });
  const done = (id: string, usage?: unknown, more = {}) => ({
    type: 'response.done',
    response: { id, usage, ...more },
  });

  it('the end of one takes nothing from the others', () => {
    const { meter, server } = asking(3);
    for (const id of ['a', 'b', 'c']) server(created(id));
    for (const id of ['b', 'c']) server(piece(id, words(5_000)));
    server(done('a', report(5, 1)));
    expect(meter.usage()).toMatchObject({ input: { total: 15 }, output: { total: 10_001 } });
    expect(meter.isResponding).toBe(true);
    server(done('b'));
    server(done('c', report(7, 4_000)));
    expect(meter.usage()).toMatchObject({
      input: { total: 5 + 5 + 7 },
      output: { total: 1 + 5_000 + 4_000 },
    });
    expect(meter).toMatchObject({ responses: 3, counted: 1, isResponding: false });
  });

  it('one that is cut has read what the last report named and brought, sound and cached input included', () => {
    const { meter, client, server } = asking(2);
    server(created('a'));
    server(
      done('a', {
        ...report(5_000, 10, 4_000),
        input_token_details: { audio_tokens: 4_000, cached_tokens: 100 },
      }),
    );
    client({ type: 'input_audio_buffer.append', audio: sound(48_000) });
    server(created('b'));
    server(piece('b', words(55)));
    expect(meter.usage()).toMatchObject({
      input: { total: 5_000 + 5_010 + 28, audio: 4_000 + 4_000 + 28, cacheRead: 200 },
      output: { total: 10 + 55 },
    });
    expect(meter.evidence()).toBe('counted');
    server(done('b', report(5_040, 60)));
    expect(meter.usage()).toMatchObject({ input: { total: 10_040 }, output: { total: 70 } });
  });

  it('a report of one beside the conversation says nothing about the context', () => {
    const { meter, server } = asking(3);
    server(done('a', report(5_000, 10)));
    server(done('b', report(20, 1), { conversation_id: null }));
    server(created('c'));
    expect(meter.usage().input.total).toBe(5_000 + 20 + 5_010);
  });

  it('an end told twice is charged once; a name announced again is another response', () => {
    const { meter, server } = asking(2);
    server(created('a'));
    server(done('a', report(100, 10)));
    server(done('a', report(100, 10)));
    server(piece('a', words(9)));
    expect(meter.usage().output.total).toBe(10);
    server(created('a'));
    server(done('a', report(100, 10)));
    expect(meter.usage()).toMatchObject({ input: { total: 200 }, output: { total: 20 } });
  });

  it.each([
    ['only the announcement names it', [created('a'), piece('', words(7)), done('')]],
    ['only its pieces name it', [created(''), piece('a', words(7)), done('')]],
    ['only its end names it', [piece('', words(7)), done('a')]],
    ['its pieces come before the announcement', [piece('a', words(7)), created('a'), done('a')]],
    ['nothing names it', [created(''), piece('', words(7)), done('')]],
    ['its pieces come after an end without figures', [created('a'), done('a'), piece('a', words(7))]],
  ])('counts one response although %s', (_name, events) => {
    const { meter, server, client, ask } = session();
    client({ type: 'conversation.item.create', item: { content: [{ text: 'two words' }] } });
    ask();
    for (const event of events) server(event);
    expect(meter.usage()).toMatchObject({ input: { total: 2 }, output: { total: 7 } });
    expect(meter.isResponding).toBe(false);
  });

  it('counts from its end what a vendor says without pieces', () => {
    const { meter, server } = session();
    const output = [{ type: 'message', content: [{ type: 'output_text', text: words(12) }] }];
    server(done('a', undefined, { output }));
    expect(meter.usage().output.total).toBe(12);
  });

  it('one that failed before it said a word costs nothing, although a context is known', () => {
    const { meter, server } = asking(2);
    server(done('a', report(5_000, 10)));
    server(created('b'));
    server(done('b', null, { status: 'failed' }));
    expect(meter.usage()).toMatchObject({ input: { total: 5_000 }, output: { total: 10 } });
    expect(meter.evidence()).toBe('reported');
  });

  it('an interpreter is not forgotten at the end of a response', () => {
    const { meter, server } = asking(1);
    server({ type: 'session.output_transcript.delta', delta: words(5) });
    server(created('a'));
    server(done('a', report(1, 1)));
    expect(meter.usage().output.total).toBe(6);
  });

  it('thousands that never end are counted as they stand, and their late ends cost nothing more', () => {
    const { meter, server } = session();
    for (let number = 0; number < 3_000; number += 1) server(piece(`r${number}`, 'one'));
    expect(meter.usage().output.total).toBe(3_000);
    server(done('r0', report(50, 50)));
    expect(meter.usage()).toMatchObject({ input: { total: 0 }, output: { total: 3_000 } });
  });
});

describe('what was asked for is charged, and no more', () => {
  const item = (...content: object[]) => ({ type: 'conversation.item.create', item: { content } });
  const text = (said: string) => ({ type: 'input_text', text: said });
  const created = (id: string) => ({ type: 'response.created', response: { id } });
  const done = (id: string, usage?: unknown, more = {}) => ({
    type: 'response.done',
    response: { id, usage, ...more },
  });

  it('charges the input of a response that was cut before its first event', () => {
    const { meter, client, ask } = session();
    client(item(text('two words')));
    ask();
    expect(meter.usage()).toMatchObject({ input: { total: 2 }, output: { total: 0 } });
    expect(meter).toMatchObject({ isWorking: true, isResponding: false });
    expect(meter.evidence()).toBe('counted');
    meter.dropAsked();
    expect(meter.evidence()).toBe('none');
  });

  it('charges nothing for a request that the vendor refused, unless it begins all the same', () => {
    const { meter, client, server } = session();
    client(item(text('two words')));
    client({ type: 'response.create', event_id: 'e1' });
    server({ type: 'error', error: { event_id: 'another' } });
    expect(meter.usage().input.total).toBe(2);
    server({ type: 'error', error: { event_id: 'e1' } });
    expect(meter.usage().input.total).toBe(0);
    server(created('a'));
    expect(meter.usage().input.total).toBe(2);
  });

  it('counts what every response reads anew: items, pictures, sound and earlier answers', () => {
    const { meter, client, server, ask } = session();
    const picture = { type: 'input_image', image_url: 'https://pictures.example/1.png' };
    client(item(text('two words'), picture, picture));
    client({ type: 'input_audio_buffer.append', audio: sound(48_000) });
    const first = 2 + 2 * 765 + 28;
    for (const id of ['a', 'b']) {
      ask();
      server(created(id));
      server({ type: 'response.output_text.delta', response_id: id, delta: 'three words more' });
      server(done(id));
    }
    expect(meter.usage()).toMatchObject({
      input: { total: first + first + 3, image: 4 * 765, audio: 56 },
      output: { total: 6 },
    });
  });

  it('counts the pictures of a data address, not its letters', () => {
    const { meter, client, ask } = session();
    const image_url = `data:image/png;base64,${'A'.repeat(600_000)}`;
    client(item(...Array.from({ length: 10 }, () => ({ type: 'input_image', image_url }))));
    ask();
    expect(meter.usage().input).toMatchObject({ total: 7_650, image: 7_650 });
  });

  it('counts instructions, tools and items of a response in place of what the session has', () => {
    const { meter, client, ask } = session();
    client({ type: 'session.update', session: { instructions: 'be kind' } });
    client(item(text(words(100))));
    const tool = { type: 'function', name: 'f' };
    ask({
      input: [{ type: 'message', content: [text('one two three')] }],
      tools: [tool],
      conversation: 'none',
    });
    expect(meter.usage().input.total).toBe(2 + 3 + 8 + estimate(JSON.stringify(tool)));
    ask({ input: [{ type: 'item_reference', id: 'i' }, { content: 'four' }], instructions: 'be brief now' });
    expect(meter.usage().input.total).toBe(14 + (3 + 1) + (3 + 100));
  });

  it('charges responses that were not asked for by what came of them', () => {
    const { meter, server } = session();
    server(created('a'));
    server({ type: 'response.output_text.delta', response_id: 'a', delta: 'one two' });
    server(done('a', report(16_000, 900)));
    expect(meter.usage()).toMatchObject({ input: { total: 0 }, output: { total: 2 } });
    expect(meter.bounded).toBe(1);
  });

  it('believes one response of the vendor by itself for the sound that came since the last', () => {
    const { meter, client, server } = session();
    client({ type: 'input_audio_buffer.append', audio: sound(48_000) });
    for (const id of ['a', 'b']) server(done(id, report(100, 10)));
    expect(meter.usage()).toMatchObject({ input: { total: 100 }, output: { total: 10 } });
    expect(meter.unasked).toBe(1);
  });

  it.each([
    ['an input above what was sent', report(1_000_000, 5), 2, 5],
    ['an output above what came', report(5, 60_000), 5, 1],
    ['a failure with an input above what was sent', report(1_000_000, 0), 2, 1],
  ])('charges our own count in place of %s', (_name, usage, input, output) => {
    const { meter, client, server, ask } = session();
    client(item(text('two words')));
    ask();
    server(created('a'));
    if (usage.output_tokens > 0)
      server({ type: 'response.output_text.delta', response_id: 'a', delta: 'one' });
    server(done('a', usage, { status: usage.output_tokens > 0 ? 'completed' : 'failed' }));
    expect(meter.usage()).toMatchObject({
      input: { total: input },
      output: { total: usage.output_tokens > 0 ? output : 0 },
    });
    expect(meter).toMatchObject({ bounded: 1 });
    expect(meter.evidence()).toBe('counted');
  });

  it('believes an input whose bytes the client sent, and all of a context where it names what is kept elsewhere', () => {
    const { meter, client, respond } = session();
    client(item(text('x'.repeat(100_000))));
    respond(report(110_000, 1));
    expect(meter.bounded).toBe(0);
    client({ type: 'session.update', session: { prompt: { id: 'p' } } });
    respond(report(900_000, 1));
    expect(meter.bounded).toBe(0);
  });

  it('believes an output up to the cap that was sent, and reasoning up to the largest answer of the model', () => {
    const { meter, server, ask } = session();
    ask({ max_output_tokens: 4_000 });
    server(done('a', report(5, 6_000)));
    ask({ max_output_tokens: 4_000 });
    server(done('b', report(5, 6_001)));
    expect(meter).toMatchObject({ bounded: 1 });
    expect(meter.usage().output.total).toBe(6_000 + 4_000);
    ask();
    server(done('c', { ...report(5, 31_000), output_token_details: { reasoning_tokens: 30_000 } }));
    expect(meter).toMatchObject({ bounded: 1 });
  });

  it('forecasts every open response with a whole answer, by the dearer kind of output', () => {
    const { meter, client, server, ask } = session();
    client(item(text(words(100))));
    ask({ max_output_tokens: 50 });
    ask();
    server(created('a'));
    server({ type: 'response.output_text.delta', response_id: 'a', delta: words(10) });
    const frame = RealtimeFrame.read(Buffer.from('{"type":"response.create"}'));
    expect(meter.forecast(frame)).toMatchObject({
      words: { input: { total: 300 }, output: { total: 50 + 2_000 + 2_000 } },
      sound: { output: { total: 4_050, audio: 4_040 } },
    });
    expect(meter.forecast('turn').words).toMatchObject({ input: { total: 300 }, output: { total: 4_050 } });
  });

  it('counts responses where each has a price', () => {
    const meter = new RealtimeMeter(estimate, { countsUnits: true });
    for (let asked = 0; asked < 3; asked += 1) meter.readClient(frame({ type: 'response.create' }));
    meter.readServer(frame(done('a', report(1, 1))));
    meter.readServer(frame(created('b')));
    expect(meter.usage().units).toBe(3);
  });
});
