import { describe, expect, it } from '@jest/globals';
import { aRoute, MemoryPorts } from '../../../test/support/memory-ports.js';
import { aProviderCall, parsedBy } from '../../../test/support/relay-calls.js';
import { openaiImages } from '../wire/openai-images/index.js';
import { measureReply } from './measure-reply.js';

/** A reply with so many pictures to a call that asked for `asked`. */
async function measured(made: number, asked: number) {
  const call = parsedBy(openaiImages, { model: 'dall-e-2', prompt: 'a cat', n: asked });
  const meter = openaiImages.openMeter(call);
  const data = Array.from({ length: made }, (_, index) => ({ url: `https://pictures.example/${index}` }));
  const body = Buffer.from(JSON.stringify({ created: 1, data }));
  meter.readWhole(body);
  return measureReply(new MemoryPorts().counter, {
    meter,
    shape: { ...aProviderCall().shape, ...call.shape },
    model: 'dall-e-2',
    outcome: 'ok',
    traffic: {
      requestBody: call.document.bytes,
      promptTokens: call.shape.promptTokens,
      readsMore: false,
      route: aRoute(),
      receivedBytes: body.length,
      modelOutputCap: undefined,
      choices: asked,
    },
  });
}

describe('a stream of pictures that was cut', () => {
  const cutAfter = async (...events: readonly object[]) => {
    const call = parsedBy(openaiImages, { model: 'gpt-image-1', prompt: 'a cat', stream: true });
    const meter = openaiImages.openMeter(call);
    let receivedBytes = 0;
    for (const event of events) {
      const bytes = Buffer.from(JSON.stringify(event));
      receivedBytes += bytes.length;
      meter.readEvent(bytes, 0, bytes.length, '');
    }
    return measureReply(new MemoryPorts().counter, {
      ...{ meter, shape: { ...aProviderCall().shape, ...call.shape }, model: 'm', outcome: 'partial' },
      traffic: {
        ...{ requestBody: call.document.bytes, route: aRoute(), receivedBytes },
        ...{ promptTokens: call.shape.promptTokens, readsMore: false },
        ...{ modelOutputCap: undefined, choices: 1 },
      },
    });
  };
  const partial = { type: 'image_generation.partial_image', b64_json: 'AAAA', partial_image_index: 0 };
  const whole = { type: 'image_generation.completed', b64_json: 'AAAA' };

  it('after a partial one says that it is charged as a whole one, and why', async () => {
    const cut = await cutAfter(partial);
    const made = await cutAfter(partial, whole);
    expect(cut.note).toMatch(/partial picture, which is charged as a whole one/);
    expect(cut.usage.output.total).toBe(made.usage.output.total);
    expect(cut.evidence).toBe('counted');
    expect(made.note).not.toMatch(/partial/);
  });
});

describe('UP-01: pictures', () => {
  it('are paid for as they came', async () => {
    const one = await measured(1, 2);
    const two = await measured(2, 2);
    expect(one.usage.units).toBe(1);
    expect(two.usage.units).toBe(2);
    expect(two.usage.output.total).toBe(2 * (one.usage.output.total ?? 0));
  });

  it('nobody asked for are not', async () => {
    const asked = await measured(2, 2);
    const flood = await measured(5_000, 2);
    expect(flood.usage).toEqual(asked.usage);
  });
});
