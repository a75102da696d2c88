import { carryProof } from '../shared/fields/carried-proof.js';
import { describe, expect, it } from '@jest/globals';
import type { ChatRequest } from '../../model/chat.js';
import type { ParsedCall, RequestEdits } from '../contract/api-format.js';
import { cleanSchema } from './clean-schema.js';
import { geminiGenerate, geminiGenerateBack, geminiGenerateStream } from './index.js';
import { openSchema } from './open-schema.js';
import { clampBudget } from './thinking.js';

const edits = (changes: Partial<RequestEdits> = {}): RequestEdits => ({
  upstreamModel: 'gemini-2.5-flash',
  reportUsage: false,
  dropStreamOptions: false,
  outputCap: undefined,
  usesCompletionCap: false,
  refusedMembers: [],
  ...changes,
});
const target = (pathModel = 'gemini-2.5-flash', query = '') => ({ pathModel, query, headers: {} });
const parse = (body: unknown, query?: string) =>
  geminiGenerateStream.parseCall(
    Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    target(undefined, query),
  );

function parsed(body: unknown): ParsedCall<'chat'> {
  const call = geminiGenerate.parseCall(Buffer.from(JSON.stringify(body)), target());
  if (!call.ok) throw new Error(call.error.message);
  return call.value;
}

function neutralOf(body: unknown): ChatRequest {
  const request = parsed(body).neutral();
  if (!request.ok) throw new Error(request.error.message);
  return request.value;
}

const back = geminiGenerateBack();
const writtenOf = (request: ChatRequest, changes: Partial<RequestEdits> = {}) => {
  const { body, warnings } = back.writeRequest(request, edits(changes));
  return { body: JSON.parse(body.toString()) as Record<string, unknown>, warnings };
};
const ask = (changes: Partial<ChatRequest> = {}): ChatRequest => ({
  model: 'm',
  messages: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
  choices: 1,
  stream: false,
  wantsStreamUsage: false,
  ...changes,
});
const hi = [{ role: 'user', parts: [{ text: 'Hi' }] }];

describe('parsing', () => {
  it.each([
    ['no body', ''],
    ['no contents', {}],
    ['empty contents', { contents: [] }],
    ['contents that are text', { contents: 'Hi' }],
    ['a cap of zero', { contents: hi, generationConfig: { maxOutputTokens: 0 } }],
    ['a fractional cap', { contents: hi, generationConfig: { max_output_tokens: 1.5 } }],
    ['a cap beyond all reason', { contents: hi, generationConfig: { maxOutputTokens: 2 ** 40 } }],
    ['too many candidates', { contents: hi, generationConfig: { candidateCount: 1_000 } }],
    [
      'a setting in two spellings (RLY-03)',
      { contents: hi, generationConfig: { maxOutputTokens: 1, max_output_tokens: 9 } },
    ],
    ['a member in two spellings (RLY-03)', { contents: hi, generationConfig: {}, generation_config: {} }],
    ['another model in the body (RLY-03)', { contents: hi, model: 'models/other' }],
  ])('refuses %s', (_name, body) => {
    expect(parse(body)).toMatchObject({ ok: false, error: { kind: 'invalid-request' } });
  });

  it('takes cap and candidates from either spelling, and the model from the address', () => {
    const call = parse({
      contents: hi,
      generation_config: { max_output_tokens: 7, candidate_count: 2 },
      model: 'models/gemini-2.5-flash',
    });
    expect(call).toMatchObject({
      ok: true,
      value: { shape: { model: 'gemini-2.5-flash', outputCap: 7, choices: 2, stream: true } },
    });
  });

  it('streams events where asked, else an array', () => {
    expect(parse({ contents: hi }, 'alt=sse')).toMatchObject({
      value: { shape: { wantsStreamUsage: true } },
    });
    expect(parse({ contents: hi }, 'alt=json&x=1')).toMatchObject({
      value: { shape: { streamForm: 'json-array' } },
    });
  });

  it('estimates words, not signatures or files', () => {
    const parts = [
      { text: 'Hi', thoughtSignature: 'A'.repeat(4_000) },
      { inlineData: { mimeType: 'image/png', data: 'A'.repeat(40_000) } },
    ];
    const { promptTokens } = parsed({ contents: [{ role: 'user', parts }] }).shape;
    expect(promptTokens).toBeLessThan(400);
  });
});

