import { writePortableSignature } from '../shared/fields/portable-signature.js';
import { describe, expect, it } from '@jest/globals';
import { neutralOf, writtenOf, hi } from '../../../../test/support/fixtures/gemini-requests.fixture.js';

describe('from this format and back to it', () => {
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
      { type: 'reasoning', text: 'AB', signature: { by: 'anthropic', data: 'sig' } },
      { type: 'text', text: 'Hi' },
    ]);
  });

  it('takes the words a signature brings, however many of the pieces came back', () => {
    const signature = writePortableSignature({ by: 'anthropic', data: 'sig' }, 'google', { words: 'AB' });
    const last = { text: '', thought: true, thoughtSignature: signature };
    for (const parts of [[last], [{ text: 'B', thought: true }, last]]) {
      const [, message] = neutralOf({ contents: [...hi, { role: 'model', parts }] }).messages;
      expect(message?.content).toEqual([
        { type: 'reasoning', text: 'AB', signature: { by: 'anthropic', data: 'sig' } },
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
