import { describe, expect, it } from '@jest/globals';
import type { ChatRequest } from '../../model/chat.js';
import { clampBudget } from './thinking.js';
import { back, writtenOf } from '../../../../test/support/fixtures/gemini-requests.fixture.js';

const ask = (changes: Partial<ChatRequest> = {}): ChatRequest => ({
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
  choices: 1,
  stream: false,
  wantsStreamUsage: false,
  ...changes,
});

describe('from other formats', () => {
  it('drops thoughts that are not signed, and signs calls of newer models', () => {
    const messages: ChatRequest['messages'] = [
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm', signature: { by: 'anthropic', data: 's' } },
          { type: 'tool-call', callId: 'toolu_1', name: 'f', json: 'not json' },
          { type: 'tool-call', callId: 'toolu_2', name: 'g', json: '' },
        ],
      },
      { role: 'tool', callId: 'toolu_2', content: [{ type: 'text', text: 'no' }], isError: true },
    ];
    const { body } = writtenOf(ask({ messages }), { upstreamModel: 'gemini-3-pro-preview' });
    expect((body['contents'] as unknown[]).slice(1)).toEqual([
      {
        role: 'model',
        parts: [
          {
            functionCall: { id: 'toolu_1', name: 'f', args: {} },
            thoughtSignature: 'context_engineering_is_the_way_to_go',
          },
          { functionCall: { id: 'toolu_2', name: 'g', args: {} } },
        ],
      },
      {
        role: 'user',
        parts: [
          {
            functionResponse: {
              id: 'toolu_1',
              name: 'f',
              response: { error: 'The tool gave no result.' },
            },
          },
          { functionResponse: { id: 'toolu_2', name: 'g', response: { error: 'no' } } },
        ],
      },
    ]);
  });

  it.each([
    ['{"properties":{"a":{"$ref":"#/$defs/A"}}}', { content: '{"properties":{"a":{"$ref":"#/$defs/A"}}}' }],
    ['[{"$ref":"x"}]', { content: '[{"$ref":"x"}]' }],
    ['{"ref":"#/$defs/A"}', { ref: '#/$defs/A' }],
  ])('writes the result %s, where a reference would be that of an image, as text', (text, response) => {
    const { body } = writtenOf(
      ask({
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'x' }] },
          { role: 'assistant', content: [{ type: 'tool-call', callId: 'c', name: 'f', json: '{}' }] },
          { role: 'tool', callId: 'c', content: [{ type: 'text', text }] },
        ],
      }),
    );
    expect(body['contents']).toMatchObject([{}, {}, { parts: [{ functionResponse: { response } }] }]);
  });

  it('takes pictures in markdown back as pictures', () => {
    const text = 'See ![cat](data:image/png;base64,aGk=) here';
    const { body } = writtenOf(ask({ messages: [{ role: 'user', content: [{ type: 'text', text }] }] }));
    expect(body['contents']).toEqual([
      {
        role: 'user',
        parts: [{ text: 'See ' }, { inlineData: { mimeType: 'image/png', data: 'aGk=' } }, { text: ' here' }],
      },
    ]);
  });

  it('warns about what it cannot carry', () => {
    const { body, warnings } = writtenOf(
      ask({
        stop: ['a', 'b', 'c', 'd', 'e', 'f'],
        parallelToolCalls: false,
        user: 'u',
        tools: [{ type: 'function', name: 'f' }, { type: 'web-search' }],
        vendorOptions: { 'openai-chat': { logit_bias: {} } },
      }),
    );
    expect(warnings.map(({ setting }) => setting).sort()).toEqual([
      'logit_bias',
      'parallel_tool_calls',
      'stop',
      'tools',
      'user',
    ]);
    expect(body).toMatchObject({ generationConfig: { stopSequences: ['a', 'b', 'c', 'd', 'e'] } });
    expect(body['tools']).toEqual([{ functionDeclarations: [{ name: 'f' }] }]);
  });

  it('newer models take functions and searches together', () => {
    const { body } = writtenOf(ask({ tools: [{ type: 'function', name: 'f' }, { type: 'web-search' }] }), {
      upstreamModel: 'gemini-3-flash-preview',
    });
    expect(body).toMatchObject({
      tools: [{ functionDeclarations: [{ name: 'f' }] }, { googleSearch: {} }],
      toolConfig: { includeServerSideToolInvocations: true, functionCallingConfig: { mode: 'VALIDATED' } },
    });
  });

  it('refuses a conversation without a turn; how many pictures are taken is left to the vendor', () => {
    const system = ask({ messages: [{ role: 'system', content: [{ type: 'text', text: 'S' }] }] });
    expect(back.refuseRequest?.(system)).toMatchObject({ kind: 'invalid-request' });
    expect(back.refuseRequest?.(ask())).toBeUndefined();
    const picture = {
      type: 'image',
      source: { kind: 'base64', base64: 'aGk=', mediaType: undefined },
    } as const;
    const messages = [{ role: 'user' as const, content: Array.from({ length: 17 }, () => picture) }];
    expect(back.refuseRequest?.(ask({ messages }))).toBeUndefined();
    const written = JSON.stringify(writtenOf(ask({ messages })).body);
    expect(written.match(/inlineData/g)).toHaveLength(17);
  });

  it.each([
    ['gemini-2.5-flash', { effort: 'high' }, { thinkingBudget: 14_745, includeThoughts: true }],
    ['gemini-2.5-flash', { effort: 'none' }, { thinkingBudget: 0, includeThoughts: false }],
    ['gemini-2.5-pro', { budgetTokens: 0 }, { thinkingBudget: 128, includeThoughts: false }],
    [
      'gemini-2.5-pro',
      { budgetTokens: 99_999, summary: 'none' as const },
      { thinkingBudget: 32_768, includeThoughts: false },
    ],
    ['gemini-2.5-flash-lite', { budgetTokens: 10 }, { thinkingBudget: 512, includeThoughts: true }],
    ['gemini-2.5-flash', { isDynamic: true }, { thinkingBudget: -1, includeThoughts: true }],
    ['gemini-3-flash-preview', { effort: 'minimal' }, { thinkingLevel: 'minimal', includeThoughts: true }],
    ['gemini-3-pro-preview', { effort: 'medium' }, { thinkingLevel: 'high', includeThoughts: true }],
    ['gemini-3.1-pro-preview', { effort: 'medium' }, { thinkingLevel: 'medium', includeThoughts: true }],
    ['gemini-3-pro-preview', { effort: 'none' }, { thinkingLevel: 'low', includeThoughts: false }],
    ['gemini-2.0-flash', { effort: 'high' }, undefined],
  ])('%s asked for %j thinks %j', (upstreamModel, reasoning, thinkingConfig) => {
    const { body } = writtenOf(ask({ reasoning }), { upstreamModel });
    expect((body['generationConfig'] as Record<string, unknown> | undefined)?.['thinkingConfig']).toEqual(
      thinkingConfig,
    );
  });

  it('keeps budgets in the model’s range', () => {
    expect(clampBudget('gemini-2.5-pro', 1)).toBe(128);
    expect(clampBudget('gemini-2.5-flash', 1e6)).toBe(24_576);
    expect(clampBudget('gemini-2.5-flash', -1)).toBe(-1);
  });

  it('asks newer models by JSON schema, older ones by their own', () => {
    const responseFormat = {
      type: 'json-schema',
      name: 'a',
      schema: {
        $schema: 'x',
        type: 'object',
        properties: { a: { const: 'b' } },
        additionalProperties: false,
      },
    } as const;
    expect(writtenOf(ask({ responseFormat })).body).toMatchObject({
      generationConfig: {
        responseJsonSchema: {
          type: 'object',
          properties: { a: { const: 'b' } },
          additionalProperties: false,
        },
      },
    });
    expect(writtenOf(ask({ responseFormat }), { upstreamModel: 'gemini-2.0-flash' }).body).toMatchObject({
      generationConfig: {
        responseSchema: { type: 'OBJECT', properties: { a: { type: 'STRING', enum: ['b'] } } },
      },
    });
  });
});
