import { describe, expect, it } from '@jest/globals';
import { aRoute, someOptions } from '../../../../test/support/memory-ports.js';
import { aProviderCall } from '../../../../test/support/relay-calls.js';
import type { ChatRequest } from '../../model/chat.js';
import { adaptGemini } from './adapt.js';

const BASE = someOptions();
const SWITCHED_ON = {
  ...BASE.gemini,
  isThinkingAdapterOn: true,
  thinkingBudgetShare: 0.6,
  safetySettings: {},
};
const REQUEST: ChatRequest = {
  choices: 1,
  stream: false,
  wantsStreamUsage: false,
  messages: [{ role: 'user', content: [{ type: 'text', text: 'q' }] }],
};

function adapted(
  model: string,
  request: Partial<ChatRequest> = {},
  changes: object = {},
  clientFormat = 'gemini-generate',
) {
  const adaptation = adaptGemini(
    aProviderCall({
      route: aRoute({ upstreamModel: model }),
      options: { ...BASE, gemini: { ...SWITCHED_ON, ...changes } },
      clientFormat,
    }),
  );
  return (
    adaptation && {
      model: adaptation.upstreamModel,
      request: adaptation.change?.({ ...REQUEST, ...request }),
    }
  );
}

describe('endings of Gemini’s names', () => {
  it.each<[string, Partial<ChatRequest>, object]>([
    ['gemini-2.5-flash-thinking-128', {}, { budgetTokens: 128, summary: 'auto' }],
    ['gemini-2.5-flash-thinking-0', {}, { budgetTokens: 0, summary: 'auto' }],
    ['gemini-2.5-flash-nothinking', {}, { budgetTokens: 0 }],
    ['gemini-2.5-flash-low', {}, { effort: 'low', summary: 'auto' }],
    // All of 24,576, the share of an effort, and the share of a cap.
    ['gemini-2.5-flash-thinking', {}, { budgetTokens: 24_576, summary: 'auto' }],
    [
      'gemini-2.5-flash-thinking',
      { reasoning: { effort: 'medium' } },
      { budgetTokens: 12_288, summary: 'auto' },
    ],
    [
      'gemini-2.5-flash-thinking',
      { reasoning: { effort: 'valueOf' } },
      { budgetTokens: 24_576, summary: 'auto' },
    ],
    ['gemini-2.5-flash-thinking', { maxOutputTokens: 1_000 }, { budgetTokens: 600, summary: 'auto' }],
    ['gemini-2.5-flash-thinking', { maxOutputTokens: 0 }, { budgetTokens: 1, summary: 'auto' }],
    // The body wins.
    ['gemini-2.5-flash-thinking-128', { reasoning: { budgetTokens: 7 } }, { budgetTokens: 7 }],
    ['gemini-2.5-flash-thinking', { reasoning: { isDynamic: true } }, { isDynamic: true }],
    ['gemini-2.5-flash-nothinking', { reasoning: { effort: 'high' } }, { effort: 'high' }],
    ['gemini-2.5-flash-low', { reasoning: { summary: 'none' } }, { effort: 'low', summary: 'auto' }],
    ['gemini-2.5-flash-nothinking', { reasoning: { summary: 'none' } }, { budgetTokens: 0, summary: 'none' }],
  ])('makes of %s and %j %j', (model, request, reasoning) => {
    const made = adapted(model, request);
    expect(made?.model).toBe('gemini-2.5-flash');
    expect(made?.request?.reasoning).toEqual(reasoning);
  });

  it.each(['gemini-2.5-flash', 'gemini-2.5-flash-thinking-1234567', '-thinking', 'gemini-2.5-flash-xhigh'])(
    'takes %s for a name and nothing else',
    (model) => {
      expect(adapted(model)).toBeUndefined();
    },
  );

  it('leaves them to the vendor while the operator has them switched off', () => {
    expect(adapted('gemini-2.5-flash-thinking', {}, { isThinkingAdapterOn: false })).toBeUndefined();
  });
});

describe('callers of other grammars', () => {
  const foreign = (request: Partial<ChatRequest>, changes: object = {}, model = 'gemini-2.5-flash') =>
    adapted(model, request, changes, 'openai-chat')?.request;
  const optionsOf = (request: ChatRequest | undefined) => request?.vendorOptions?.['gemini-generate'];

  it('get the operator’s safety settings, its default for the rest, their own before both', () => {
    const thresholds = (request: ChatRequest | undefined) =>
      (optionsOf(request)?.['safetySettings'] as { threshold: string }[] | undefined)?.map(
        ({ threshold }) => threshold,
      );
    expect(thresholds(foreign({}))).toEqual(['OFF', 'OFF', 'OFF', 'OFF']);
    const safetySettings = { default: 'BLOCK_NONE', HARM_CATEGORY_HATE_SPEECH: 'BLOCK_LOW_AND_ABOVE' };
    expect(thresholds(foreign({}, { safetySettings }))).toEqual([
      'BLOCK_NONE',
      'BLOCK_LOW_AND_ABOVE',
      'BLOCK_NONE',
      'BLOCK_NONE',
    ]);
    const own = [{ category: 'x', threshold: 'y' }];
    const extras = { 'openai-chat': { extra_body: { google: { safety_settings: own } } } };
    expect(optionsOf(foreign({ vendorOptions: extras }))?.['safetySettings']).toEqual(own);
  });

  it('ask for pictures of models that make them', () => {
    const modalities = { generationConfig: { responseModalities: ['TEXT', 'IMAGE'] } };
    expect(optionsOf(foreign({}, {}, 'gemini-3-pro-image-preview'))).toMatchObject(modalities);
    expect(optionsOf(foreign({}, { imageModels: ['own-painter'] }, 'own-painter'))).toMatchObject(modalities);
    expect(optionsOf(foreign({}))).not.toHaveProperty('generationConfig');
  });

  it('keep members that Google lacks, and write the rest under Google’s names', () => {
    const request = foreign({
      vendorOptions: {
        'openai-chat': {
          seed_of_ours: 1,
          modalities: ['text', 'image', 7],
          logprobs: true,
          top_logprobs: 3,
          google: { cached_content: 'cachedContents/1' },
          extra_body: { google: { thinking_config: { thinking_budget: 99.9, include_thoughts: false } } },
        },
        other: { a: 1 },
      },
    });
    expect(request?.reasoning).toEqual({ budgetTokens: 99, summary: 'none' });
    expect(request?.vendorOptions).toMatchObject({ other: { a: 1 }, 'openai-chat': { seed_of_ours: 1 } });
    expect(optionsOf(request)).toMatchObject({
      cachedContent: 'cachedContents/1',
      generationConfig: { responseModalities: ['TEXT', 'IMAGE'], responseLogprobs: true, logprobs: 3 },
    });
  });

  it.each([
    [{ thinking_budget: -1 }, { isDynamic: true }],
    [{ thinking_level: 'HIGH' }, { effort: 'high' }],
    [{ thinking_budget: '5' }, {}],
    [{}, undefined],
    [null, undefined],
  ])('read %j as %j', (config, reasoning) => {
    const vendorOptions = { 'openai-chat': { extra_body: { google: { thinking_config: config } } } };
    expect(foreign({ vendorOptions } as Partial<ChatRequest>)?.reasoning).toEqual(reasoning);
  });
});
