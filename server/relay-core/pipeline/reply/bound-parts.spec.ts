import { describe, expect, it } from '@jest/globals';
import { aRoute } from '../../../../test/support/memory-ports.js';
import { someRequestFacts } from '../../../../test/support/relay-calls.js';
import { ProducedText } from '../../formats/contract/produced-text.js';
import type { Usage } from '../../model/usage.js';
import { boundParts } from './bound-usage.js';
import type { RequestFacts } from './bound-usage.js';

const HI = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] };
const shape = { model: 'm', promptTokens: 5 };

const asked = (body: object, more: Partial<RequestFacts> = {}): RequestFacts =>
  someRequestFacts({ requestBody: Buffer.from(JSON.stringify(body)), shape, ...more });
const answer = (hasUnread = false, sound = 0) => {
  const produced = new ProducedText();
  produced.setAudioTokens(sound);
  return { produced, hasUnread, toolUses: undefined };
};
const report = (changes: Partial<Usage>): Usage => ({
  input: { total: 16_000 },
  output: { total: 1_000 },
  ...changes,
});

describe('boundParts', () => {
  it('returns the same report where it has no dear parts', () => {
    const usage = report({});
    expect(boundParts(usage, answer(), asked(HI)).usage).toBe(usage);
  });

  it.each(['audio', 'image'])('counts %s input as text where the request is text [UP-01]', (kind) => {
    const usage = report({ input: { total: 16_000, [kind]: 16_000, cacheRead: 5 } });
    expect(boundParts(usage, answer(), asked(HI))).toEqual({
      usage: report({ input: { total: 16_000, cacheRead: 5 } }),
      excess: ['sound or images'],
    });
  });

  const sound = report({ input: { total: 16_000, audio: 16_000 } });
  it.each<[string, RequestFacts]>([
    [
      'holds sound',
      asked({ ...HI, messages: [{ role: 'user', content: [{ type: 'input_audio', input_audio: {} }] }] }),
    ],
    ['goes on with what the vendor keeps', asked({ ...HI, previous_response_id: 'resp_1' })],
    ['is a form', someRequestFacts({ requestBody: Buffer.from('--x\r\n'), shape })],
    ['is changed by the channel', asked(HI, { route: { ...aRoute(), paramOverride: {} } })],
  ])('believes sound of a request that %s', (_what, request) => {
    expect(boundParts(sound, answer(), request).usage).toBe(sound);
  });

  it('counts output as text where no sound was asked for or came [UP-01]', () => {
    const usage = report({ output: { total: 2_000, audio: 1_001, reasoning: 3 } });
    const { usage: believed } = boundParts(usage, answer(true), asked(HI));
    expect(believed.output).toEqual({ total: 2_000, reasoning: 3 });
    expect(boundParts(usage, answer(false, 7), asked(HI)).usage).toBe(usage);
    expect(boundParts(usage, answer(), asked({ ...HI, modalities: ['audio'] })).usage).toBe(usage);
  });

  it('believes up to 1,000 tokens of each kind without a reason', () => {
    const usage = report({ input: { total: 16_000, audio: 1_000 }, output: { total: 2_000, audio: 1_000 } });
    expect(boundParts(usage, answer(), asked(HI)).usage).toBe(usage);
  });

  it('believes images in members that are not counted, and no others', () => {
    const usage = report({ output: { total: 2_000, image: 1_001 } });
    expect(boundParts(usage, answer(true), asked(HI)).usage).toBe(usage);
    expect(boundParts(usage, answer(), asked(HI)).usage.output).toEqual({ total: 2_000 });
  });

  const searches = (uses: number) => report({ tools: { 'web-search': uses } });

  it('drops uses of a tool that the vendor was not given [UP-01]', () => {
    const { usage, excess } = boundParts(searches(128), answer(), asked(HI));
    expect(usage).toEqual(report({}));
    expect(excess).toEqual(['uses of tools']);
  });

  it('drops uses of one known tool beside another', () => {
    const request = asked(
      { ...HI, tools: [{ type: 'file_search', vector_store_ids: ['vs'] }] },
      { shape: { ...shape, vendorTools: [{ name: 'file-search' }] } },
    );
    const tools = { 'file-search': 3, 'image-generation': 128 };
    expect(boundParts(report({ tools }), answer(), request).usage.tools).toEqual({ 'file-search': 3 });
  });

  it.each<[string, RequestFacts]>([
    ['the request names', asked(HI, { shape: { ...shape, vendorTools: [{ name: 'web-search' }] } })],
    ['a tool of an unknown kind may be', asked({ ...HI, tools: [{ type: 'browser' }] })],
    ['an unknown member may ask for', asked({ ...HI, plugins: [{ id: 'web' }] })],
    ['the model always makes', asked(HI, { shape: { ...shape, model: 'sonar-pro' } })],
  ])('believes uses of a tool that %s', (_what, request) => {
    const usage = searches(128);
    expect(boundParts(usage, answer(), request).usage).toBe(usage);
  });

  it('charges the limit of the request where more than twice as many and two are reported [UP-01]', () => {
    const request = asked(HI, { shape: { ...shape, vendorTools: [{ name: 'web-search', mostUses: 1 }] } });
    expect(boundParts(searches(4), answer(), request).usage.tools).toEqual({ 'web-search': 4 });
    expect(boundParts(searches(5), answer(), request).usage.tools).toEqual({ 'web-search': 1 });
  });
});
