import { describe, expect, it } from '@jest/globals';
import { MemoryPorts } from '../../../../../test/support/memory-ports.js';
import { aProviderCall, someRequestFacts } from '../../../../../test/support/relay-calls.js';
import { measureReply } from '../../../pipeline/reply/measure-reply.js';
import { GenerateMeter } from '../../gemini-generate/meter.js';
import { ChoicesMeter } from '../openai/openai-choices-meter.js';
import type { ReplyMeter } from '../../contract/reply-meter.js';

/** A second of raw sound in base64. */
const SECOND = Buffer.alloc(48_000).toString('base64');
const PICTURE = Buffer.alloc(3_000).toString('base64');
/** A minute of audio counts as 1,000 tokens. */
const A_SECOND_OF_TOKENS = 17;

interface Api {
  readonly meter: () => ReplyMeter;
  sound(base64: string): object;
  picture(base64: string): object;
}
const part = (value: object): object => ({ candidates: [{ content: { parts: [value] } }] });
const delta = (value: object): object => ({ choices: [{ index: 0, delta: value }] });

const APIS: Readonly<Record<string, Api>> = {
  'openai-chat': {
    meter: () => new ChoicesMeter(),
    sound: (data) => delta({ audio: { id: 'a', data } }),
    picture: (data) => delta({ images: [{ image_url: { url: `data:image/png;base64,${data}` } }] }),
  },
  'gemini-generate': {
    meter: () => new GenerateMeter(),
    sound: (data) => part({ inlineData: { mimeType: 'audio/L16;rate=24000', data } }),
    picture: (data) => part({ inlineData: { mimeType: 'image/png', data } }),
  },
};

function charged(meter: ReplyMeter, outcome: 'ok' | 'client_abort') {
  return measureReply(new MemoryPorts().counter, {
    meter,
    shape: { ...aProviderCall().shape, promptTokens: 5 },
    model: 'm',
    outcome,
    request: someRequestFacts(),
  });
}

function afterEvents(api: Api, ...events: readonly object[]): ReplyMeter {
  const meter = api.meter();
  for (const event of events) {
    const bytes = Buffer.from(JSON.stringify(event));
    meter.readEvent(bytes, 0, bytes.length, '');
  }
  return meter;
}

describe.each(Object.entries(APIS))('what came before the client left: %s', (_name, api) => {
  it('sound is charged by its length, however it was cut', async () => {
    const whole = await charged(afterEvents(api, api.sound(SECOND), api.sound(SECOND)), 'client_abort');
    expect(whole.usage.output).toEqual({ total: 34, audio: 34 });
    const pieces = SECOND.match(/.{1,4099}/g) ?? [];
    const cut = await charged(afterEvents(api, ...pieces.map((piece) => api.sound(piece))), 'client_abort');
    expect(cut.usage.output).toEqual({ total: A_SECOND_OF_TOKENS, audio: A_SECOND_OF_TOKENS });
  });

  it('every picture is charged', async () => {
    const { usage } = await charged(
      afterEvents(api, api.picture(PICTURE), api.picture(PICTURE)),
      'client_abort',
    );
    expect(usage.output).toEqual({ total: 2_580, image: 2_580 });
  });

  it('grows the hold by both at once, and once each', () => {
    const meter = afterEvents(api, api.picture(PICTURE), api.sound(SECOND));
    expect(meter.produced.uncounted).toBeGreaterThanOrEqual(1_290 + A_SECOND_OF_TOKENS);
    expect(meter.produced.running(() => 0)).toBe(1_290 + A_SECOND_OF_TOKENS);
    expect(meter.produced.uncounted).toBe(0);
  });
});

describe('a whole answer', () => {
  it('charges one without a report for its sound', async () => {
    const header = Buffer.alloc(44);
    header.write('RIFF', 0, 'latin1');
    header.write('WAVEfmt ', 8, 'latin1');
    header.writeUInt32LE(16, 16);
    header.writeUInt16LE(1, 20);
    header.writeUInt16LE(1, 22);
    header.writeUInt32LE(24_000, 24);
    header.writeUInt32LE(48_000, 28);
    header.write('data', 36, 'latin1');
    const data = Buffer.concat([header, Buffer.alloc(48_000 * 6)]).toString('base64');
    const meter = new ChoicesMeter();
    const message = { role: 'assistant', content: null, audio: { id: 'a', data, transcript: '' } };
    meter.readWhole(Buffer.from(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }] })));
    expect((await charged(meter, 'ok')).usage.output).toEqual({ total: 100, audio: 100 });
  });

  it('charges one with a picture that was reported as nothing for the picture', async () => {
    const meter = new ChoicesMeter();
    const message = { role: 'assistant', images: [{ image_url: { url: 'data:,' } }] };
    const usage = { prompt_tokens: 5, completion_tokens: 0 };
    meter.readWhole(Buffer.from(JSON.stringify({ choices: [{ message, finish_reason: 'stop' }], usage })));
    expect((await charged(meter, 'ok')).usage.output).toEqual({ total: 1_290, image: 1_290 });
  });
});

describe('thoughts', () => {
  it.each(['reasoning_content', 'reasoning', 'thinking', 'thoughts', 'thought', 'reasoning_text'])(
    'called %s are counted, once where they have several names',
    (name) => {
      const chat = APIS['openai-chat'] as Api;
      const meter = afterEvents(chat, delta({ [name]: 'twelve bytes' }));
      expect(meter.produced.totalBytes).toBe(12);
      const twice = afterEvents(chat, delta({ reasoning_content: 'twelve bytes', [name]: 'twelve bytes' }));
      expect(twice.produced.totalBytes).toBe(12);
    },
  );
});
