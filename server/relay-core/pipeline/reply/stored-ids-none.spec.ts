import { describe, expect, it } from '@jest/globals';
import { scanObject } from '../../framing/json-splice.js';
import { storedIdsIn } from './stored-ids.js';

function named(body: unknown, apiFormat: string): string[] {
  const scanned = scanObject(Buffer.from(JSON.stringify(body)));
  if (typeof scanned === 'string') throw new Error(scanned);
  return storedIdsIn(scanned, apiFormat).map(({ kind, id }) => `${kind} ${id}`);
}
const user = (content: unknown) => ({ messages: [{ role: 'user', content }] });
const asked = (...input: unknown[]) => ({ input });

describe('what stands where ids of things kept at the vendor could', () => {
  it.each<[string, string, object]>([
    [
      'a message told again',
      'openai-responses',
      asked({
        type: 'message',
        role: 'assistant',
        id: 'msg_1',
        content: [{ type: 'output_text', text: 'x' }],
      }),
    ],
    [
      'a call told again',
      'openai-responses',
      asked({ type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f', arguments: '{}' }),
    ],
    [
      'a thought that comes with all it needs',
      'openai-responses',
      asked({ type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'gAAA' }),
    ],
    [
      'arguments of a tool',
      'openai-responses',
      asked({ type: 'function_call', call_id: 'c', name: 'f', arguments: '{"file_id":"file-1"}' }),
    ],
    [
      'a schema',
      'openai-responses',
      { input: 'x', tools: [{ type: 'function', parameters: { properties: { file_id: 'file-1' } } }] },
    ],
    [
      'a citation',
      'openai-responses',
      asked({
        role: 'assistant',
        content: [{ type: 'output_text', text: 'x', annotations: [{ file_id: 'file-1' }] }],
      }),
    ],
    ['words', 'openai-chat', user('"file_id": "file-1"')],
    [
      'a file that comes as bytes',
      'openai-chat',
      user([{ type: 'file', file: { file_data: 'data:,x', filename: 'a' } }]),
    ],
    ['a voice by name', 'openai-speech', { input: 'x', voice: 'alloy' }],
    ['a voice of the vendor', 'openai-speech', { input: 'x', voice: 'FunAudioLLM/CosyVoice2-0.5B:anna' }],
    ['a search service', 'openai-chat', { ...user('x'), plugins: [{ id: 'web', engine: 'native' }] }],
    ['a picture of the web', 'openai-chat', user([{ image_url: { url: 'https://example.org/a.png' } }])],
    [
      'a picture as it is',
      'openai-chat',
      user([{ image_url: { url: `data:image/png;base64,${'A'.repeat(999)}` } }]),
    ],
    ['a picture without a scheme', 'openai-image-edits', { image: ['AAAA', 'B'.repeat(999)] }],
    [
      'an address among the arguments of a tool',
      'anthropic-messages',
      user([{ type: 'tool_use', id: 't', name: 'f', input: { uri: 'file:///a.txt', url: 'gs://b/c' } }]),
    ],
    [
      'an address in a schema',
      'openai-chat',
      { ...user('x'), tools: [{ function: { parameters: { properties: { url: { default: 'ms://a' } } } } }] },
    ],
    [
      'input of a tool',
      'anthropic-messages',
      user([{ type: 'tool_use', id: 't', name: 'f', input: { file_id: 'file_1', container: 'c' } }]),
    ],
    [
      'what a program wrote',
      'anthropic-messages',
      user([
        {
          type: 'code_execution_tool_result',
          content: { content: [{ type: 'code_execution_output', file_id: 'file_1' }] },
        },
      ]),
    ],
    [
      'skills of the vendor',
      'anthropic-messages',
      { ...user('x'), container: { skills: [{ type: 'anthropic', skill_id: 'pptx' }] } },
    ],
    [
      'a file of the web',
      'gemini-generate',
      { contents: [{ parts: [{ fileData: { fileUri: 'https://example.org/a.pdf' } }] }] },
    ],
    [
      'arguments of a function',
      'gemini-generate',
      {
        contents: [
          {
            parts: [
              { functionCall: { name: 'f', args: { fileUri: 'files/a' } } },
              { functionResponse: { name: 'f', response: { fileUri: 'files/a' } } },
            ],
          },
        ],
      },
    ],
    ['a prompt of words', 'openai-completions', { prompt: 'x' }],
  ])('%s is none', (_name, apiFormat, body) => {
    expect(named(body, apiFormat)).toEqual([]);
  });
});