describe('splicing', () => {
  const splice = (body: unknown, changes: Partial<RequestEdits> = {}, keepsCallIds = true): unknown =>
    JSON.parse(
      geminiGenerateBack({ keepsCallIds, addsSignatures: false })
        .spliceRequest(parsed(body), edits(changes))
        .toString(),
    );

  it('passes bytes untouched', () => {
    const call = parsed({ contents: hi, labels: { a: 'b' } });
    expect(back.spliceRequest(call, edits())).toBe(call.document.bytes);
  });

  it('takes out what would make the call dearer, and lowers the cap (RLY-04)', () => {
    expect(
      splice(
        { contents: hi, serviceTier: 'priority', generationConfig: { temperature: 0, max_output_tokens: 9 } },
        { outputCap: 5 },
      ),
    ).toEqual({
      contents: hi,
      generationConfig: { temperature: 0, maxOutputTokens: 5 },
    });
  });

  it('gives the first turn its role, and a video’s page its type', () => {
    expect(
      splice({ contents: [{ parts: [{ text: 'x' }, { fileData: { fileUri: 'https://youtu.be/abc' } }] }] }),
    ).toEqual({
      contents: [
        {
          role: 'user',
          parts: [{ text: 'x' }, { fileData: { fileUri: 'https://youtu.be/abc', mimeType: 'video/webm' } }],
        },
      ],
    });
  });

  it('reads a part without members as the empty text that the package for Go makes of one', () => {
    const contents = [{ role: 'model', parts: [{ text: 'a' }, {}] }];
    expect(neutralOf({ contents }).messages[0]?.content).toEqual([{ type: 'text', text: 'a' }]);
  });

  it('takes ids of calls out where the vendor refuses them', () => {
    const contents = [
      { role: 'model', parts: [{ functionCall: { id: '1', name: 'f', args: { id: 'stays' } } }] },
      { role: 'user', parts: [{ functionResponse: { id: '1', name: 'f', response: { id: 'stays' } } }] },
    ];
    expect(splice({ contents }, {}, false)).toEqual({
      contents: [
        { role: 'model', parts: [{ functionCall: { name: 'f', args: { id: 'stays' } } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'f', response: { id: 'stays' } } }] },
      ],
    });
  });
});

