import { describe, expect, it } from '@jest/globals';
import type { ContentPart } from '../model/content.js';
import { bedrockConverse } from '../providers/bedrock/converse/index.js';
import { openaiChat } from './openai-chat/index.js';
import { openaiResponses } from './openai-responses/index.js';
import { anthropicMessages } from './anthropic-messages/index.js';
import { geminiGenerate } from './gemini-generate/index.js';
import type { CallTarget, ClientFormat, UpstreamFormat } from './contract/api-format.js';
import { someEdits } from '../../../test/support/relay-calls.js';

const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64');
const PNG = base64('\x89PNG\r\n\x1a\n\0\0\0\rIHDR');
const PDF = base64('%PDF-1.7\n%');
const WAV = base64('RIFF\x24\0\0\0WAVEfmt ');
const TEXT = base64('words of a file');

const EDITS = someEdits({ dropStreamOptions: true });

interface Api {
  readonly name: string;
  readonly format: ClientFormat<'chat'> & UpstreamFormat<'chat'>;
  readonly target: CallTarget;
  ask(part: object): object;
  /** Bytes in the members that hold base64. */
  file(data: string, mediaType: string, fileName?: string): object;
}

const user = (part: object) => [{ role: 'user', content: [part] }];
const target: CallTarget = { pathModel: undefined, query: '', headers: {} };

const CHAT: Api = {
  name: 'chat',
  format: openaiChat,
  target,
  ask: (part) => ({ model: 'm', messages: user(part) }),
  file: (data, _type, filename) => ({ type: 'file', file: { file_data: data, filename } }),
};
const RESPONSES: Api = {
  name: 'Responses',
  format: openaiResponses,
  target,
  ask: (part) => ({ model: 'm', input: user(part) }),
  file: (data, _type, filename) => ({ type: 'input_file', file_data: data, filename }),
};
const MESSAGES: Api = {
  name: 'Messages',
  format: anthropicMessages,
  target,
  ask: (part) => ({ model: 'm', max_tokens: 9, messages: user(part) }),
  file: (data, media_type, title) => ({
    type: 'document',
    source: { type: 'base64', media_type, data },
    title,
  }),
};
const GEMINI: Api = {
  name: 'Gemini',
  format: geminiGenerate,
  target: { ...target, pathModel: 'm' },
  ask: (part) => ({ contents: [{ role: 'user', parts: [part] }] }),
  file: (data, mimeType, displayName) => ({ inlineData: { mimeType, data, displayName } }),
};
const APIS = [CHAT, RESPONSES, MESSAGES, GEMINI];

function neutralOf(api: Api, part: object) {
  const call = api.format.parseCall(Buffer.from(JSON.stringify(api.ask(part))), api.target);
  if (!call.ok) throw new Error(call.error.message);
  const request = call.value.neutral();
  if (!request.ok) throw new Error(request.error.message);
  return request.value;
}

const read = (api: Api, part: object): ContentPart | undefined =>
  neutralOf(api, part).messages[0]?.content[0];
const written = (from: Api, part: object, to: Api): string =>
  to.format.writeRequest(neutralOf(from, part), EDITS).body.toString();

