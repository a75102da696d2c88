import { describe, expect, it } from '@jest/globals';
import { MemoryPorts } from '../../../../test/support/memory-ports.js';
import { aProviderCall, parsedBy, someRequestFacts } from '../../../../test/support/relay-calls.js';
import type { Operation } from '../../model/operation.js';
import { titanEmbed } from '../../providers/bedrock/embed.js';
import { cohereEmbed } from '../../providers/cohere/embed.js';
import { jinaEmbed } from '../../providers/jina/embed.js';
import { ollamaEmbed } from '../../providers/ollama/embed.js';
import { anthropicMessages } from '../../formats/anthropic-messages/index.js';
import { openaiChat } from '../../formats/openai-chat/index.js';
import { openaiEmbeddings } from '../../formats/openai-embeddings/index.js';
import { openaiImages } from '../../formats/openai-images/index.js';
import { openaiModeration } from '../../formats/openai-moderation/index.js';
import { readUsage } from '../../formats/shared/openai/openai-usage.js';
import { aliRerank, cohereRerank, rerank, siliconflowRerank } from '../../formats/rerank/index.js';
import type { UpstreamFormat, ClientFormat } from '../../formats/contract/api-format.js';
import { measureReply } from './measure-reply.js';

/** A reply with so many images to a call that asked for `asked`. */
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
    request: someRequestFacts({
      requestBody: call.document.bytes,
      shape: call.shape,
      worstCase: { outputCap: undefined, modelOutputCap: undefined, choices: asked },
    }),
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
      meter,
      shape: { ...aProviderCall().shape, ...call.shape },
      model: 'm',
      outcome: 'partial',
      request: someRequestFacts({
        requestBody: call.document.bytes,
        shape: call.shape,
      }),
    });
  };
  const partial = { type: 'image_generation.partial_image', b64_json: 'AAAA', partial_image_index: 0 };
  const whole = { type: 'image_generation.completed', b64_json: 'AAAA' };

  it('records that a partial one is charged as a whole one, and why', async () => {
    const cut = await cutAfter(partial);
    const made = await cutAfter(partial, whole);
    expect(cut.note).toMatch(/partial picture, which is charged as a whole one/);
    expect(cut.usage.output.total).toBe(made.usage.output.total);
    expect(cut.evidence).toBe('counted');
    expect(made.note).not.toMatch(/partial/);
  });
});

describe('pictures [UP-01]', () => {
  it('charges them as they came', async () => {
    const one = await measured(1, 2);
    const two = await measured(2, 2);
    expect(one.usage.units).toBe(1);
    expect(two.usage.units).toBe(2);
    expect(two.usage.output.total).toBe(2 * (one.usage.output.total ?? 0));
  });

  it('charges none that the call did not request', async () => {
    const asked = await measured(2, 2);
    const flood = await measured(5_000, 2);
    expect(flood.usage).toEqual(asked.usage);
  });
});

describe('uses of tools', () => {
  async function searched(web_search_requests: number) {
    const call = parsedBy(openaiChat, { model: 'm', messages: [{ role: 'user', content: 'hi' }] });
    const meter = anthropicMessages.openMeter(call);
    const usage = { input_tokens: 5, output_tokens: 1, server_tool_use: { web_search_requests } };
    const content = [{ type: 'text', text: 'a' }];
    meter.readWhole(
      Buffer.from(JSON.stringify({ type: 'message', content, stop_reason: 'end_turn', usage })),
    );
    return measureReply(new MemoryPorts().counter, {
      meter,
      shape: { ...aProviderCall().shape, ...call.shape },
      model: 'm',
      outcome: 'ok',
      request: someRequestFacts({
        shape: { ...call.shape, vendorTools: [{ name: 'web-search' }] },
      }),
    });
  }

  it('charges uses of a tool as reported up to a thousand', async () => {
    expect(await searched(1_000)).toMatchObject({
      evidence: 'reported',
      usage: { tools: { 'web-search': 1_000 } },
    });
  });

  it('charges uses of a tool above a thousand as they came', async () => {
    expect(await searched(1_000_000)).toMatchObject({
      evidence: 'bounded',
      usage: { input: { total: 5 }, output: { total: 1 }, tools: { 'web-search': 1 } },
      note: 'the upstream reported more uses of tools than the request allows',
    });
  });
});