describe('from this wire and back to it', () => {
  it.each([
    ['a plain question', { contents: hi }],
    [
      'every setting',
      {
        contents: hi,
        systemInstruction: { parts: [{ text: 'Be brief.' }] },
        safetySettings: [{ category: 'X', threshold: 'OFF' }],
        cachedContent: 'cachedContents/1',
        labels: { team: 'a' },
        generationConfig: {
          temperature: 0,
          topP: 0.5,
          topK: 3,
          candidateCount: 2,
          maxOutputTokens: 9,
          stopSequences: ['x'],
          seed: 0,
          presencePenalty: 0,
          frequencyPenalty: 1,
          responseLogprobs: true,
          logprobs: 2,
          responseModalities: ['TEXT', 'IMAGE'],
          thinkingConfig: { thinkingBudget: 1024, includeThoughts: true },
          speechConfig: { voiceConfig: {} },
        },
      },
    ],
    [
      'parts of every kind',
      {
        contents: [
          {
            role: 'user',
            parts: [
              { text: 'Look' },
              { inlineData: { mimeType: 'image/png', data: 'aGk=' }, mediaResolution: { level: 'HIGH' } },
              { inlineData: { mimeType: 'application/pdf', data: 'aGk=', displayName: 'a.pdf' } },
              {
                fileData: { mimeType: 'video/mp4', fileUri: 'https://example.org/v' },
                videoMetadata: { fps: 1 },
              },
              { unknownPart: { a: 1 } },
            ],
          },
          {
            role: 'model',
            parts: [
              { text: 'Hm.', thought: true, thoughtSignature: 'dGg=' },
              { executableCode: { language: 'PYTHON', code: '1' } },
              { codeExecutionResult: { outcome: 'OUTCOME_OK', output: '1' } },
              { functionCall: { id: 'a', name: 'f', args: { x: 1 } }, thoughtSignature: 'c2ln' },
              { functionCall: { id: 'b', name: 'g', args: {} } },
            ],
          },
          {
            role: 'user',
            parts: [
              { functionResponse: { id: 'a', name: 'f', response: { output: 'x', n: 1 } } },
              { functionResponse: { id: 'b', name: 'g', response: { error: 'no' }, willContinue: false } },
            ],
          },
        ],
      },
    ],
    [
      'tools and their settings',
      {
        contents: hi,
        tools: [
          {
            functionDeclarations: [
              {
                name: 'f',
                description: 'd',
                parameters: { type: 'OBJECT', properties: { a: { type: 'STRING', nullable: true } } },
                behavior: 'BLOCKING',
              },
              { name: 'g', parametersJsonSchema: { type: 'object', properties: { b: { $ref: '#/x' } } } },
            ],
          },
        ],
        toolConfig: {
          functionCallingConfig: { mode: 'ANY', allowedFunctionNames: ['f', 'g'] },
          retrievalConfig: { languageCode: 'de' },
        },
      },
    ],
    [
      'tools Google runs',
      {
        contents: hi,
        tools: [{ googleSearch: { timeRangeFilter: {} } }, { codeExecution: {} }, { urlContext: {} }],
      },
    ],
  ])('nothing of %s is lost', (_name, body) => {
    expect(writtenOf(neutralOf(body)).body).toEqual(body);
    expect(writtenOf(neutralOf(body)).warnings).toEqual([]);
  });

  it('reads both spellings alike', () => {
    const snake = {
      contents: [{ role: 'user', parts: [{ inline_data: { mime_type: 'image/png', data: 'aGk=' } }] }],
      system_instruction: { parts: [{ text: 'S' }] },
      generation_config: { max_output_tokens: 3, thinking_config: { thinking_budget: 0 } },
      tools: [{ function_declarations: [{ name: 'f' }] }],
      tool_config: { function_calling_config: { mode: 'NONE' } },
    };
    expect(writtenOf(neutralOf(snake)).body).toEqual({
      contents: [{ role: 'user', parts: [{ inlineData: { mimeType: 'image/png', data: 'aGk=' } }] }],
      systemInstruction: { parts: [{ text: 'S' }] },
      generationConfig: { maxOutputTokens: 3, thinkingConfig: { thinkingBudget: 0, includeThoughts: false } },
      tools: [{ functionDeclarations: [{ name: 'f' }] }],
      toolConfig: { functionCallingConfig: { mode: 'NONE' } },
    });
  });

  it('joins thoughts kept in pieces to one, with the signature that came last', () => {
    const parts = [
      { text: 'A', thought: true },
      { text: 'B', thought: true },
      { text: '', thought: true, thoughtSignature: 'anthropic#sig' },
      { text: 'Hi' },
    ];
    const [, message] = neutralOf({ contents: [...hi, { role: 'model', parts }] }).messages;
    expect(message?.content).toEqual([
      { type: 'reasoning', text: 'AB', proof: { by: 'anthropic', data: 'sig' } },
      { type: 'text', text: 'Hi' },
    ]);
  });

  it('takes the words a signature brings, however many of the pieces came back', () => {
    const signature = carryProof({ by: 'anthropic', data: 'sig' }, 'google', { words: 'AB' });
    const last = { text: '', thought: true, thoughtSignature: signature };
    for (const parts of [[last], [{ text: 'B', thought: true }, last]]) {
      const [, message] = neutralOf({ contents: [...hi, { role: 'model', parts }] }).messages;
      expect(message?.content).toEqual([
        { type: 'reasoning', text: 'AB', proof: { by: 'anthropic', data: 'sig' } },
      ]);
    }
    const gone = { text: '', thought: true, thoughtSignature: 'anthropic#sig' };
    const [, message] = neutralOf({
      contents: [...hi, { role: 'model', parts: [gone, { text: 'Hi' }] }],
    }).messages;
    expect(message?.content).toEqual([{ type: 'text', text: 'Hi' }]);
  });

  it('gives calls without ids the same ids in a longer history', () => {
    const turns = [
      ...hi,
      { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: {} } }] },
    ];
    const short = neutralOf({ contents: turns }).messages;
    const long = neutralOf({ contents: [...turns, ...hi] }).messages;
    expect(long.slice(0, short.length)).toEqual(short);
    expect(short[2]).toMatchObject({ role: 'tool', callId: 'call_gm_h1_0' });
  });
});

