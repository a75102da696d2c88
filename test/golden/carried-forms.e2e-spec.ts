import { describe, expect, it } from '@jest/globals';
import { carry, CHAT_PAIRS } from '../support/chat-formats.js';

type Part = Readonly<Record<string, unknown>>;
const MARK = 'WORDS-TO-CARRY';
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const base64 = (text: string): string => Buffer.from(text).toString('base64');
const MARKS = [MARK, base64(MARK), PIXEL];

const said = (api: string, text: string): Part =>
  api === 'gemini-generate' ? { text } : { type: api === 'openai-responses' ? 'input_text' : 'text', text };

/** A question, an answer, a question. */
function bodyOf(api: string, user: unknown, assistant: unknown = [said(api, 'answer')]): Part {
  const turns = [
    ['user', [said(api, 'question')]],
    ['assistant', assistant],
    ['user', user],
  ] as const;
  switch (api) {
    case 'gemini-generate':
      return { contents: turns.map(([role, parts]) => ({ role: role === 'user' ? role : 'model', parts })) };
    case 'openai-responses':
      return { input: turns.map(([role, content]) => ({ type: 'message', role, content })) };
    default:
      return { messages: turns.map(([role, content]) => ({ role, content })) };
  }
}

/** Parts of each client API, in the forms their clients write, and in forms that almost are theirs. */
const PARTS: Readonly<Record<string, Part>> = {
  'Google: result alone': { functionResponse: { name: 'f', response: { r: MARK } } },
  'Google: result with a picture': {
    functionResponse: {
      name: 'f',
      response: { r: MARK },
      parts: [{ inlineData: { mimeType: 'image/png', data: PIXEL } }],
    },
  },
  'Google: text as bytes': { inlineData: { mimeType: 'text/plain', data: base64(MARK) } },
  'Google: snake case': { inline_data: { mime_type: 'image/png', data: PIXEL } },
  'Google: kept file': {
    fileData: { fileUri: `https://generativelanguage.googleapis.com/v1beta/files/${MARK}` },
  },
  'Google: code': { executableCode: { language: 'PYTHON', code: MARK } },
  'Google: outcome of code': { codeExecutionResult: { outcome: 'OUTCOME_OK', output: MARK } },
  'Responses: sound': { type: 'input_audio', input_audio: { data: base64(MARK), format: 'mp3' } },
  'Responses: sound without its level': { type: 'input_audio', data: base64(MARK), format: 'mp3' },
  'Responses: words of an answer': { type: 'output_text', text: MARK, annotations: [] },
  'Responses: refusal': { type: 'refusal', refusal: MARK },
  'Responses: reference': { type: 'item_reference', id: MARK },
  'Responses: screen': {
    type: 'computer_call_output',
    call_id: 'c',
    output: { type: 'computer_screenshot', image_url: `https://x.example/${MARK}` },
  },
  'Responses: file by id': { type: 'input_file', file_id: MARK },
  'Responses: picture by id': { type: 'input_image', file_id: MARK },
  'Responses: output that is an object': { type: 'function_call_output', call_id: 'c', output: { a: MARK } },
  'Messages: search result': {
    type: 'search_result',
    source: 'https://x.example',
    title: 't',
    content: [{ type: 'text', text: MARK }],
  },
  'Messages: upload': { type: 'container_upload', file_id: MARK },
  'Messages: use of a server’s tool': {
    type: 'server_tool_use',
    id: 'srvtoolu_1',
    name: 'web_search',
    input: { query: MARK },
  },
  'Messages: hidden thought': { type: 'redacted_thinking', data: MARK },
  'Messages: thought': { type: 'thinking', thinking: MARK, signature: 'c2ln' },
  'Messages: picture by id': { type: 'image', source: { type: 'file', file_id: MARK } },
  'Messages: file by id': { type: 'document', source: { type: 'file', file_id: MARK } },
  'Messages: file of blocks': {
    type: 'document',
    source: { type: 'content', content: [{ type: 'text', text: MARK }] },
  },
  'Messages: result that is an object': { type: 'tool_result', tool_use_id: 't', content: { a: MARK } },
  'Messages: result that is a list of texts': { type: 'tool_result', tool_use_id: 't', content: [MARK] },
  'Messages: result nobody knows': {
    type: 'tool_result',
    tool_use_id: 't',
    content: [{ type: 'hologram', x: MARK }],
  },
  'Chat: file by id': { type: 'file', file: { file_id: MARK } },
  'Chat: text as an object': { type: 'text', text: { value: MARK } },
  'Chat: text in another member': { type: 'text', content: MARK },
  'Chat: kept picture': { type: 'image_file', image_file: { file_id: MARK } },
  'Chat: sound by address': { type: 'audio_url', audio_url: { url: `https://x.example/${MARK}.mp3` } },
  'nobody’s': { type: 'media', mimeType: 'image/png', data: PIXEL },
};
/** The whole content of a message. */
const CONTENTS: Readonly<Record<string, unknown>> = {
  'one part alone': { type: 'text', text: MARK },
  'a list of texts': [MARK, 'b'],
  'a list in a list': [[{ type: 'text', text: MARK }]],
  'an object of another API': { parts: [{ text: MARK }] },
};

const CASES = CHAT_PAIRS.flatMap((pair) => Object.keys(PARTS).map((form) => ({ ...pair, form })));
const CONTENT_CASES = CHAT_PAIRS.flatMap((pair) => Object.keys(CONTENTS).map((form) => ({ ...pair, form })));
const has = (body: unknown): boolean => MARKS.some((mark) => JSON.stringify(body).includes(mark));

describe('members of a caller are carried or refused', () => {
  it.each(CASES)('$form: $name', ({ api, format, form }) => {
    for (const user of [[PARTS[form]], [said(api.id, 'and'), PARTS[form]]]) {
      const left = carry(api, format, bodyOf(api.id, user));
      if ('refusal' in left) expect(left.refusal).not.toBe('');
      else
        expect({ body: left.body, isCarried: has(left.body) }).toEqual({ body: left.body, isCarried: true });
    }
  });

  it.each(CONTENT_CASES)('$form: $name', ({ api, format, form }) => {
    const left = carry(api, format, bodyOf(api.id, CONTENTS[form]));
    if ('refusal' in left) expect(left.refusal).not.toBe('');
    else expect({ body: left.body, isCarried: has(left.body) }).toEqual({ body: left.body, isCarried: true });
  });
});

describe('what an earlier answer holds is carried, refused or named as left out, and nothing stands in its place', () => {
  it.each(CASES)('$form: $name', ({ api, format, form }) => {
    const left = carry(api, format, bodyOf(api.id, [said(api.id, 'next')], [PARTS[form]]));
    if ('refusal' in left) return expect(left.refusal).not.toBe('');
    expect(has(left.body) || left.warnings.length > 0).toBe(true);
    expect(JSON.stringify(left.body)).not.toContain('"..."');
    for (const word of ['question', 'next']) expect(JSON.stringify(left.body)).toContain(word);
  });
});