describe('a report of zero beside an answer', () => {
  const texts = ['one', 'two'];
  const asks = {
    embed: { model: 'm', input: texts },
    rerank: { model: 'm', query: 'which', documents: texts },
    moderate: { model: 'm', input: texts },
  };
  const vectors = { data: [{ index: 0, embedding: [0.1] }] };
  const ranks = { results: [{ index: 0, relevance_score: 1 }] };
  const zeros = { prompt_tokens: 0, input_tokens: 0, total_tokens: 0 };

  function settle<O extends Operation>(
    front: ClientFormat<O>,
    back: UpstreamFormat<O>,
    asked: unknown,
    reply: unknown,
  ) {
    const call = parsedBy(front, asked);
    const meter = back.openMeter(call);
    const body = Buffer.from(JSON.stringify(reply));
    expect(meter.readWhole(body)).toBe('answer');
    return measureReply(new MemoryPorts().counter, {
      meter,
      shape: { ...aProviderCall().shape, ...call.shape },
      model: 'm',
      outcome: 'ok',
      request: someRequestFacts({
        requestBody: call.document.bytes,
        shape: call.shape,
      }),
    });
  }
  const embeds = (back: UpstreamFormat<'embed'>, reply: unknown) =>
    settle(openaiEmbeddings, back, asks.embed, reply);
  const ranked = (back: UpstreamFormat<'rerank'>, reply: unknown) => settle(rerank, back, asks.rerank, reply);

  it.each([
    ['vectors', () => embeds(openaiEmbeddings, { ...vectors, usage: zeros })],
    ['vectors of Jina', () => embeds(jinaEmbed, { ...vectors, usage: zeros })],
    [
      'vectors of Cohere',
      () =>
        embeds(cohereEmbed, { embeddings: { float: [[0.1]] }, meta: { billed_units: { input_tokens: 0 } } }),
    ],
    ['vectors of Ollama', () => embeds(ollamaEmbed, { embeddings: [[0.1]], prompt_eval_count: 0 })],
    ['vectors of Titan', () => embeds(titanEmbed, { embedding: [0.1], inputTextTokenCount: 0 })],
    ['a ranking', () => ranked(rerank, { ...ranks, usage: zeros })],
    ['a ranking of SiliconFlow', () => ranked(siliconflowRerank, { ...ranks, meta: { tokens: zeros } })],
    ['a ranking of Cohere', () => ranked(cohereRerank, { ...ranks, meta: { billed_units: zeros } })],
    ['a ranking of Ali', () => ranked(aliRerank, { output: ranks, usage: zeros })],
    [
      'a judgement',
      () => settle(openaiModeration, openaiModeration, asks.moderate, { results: [{}], usage: zeros }),
    ],
  ])('counts as none: charges %s as asked', async (_what, settled) => {
    const { usage, evidence } = await settled();
    expect(usage.input.total).toBeGreaterThan(1);
    expect(evidence).toBe('counted');
  });

  it('prefers a figure in the words of another API to it', async () => {
    const usage = { prompt_tokens: 0, total_tokens: 9 };
    expect(await embeds(openaiEmbeddings, { ...vectors, usage })).toMatchObject({
      usage: { input: { total: 9 } },
      evidence: 'reported',
    });
    expect(await ranked(rerank, { ...ranks, usage })).toMatchObject({ usage: { input: { total: 9 } } });
    expect(readUsage({ prompt_tokens: 0, completion_tokens: 0, input_tokens: 7, output_tokens: 8 })).toEqual({
      input: { total: 7 },
      output: { total: 8 },
    });
  });

  it.each([0, 1, 127])('reads %d tokens for two pictures as none either', async (output) => {
    const usage = { input_tokens: 5, output_tokens: output, total_tokens: 5 + output };
    const reply = { data: [{ b64_json: 'QUJD' }, { b64_json: 'QUJD' }], usage };
    const asked = { model: 'gpt-image-1', prompt: 'a cat', n: 2 };
    const { usage: charged, evidence } = await settle(openaiImages, openaiImages, asked, reply);
    expect(charged.output.total).toBeGreaterThan(500);
    expect(evidence).toBe('counted');
  });
});
