import { describe, expect, it } from '@jest/globals';
import { parsedBy } from '../../../test/support/relay-calls.js';
import type { ClientFormat } from './contract/api-format.js';
import { anthropicMessages } from './anthropic-messages/index.js';
import { geminiGenerate } from './gemini-generate/index.js';
import { openaiChat } from './openai-chat/index.js';
import { openaiCompletions } from './openai-completions/index.js';

type ChatFormat = ClientFormat<'chat'>;
type Ask = (stops: unknown) => object;
const messages = [{ role: 'user', content: 'Hi' }];
const FORMATS: readonly (readonly [string, ChatFormat, Ask])[] = [
  ['chat completions', openaiChat, (stop) => ({ messages, stop })],
  ['completions', openaiCompletions, (stop) => ({ prompt: 'Hi', stop })],
  ['Messages', anthropicMessages, (stop) => ({ messages, max_tokens: 9, stop_sequences: stop })],
  [
    'Gemini',
    geminiGenerate,
    (stop) => ({ contents: [{ parts: [{ text: 'Hi' }] }], generationConfig: { stopSequences: stop } }),
  ],
];

/** The sequences a request asks for, as every other format would write them. */
function stopsOf(apiFormat: ChatFormat, body: object): unknown {
  const request = parsedBy(apiFormat, { model: 'm', ...body }, { pathModel: 'm' }).neutral();
  if (!request.ok) throw new Error(request.error.message);
  return request.value.stop;
}

describe.each(FORMATS)('sequences that end an answer, asked for through %s', (_name, apiFormat, ask) => {
  it('reads none when their list is empty or null, so that vendors which take none get none', () => {
    expect(stopsOf(apiFormat, ask([]))).toBeUndefined();
    expect(stopsOf(apiFormat, ask(null))).toBeUndefined();
  });

  it('passes them on otherwise', () => {
    expect(stopsOf(apiFormat, ask(['END', 'STOP']))).toEqual(['END', 'STOP']);
  });
});
