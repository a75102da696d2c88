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
import { RealtimeMeter } from './realtime-meter.js';

describe('what was asked for is charged, and no more', () => {
  const item = (...content: object[]) => ({ type: 'conversation.item.create', item: { content } });
  const text = (said: string) => ({ type: 'input_text', text: said });
  const created = (id: string) => ({ type: 'response.created', response: { id } });
  const done = (id: string, usage?: unknown, more = {}) => ({
    type: 'response.done',
    response: { id, usage, ...more },
  });

  it('charges the input of a response that was cut before its first event', () => {
    const { meter, client, ask } = meteredSession();
    client(item(text('two words')));
    ask();
    expect(meter.usage()).toMatchObject({ input: { total: 2 }, output: { total: 0 } });
    expect(meter).toMatchObject({ isWorking: true, isResponding: false });
    expect(meter.evidence()).toBe('counted');
    meter.dropAsked();
    expect(meter.evidence()).toBe('none');
  });

  it('charges nothing for a request that the vendor refused, unless it begins all the same', () => {
    const { meter, client, server } = meteredSession();
    client(item(text('two words')));
    client({ type: 'response.create', event_id: 'e1' });
    server({ type: 'error', error: { event_id: 'another' } });
    expect(meter.usage().input.total).toBe(2);
    server({ type: 'error', error: { event_id: 'e1' } });
    expect(meter.usage().input.total).toBe(0);
    server(created('a'));
    expect(meter.usage().input.total).toBe(2);
  });

  it('charges every answer to turns that were sent ahead, and none without a turn', () => {
    const { meter, client, server } = meteredSession();
    client({ type: 'input_audio_buffer.append', audio: sound(48_000 * 20) });
    for (const [id, endMs] of [
      ['a', 10_000],
      ['b', 20_000],
      ['c', 20_000],
    ] as const) {
      server({ type: 'input_audio_buffer.speech_stopped', audio_end_ms: endMs });
      server(created(id));
      server(done(id, report(300, 10)));
    }
    expect(meter.usage()).toMatchObject({ input: { total: 600 } });
    expect(meter).toMatchObject({ unasked: 2 });
  });

  it('takes no refused request for the reason of an answer to a turn', () => {
    const { meter, client, server } = meteredSession();
    client(item(text('two words')));
    client({ type: 'response.create', event_id: 'e1', response: { input: [], max_output_tokens: 1 } });
    server({ type: 'error', error: { event_id: 'e1' } });
    client({ type: 'input_audio_buffer.append', audio: sound(48_000) });
    server(created('a'));
    expect(meter.usage().input.total).toBe(2 + 28);
    expect(meter).toMatchObject({ unasked: 1 });
  });

  it('counts the new input of every response: items, images, audio and earlier answers', () => {
    const { meter, client, server, ask } = meteredSession();
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

  it('counts the images of a data address, not its characters', () => {
    const { meter, client, ask } = meteredSession();
    const image_url = `data:image/png;base64,${'A'.repeat(600_000)}`;
    client(item(...Array.from({ length: 10 }, () => ({ type: 'input_image', image_url }))));
    ask();
    expect(meter.usage().input).toMatchObject({ total: 7_650, image: 7_650 });
  });

  it('counts instructions, tools and items of a response in place of what the session has', () => {
    const { meter, client, ask } = meteredSession();
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

  it('charges unrequested responses by their received output', () => {
    const { meter, server } = meteredSession();
    server(created('a'));
    server({ type: 'response.output_text.delta', response_id: 'a', delta: 'one two' });
    server(done('a', report(16_000, 900)));
    expect(meter.usage()).toMatchObject({ input: { total: 0 }, output: { total: 2 } });
    expect(meter.bounded).toBe(1);
  });

  it('accepts one response of the vendor by itself for the audio that came since the last', () => {
    const { meter, client, server } = meteredSession();
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
    const { meter, client, server, ask } = meteredSession();
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
    expect(meter.evidence()).toBe('bounded');
  });

  it('accepts an input whose bytes the client sent, and all of a context when it names stored objects', () => {
    const { meter, client, respond } = meteredSession();
    client(item(text('x'.repeat(100_000))));
    respond(report(110_000, 1));
    expect(meter.bounded).toBe(0);
    client({ type: 'session.update', session: { prompt: { id: 'p' } } });
    respond(report(900_000, 1));
    expect(meter.bounded).toBe(0);
  });

  it('believes an output up to the cap that was sent, and reasoning up to the largest answer of the model', () => {
    const { meter, server, ask } = meteredSession();
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

  it('forecasts every open response with a whole answer, by the more expensive kind of output', () => {
    const { meter, client, server, ask } = meteredSession();
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