describe('from other wires', () => {
  it('drops what no client could prove, and signs calls of newer models', () => {
    const messages: ChatRequest['messages'] = [
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm', proof: { by: 'anthropic', data: 's' } },
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
            functionCall: { id: 'toolu_1', name: 'f', args: { arguments: 'not json' } },
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

  it('says what it cannot carry', () => {
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

describe('schemas', () => {
  it('resolve references, merge allOf, and say types in capitals', () => {
    expect(
      cleanSchema({
        $defs: { city: { type: 'string', title: 'City', minLength: 1, 'x-own': true } },
        type: 'object',
        properties: {
          city: { $ref: '#/$defs/city', description: 'Where' },
          count: { type: ['integer', 'null'], exclusiveMinimum: 0, format: 'uint' },
          any: { oneOf: [{ type: 'string' }, { type: 'number' }] },
          maybe: { anyOf: [{ type: 'string' }, { type: 'null' }] },
          both: {
            allOf: [{ type: 'object', properties: { a: { type: 'boolean' } } }, { required: ['a', 'b'] }],
          },
          pair: { type: 'array', items: [{ type: 'string' }, { type: 'number' }] },
          kind: { enum: ['a', 'b', null] },
        },
        required: ['city', 'gone'],
      }),
    ).toEqual({
      type: 'OBJECT',
      properties: {
        city: { type: 'STRING', title: 'City', minLength: 1, description: 'Where' },
        count: { type: 'INTEGER', nullable: true, minimum: 0 },
        any: { anyOf: [{ type: 'STRING' }, { type: 'NUMBER' }] },
        maybe: { type: 'STRING', nullable: true },
        both: { type: 'OBJECT', properties: { a: { type: 'BOOLEAN' } }, required: ['a'] },
        pair: { type: 'ARRAY', items: { type: 'STRING' } },
        kind: { type: 'STRING', enum: ['a', 'b'], nullable: true },
      },
      required: ['city'],
    });
  });

  it('that ask nothing are left out', () => {
    expect(cleanSchema({ type: 'object', properties: {} })).toBeUndefined();
    expect(cleanSchema(undefined)).toBeUndefined();
  });

  it('end where they name themselves, or each other without end', () => {
    expect(cleanSchema({ type: 'object', properties: { next: { $ref: '#' } } })).toMatchObject({
      type: 'OBJECT',
    });
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [
        `d${index}`,
        {
          type: 'object',
          properties: { a: { $ref: `#/$defs/d${index + 1}` }, b: { $ref: `#/$defs/d${index + 1}` } },
        },
      ]),
    );
    const startedMs = performance.now();
    expect(cleanSchema({ $defs, $ref: '#/$defs/d0' })).toMatchObject({ type: 'OBJECT' });
    expect(performance.now() - startedMs).toBeLessThan(2_000);
  });

  it('open to what other grammars read', () => {
    expect(
      openSchema({
        type: 'OBJECT',
        properties: {
          a: { type: 'STRING', nullable: true, enum: ['x'] },
          b: { type: 'ARRAY', items: { type: 'INTEGER' }, minItems: '2' },
        },
        propertyOrdering: ['a', 'b'],
      }),
    ).toEqual({
      type: 'object',
      properties: {
        a: { type: ['string', 'null'], enum: ['x', null] },
        b: { type: 'array', items: { type: 'integer' }, minItems: 2 },
      },
    });
  });
});
