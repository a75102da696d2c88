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
      route: aRoute(),
      receivedBytes: body.length,
      modelOutputCap: undefined,
      choices: asked,
    },
  });
}

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