describe.each(APIS)('a file in base64 ($name)', (api) => {
  it.each([
    ['a picture', 'image', PNG, 'image/png'],
    ['a PDF', 'file', PDF, 'application/pdf'],
  ])('reads %s that comes as a data URL', (_what, type, bytes, mediaType) => {
    const part = read(api, api.file(`data:${mediaType};base64,${bytes}`, mediaType));
    expect(part).toMatchObject({ type, source: { kind: 'base64', base64: bytes, mediaType } });
  });

  it.each([
    ['notes.txt', 'text/plain'],
    ['notes.MD', 'text/markdown'],
    ['table.csv', 'text/csv'],
    ['sheet.xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
    ['notes.unheard', undefined],
    ['notes', undefined],
  ])('takes the type that its name tells where nothing else does: %s', (fileName, mediaType) => {
    const part = read(api, api.file(TEXT, 'application/octet-stream', fileName));
    expect(part).toMatchObject({ source: { base64: TEXT, mediaType }, fileName });
  });

  it('follows its bytes, whatever its name is', () => {
    expect(read(api, api.file(PDF, '', 'notes.txt'))).toMatchObject({
      source: { mediaType: 'application/pdf' },
    });
  });
});

describe('sound', () => {
  it.each([CHAT, RESPONSES])('comes from a data URL in place of its base64, too ($name)', (api) => {
    for (const head of ['data:;base64,', 'data:audio/wav;base64,']) {
      const part = read(api, { type: 'input_audio', input_audio: { data: `${head}${WAV}`, format: 'wav' } });
      expect(part).toMatchObject({ type: 'audio', source: { base64: WAV, mediaType: 'audio/wav' } });
    }
  });

  it('comes from an address, as vLLM’s clients give it', () => {
    const url = `data:audio/wav;base64,${WAV}`;
    expect(read(CHAT, { type: 'audio_url', audio_url: { url } })).toMatchObject({
      type: 'audio',
      source: { base64: WAV, mediaType: 'audio/wav' },
    });
    expect(read(CHAT, { type: 'audio_url', audio_url: { url: 'https://a.example/x.wav' } })).toMatchObject({
      type: 'audio',
      source: { kind: 'url' },
    });
  });
});

describe('a file without a name', () => {
  it.each([
    ['application/pdf', PDF, 'file.pdf'],
    ['text/csv', TEXT, 'file.csv'],
    ['text/x-unheard', TEXT, 'file.txt'],
  ])('leaves with one that fits %s, for vendors that refuse bytes without it', (mediaType, bytes, name) => {
    for (const to of [CHAT, RESPONSES])
      expect(written(GEMINI, GEMINI.file(bytes, mediaType), to)).toContain(`"filename":"${name}"`);
  });
});

describe('a document that comes alone', () => {
  it('leaves with words beside it for Bedrock, which refuses it without', () => {
    const part = CHAT.file(`data:application/pdf;base64,${PDF}`, '', 'Q1 report.pdf');
    expect(
      JSON.parse(bedrockConverse.writeRequest(neutralOf(CHAT, part), EDITS).body.toString()),
    ).toMatchObject({
      messages: [
        {
          role: 'user',
          content: [{ document: { name: 'Q1 report', source: { bytes: PDF } } }, { text: 'Q1 report' }],
        },
      ],
    });
  });
});

describe('a picture in an answer of the history', () => {
  const picture = { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } };
  const converse = (answer: object, ...then: readonly object[]) => {
    const messages = [{ role: 'user', content: 'draw' }, { role: 'assistant', ...answer }, ...then];
    const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }];
    const call = openaiChat.parseCall(Buffer.from(JSON.stringify({ model: 'm', messages, tools })), target);
    const request = call.ok ? call.value.neutral() : call;
    if (!request.ok) throw new Error(request.error.message);
    const { body, warnings } = bedrockConverse.writeRequest(request.value, EDITS);
    return { messages: (JSON.parse(body.toString()) as { messages: unknown }).messages, warnings };
  };

  it('follows it in a turn of the user for Bedrock, which takes pictures nowhere else', () => {
    const content = [{ type: 'text', text: 'here' }, picture];
    expect(converse({ content }, { role: 'user', content: 'again' }).messages).toEqual([
      { role: 'user', content: [{ text: 'draw' }] },
      { role: 'assistant', content: [{ text: 'here' }] },
      {
        role: 'user',
        content: [
          { text: 'Files of the answer:' },
          { image: { format: 'png', source: { bytes: PNG } } },
          { text: 'again' },
        ],
      },
    ]);
  });

  it('stays out, with a warning, where the results of calls must come next', () => {
    const tool_calls = [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }];
    const result = { role: 'tool', tool_call_id: 'c', content: 'done' };
    const { messages, warnings } = converse({ content: [picture], tool_calls }, result);
    expect(JSON.stringify(messages)).not.toContain('"image"');
    expect(warnings).toContainEqual(expect.objectContaining({ setting: 'messages' }));
  });
});

describe('an address of a picture', () => {
  it('leaves without the white space around it', () => {
    const part = { type: 'image_url', image_url: { url: ' https://a.example/x.png\n' } };
    expect(read(CHAT, part)).toMatchObject({ source: { kind: 'url', url: 'https://a.example/x.png' } });
  });
});

describe('how closely a picture is looked at', () => {
  const part = { type: 'input_image', image_url: `data:image/png;base64,${PNG}`, detail: 'original' };

  it('leaves under a word of the chat API, with a warning', () => {
    const { body, warnings } = CHAT.format.writeRequest(neutralOf(RESPONSES, part), EDITS);
    expect(body.toString()).toContain('"detail":"high"');
    expect(warnings).toContainEqual(expect.objectContaining({ setting: 'detail' }));
    expect(written(RESPONSES, part, RESPONSES)).toContain('"detail":"original"');
  });
});
