import { setImmediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import {
  estimate,
  frame,
  meteredSession,
  report,
  sound,
  words,
} from '../../../test/support/metered-session.js';
import { RealtimeFrame } from './realtime-frame.js';

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

describe('what a realtime session used', () => {
  it('sums the reports; cached audio is cached, not audio', () => {
    const { meter, respond } = meteredSession();
    expect(meter.evidence()).toBe('none');
    expect(respond(REPORT)).toBe('response-done');
    respond(REPORT);
    expect(meter.usage()).toEqual({
      input: { total: 200, cacheRead: 40, audio: 90 },
      output: { total: 60, audio: 40 },
    });
    expect(meter.evidence()).toBe('reported');
  });

  it('sums input and output images', () => {
    const { meter, respond } = meteredSession();
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
    const { meter, client, server, ask, end } = meteredSession();
    // 0.6 s of input at 24 kHz: 17 tokens; 1.2 s of output: 17 tokens.
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

  it('counts telephone audio at its own rate: a sixth of the bytes', () => {
    const { meter, client, server, ask, end } = meteredSession();
    client({ type: 'session.update', session: { input_audio_format: 'g711_ulaw' } });
    server({ type: 'session.updated', session: { audio: { output: { format: { type: 'audio/pcma' } } } } });
    client({ type: 'input_audio_buffer.append', audio: sound(8_000 * 6) });
    ask();
    server({ type: 'response.audio.delta', delta: sound(8_000 * 6) });
    end();
    expect(meter.usage()).toMatchObject({ input: { audio: 167 }, output: { audio: 84 } });
  });

  it('counts tools in every turn, instructions and items in theirs', () => {
    const { meter, client, ask, end, respond } = meteredSession();
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
    const { meter, client, server } = meteredSession();
    client({ type: 'input_audio_buffer.append', audio: sound(48_000) });
    expect(meter.evidence()).toBe('none');
    server({ type: 'response.created' });
    expect(server({ type: 'response.output_text.delta', delta: 'one two' })).toBe('content');
    expect(meter.isResponding).toBe(true);
    expect(meter.usage()).toMatchObject({ input: { total: 28 }, output: { total: 2 } });
    expect(meter.evidence()).toBe('counted');
  });

  it('includes the output of an interpreter, which comes without responses', () => {
    const { meter, client, server } = meteredSession();
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
    const { meter } = meteredSession();
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

describe('tokens that cost more than text', () => {
  const usage = {
    input_tokens: 16_000,
    output_tokens: 1,
    input_token_details: { audio_tokens: 8_000, image_tokens: 8_000 },
  };

  it('counts reported audio and images as text when the session has none [UP-01]', () => {
    const { meter, respond } = meteredSession();
    respond(usage);
    expect(meter.usage().input).toEqual({ total: 16_000 });
    expect(meter.bounded).toBe(1);
  });

  it('believes them once some was sent', () => {
    const { meter, client, respond } = meteredSession();
    client({ type: 'input_audio_buffer.append', audio: sound(48_000) });
    client({
      type: 'conversation.item.create',
      item: { content: [{ type: 'input_image', image_url: 'https://images.example/1' }] },
    });
    respond(usage);
    expect(meter.usage().input).toMatchObject({ total: 16_000, audio: 8_000, image: 8_000 });
    expect(meter.bounded).toBe(0);
  });
});

describe('turns the vendor answers by itself', () => {
  const append = { type: 'input_audio_buffer.append', audio: sound(960) };
  const answer = { id: '', usage: report(16_000, 900) };

  it('accepts an answer only up to the audio a vendor takes for a turn [UP-01]', () => {
    const { meter, client, server } = meteredSession();
    for (let at = 0; at < 10; at += 1) {
      client(append);
      server({ type: 'response.created', response: { id: `r${at}` } });
      server({ type: 'response.done', response: { ...answer, id: `r${at}` } });
    }
    // Five pieces of 20 ms are a tenth of a second.
    expect(meter.usage()).toMatchObject({ input: { total: 32_000 }, output: { total: 1_800 } });
    expect(meter.bounded).toBe(8);
  });
});

describe('requests that are refused', () => {
  it('does not keep the frame of a refused request in memory', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const { meter } = meteredSession();
    const forecastRefused = (): WeakRef<RealtimeFrame> => {
      const refused = RealtimeFrame.read(frame({ type: 'response.create' }));
      meter.forecast(refused);
      return new WeakRef(refused);
    };
    const refused = forecastRefused();
    await setImmediate();
    collect();
    expect(refused.deref()).toBeUndefined();
    expect(meter.isWorking).toBe(false);
  });
});

describe('every response is counted by itself', () => {
  const created = (id: string) => ({ type: 'response.created', response: { id } });
  /** A session whose client asked for this many responses. */
  const asking = (count: number) => {
    const opened = meteredSession();
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
    client({ type: 'input_audio_buffer.append', audio: sound(3) });
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

  it('ignores a report of a response beside the conversation for the context', () => {
    const { meter, server } = asking(3);
    server(done('a', report(5_000, 10)));
    server(done('b', report(20, 1), { conversation_id: null }));
    server(created('c'));
    expect(meter.usage().input.total).toBe(5_000 + 20 + 5_010);
  });

  it('charges an end reported twice once; a name announced again is another response', () => {
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
    const { meter, server, client, ask } = meteredSession();
    client({ type: 'conversation.item.create', item: { content: [{ text: 'two words' }] } });
    ask();
    for (const event of events) server(event);
    expect(meter.usage()).toMatchObject({ input: { total: 2 }, output: { total: 7 } });
    expect(meter.isResponding).toBe(false);
  });

  it('counts output without pieces from its end', () => {
    const { meter, server } = meteredSession();
    const output = [{ type: 'message', content: [{ type: 'output_text', text: words(12) }] }];
    server(done('a', undefined, { output }));
    expect(meter.usage().output.total).toBe(12);
  });

  it('charges nothing for a response that failed before any output, although a context is known', () => {
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
    const { meter, server } = meteredSession();
    for (let number = 0; number < 3_000; number += 1) server(piece(`r${number}`, 'one'));
    expect(meter.usage().output.total).toBe(3_000);
    server(done('r0', report(50, 50)));
    expect(meter.usage()).toMatchObject({ input: { total: 0 }, output: { total: 3_000 } });
  });
});
