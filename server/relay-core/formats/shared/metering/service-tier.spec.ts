import { describe, expect, it } from '@jest/globals';
import { scanObject } from '../../../framing/json-splice.js';
import { MessagesMeter } from '../../anthropic-messages/meter.js';
import { ConverseMeter } from '../../../providers/bedrock/converse/index.js';
import { GenerateMeter } from '../../gemini-generate/meter.js';
import { ChoicesMeter } from '../openai/openai-choices-meter.js';
import { ResponsesMeter } from '../../openai-responses/meter.js';
import type { ReplyMeter } from '../../contract/reply-meter.js';
import { requestedServiceTier, readServiceTier } from './reported-usage.js';

const whole = (meter: ReplyMeter, document: object) => {
  meter.readWhole(Buffer.from(JSON.stringify(document)));
  return meter.serviceTier;
};
const streamed = (meter: ReplyMeter, ...events: readonly object[]) => {
  for (const event of events) {
    const data = Buffer.from(JSON.stringify(event));
    meter.readEvent(data, 0, data.length, '');
  }
  return meter.serviceTier;
};

describe('the class of service an answer names', () => {
  it.each([
    ['priority', 'priority'],
    ['FLEX', 'flex'],
    ['ON_DEMAND_PRIORITY', 'priority'],
    ['ON_DEMAND', undefined],
    ['default', undefined],
    ['standard', undefined],
    ['auto', undefined],
    ['two words', undefined],
    ['', undefined],
    [7, undefined],
    [null, undefined],
  ])('%j is %s', (named, tier) => {
    expect(readServiceTier(named)).toBe(tier);
  });

  it('reads it from a chat completion and from the chunks of one', () => {
    const choices = [{ index: 0, message: { content: 'a' }, finish_reason: 'stop' }];
    expect(whole(new ChoicesMeter(), { choices, service_tier: 'priority' })).toBe('priority');
    expect(whole(new ChoicesMeter(), { choices, service_tier: 'default' })).toBeUndefined();
    const chunk = { choices: [{ index: 0, delta: { content: 'a' } }], service_tier: 'flex' };
    expect(streamed(new ChoicesMeter(), chunk, chunk)).toBe('flex');
  });

  it('reads it from a response and from the end of its stream', () => {
    const response = { status: 'completed', output: [], service_tier: 'flex' };
    expect(whole(new ResponsesMeter(), response)).toBe('flex');
    // The requested tier stands at the beginning, the served one at the end.
    const begun = { type: 'response.created', response: { ...response, service_tier: 'auto' } };
    expect(streamed(new ResponsesMeter(), begun, { type: 'response.completed', response })).toBe('flex');
  });

  it('reads it from the usage of a message, fast mode included', () => {
    const message = { type: 'message', content: [{ type: 'text', text: 'a' }], stop_reason: 'end_turn' };
    const used = { input_tokens: 1, output_tokens: 1 };
    expect(whole(new MessagesMeter(), { ...message, usage: { ...used, service_tier: 'priority' } })).toBe(
      'priority',
    );
    expect(
      whole(new MessagesMeter(), { ...message, usage: { ...used, service_tier: 'standard', speed: 'fast' } }),
    ).toBe('fast');
    expect(
      streamed(
        new MessagesMeter(),
        { type: 'message_start', message: { id: 'm', usage: { ...used, service_tier: 'batch' } } },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 3 } },
      ),
    ).toBe('batch');
  });

  it('reads it where Google and Amazon put it', () => {
    const answer = {
      candidates: [{ content: { parts: [{ text: 'a' }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, trafficType: 'ON_DEMAND_FLEX' },
    };
    const generate = new GenerateMeter();
    whole(generate, answer);
    expect([generate.usage?.input.total, generate.serviceTier]).toEqual([1, 'flex']);
    const converse = {
      output: { message: { content: [{ text: 'a' }] } },
      stopReason: 'end_turn',
      usage: { inputTokens: 1, outputTokens: 1 },
      serviceTier: { type: 'priority' },
    };
    expect(whole(new ConverseMeter(), converse)).toBe('priority');
  });
});

describe('the class of service a request asks for', () => {
  it.each([
    [{ service_tier: 'priority' }, { serviceTier: 'priority' }],
    [{ service_tier: 'auto' }, { serviceTier: 'auto' }],
    [{ service_tier: 'default' }, {}],
    [{ service_tier: { a: 1 } }, {}],
    [{}, {}],
  ])('%j', (body, asked) => {
    const document = scanObject(Buffer.from(JSON.stringify(body)));
    expect(typeof document === 'string' ? document : requestedServiceTier(document)).toEqual(asked);
  });
});
