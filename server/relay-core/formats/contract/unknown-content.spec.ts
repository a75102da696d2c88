import { describe, expect, it } from '@jest/globals';
import { aTarget } from '../../../../test/support/relay-calls.js';
import { anthropicMessages } from '../anthropic-messages/index.js';
import { bedrockConverse } from '../../providers/bedrock/converse/index.js';
import { cloudflareTranscription } from '../../providers/cloudflare/run/index.js';
import { cohereChat } from '../../providers/cohere/chat/index.js';
import { difyChat } from '../../providers/dify/chat/index.js';
import { geminiGenerate } from '../gemini-generate/index.js';
import { ollamaChat } from '../../providers/ollama/chat/index.js';
import { openaiChat } from '../openai-chat/index.js';
import { openaiCompletions } from '../openai-completions/index.js';
import { openaiImages } from '../openai-images/index.js';
import { openaiResponses } from '../openai-responses/index.js';
import { oneSecondForm } from '../../../../test/support/sound-form.js';
import { openaiTranscription } from '../openai-transcription/index.js';
import type { ReplyMeter } from './reply-meter.js';
import type { UpstreamFormat } from './api-format.js';

function chatMeter(apiFormat: UpstreamFormat<'chat'>): ReplyMeter {
  const body = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };
  const parsed = openaiChat.parseCall(Buffer.from(JSON.stringify(body)), aTarget({}));
  if (!parsed.ok) throw new Error(parsed.error.message);
  return apiFormat.openMeter(parsed.value);
}

function imageMeter(): ReplyMeter {
  const parsed = openaiImages.parseCall(Buffer.from('{"model":"m","prompt":"p"}'), aTarget({}));
  if (!parsed.ok) throw new Error(parsed.error.message);
  return openaiImages.openMeter(parsed.value);
}

function transcriptMeter(apiFormat: UpstreamFormat<'transcribe'>): ReplyMeter {
  const { body, headers } = oneSecondForm('m');
  const parsed = openaiTranscription.parseCall(body, aTarget({ headers }));
  if (!parsed.ok) throw new Error(parsed.error.message);
  return apiFormat.openMeter(parsed.value);
}

interface Row {
  readonly name: string;
  readonly open: () => ReplyMeter;
  /** An answer with `part` in the place of its content; absent = it comes in streams only. */
  readonly whole?: (part: unknown) => unknown;
  /** The same as an event; absent = this format is not streamed. */
  readonly event?: (part: unknown) => unknown;
  /** An unknown part with content. */
  readonly unknown: readonly unknown[];
  /** The same with nothing in it. */
  readonly nothing: readonly unknown[];
}

const EMPTY_FIELDS = [{}, { marks: [] }, { marks: '' }, { marks: null }, { marks: { at: 7, text: '' } }];
const ROWS: readonly Row[] = [
  {
    name: 'openai-chat, members of a message',
    open: () => chatMeter(openaiChat),
    whole: (part) => ({
      choices: [{ message: { role: 'assistant', content: '', ...(part as object) }, finish_reason: 'stop' }],
    }),
    event: (part) => ({ choices: [{ delta: { role: 'assistant', content: '', ...(part as object) } }] }),
    unknown: [
      { hologram: 'AAAA' },
      { marks: [{ url: 'https://a.example' }] },
      { canvas: { id: 'c', data: 'x' } },
    ],
    nothing: [...EMPTY_FIELDS, { tool_calls: [] }, { index: 3, obfuscation: 'pad' }],
  },
  {
    name: 'openai-chat, parts of a content',
    open: () => chatMeter(openaiChat),
    whole: (part) => ({ choices: [{ message: { content: [part] }, finish_reason: 'stop' }] }),
    event: (part) => ({ choices: [{ delta: { content: [part] } }] }),
    unknown: [
      { type: 'image_url', image_url: { url: 'data:,x' } },
      { type: 'video', video: 'AAAA' },
    ],
    nothing: [{ type: 'text', text: '' }, { type: 'video' }, { type: 'video', video: {} }],
  },
  {
    name: 'openai-chat, calls of an unknown kind',
    open: () => chatMeter(openaiChat),
    whole: (part) => ({
      choices: [{ message: { content: null, tool_calls: [part] }, finish_reason: 'stop' }],
    }),
    event: (part) => ({ choices: [{ delta: { tool_calls: [part] } }] }),
    unknown: [{ id: 'c', type: 'mcp', mcp: { name: 'f' } }],
    nothing: [{ id: 'c', type: 'mcp' }],
  },
  {
    name: 'openai-responses, parts of a message',
    open: () => chatMeter(openaiResponses),
    whole: (part) => ({ status: 'completed', output: [{ type: 'message', content: [part] }] }),
    unknown: [{ type: 'output_hologram', data: 'AAAA' }],
    nothing: [
      { type: 'output_text', text: '' },
      { type: 'output_hologram', data: {} },
    ],
  },
  {
    name: 'openai-responses, pieces that are no text',
    open: () => chatMeter(openaiResponses),
    event: (part) => ({ type: 'response.hologram.delta', output_index: 0, delta: part }),
    unknown: [{ shape: 'cube' }, [{ data: 'AAAA' }]],
    nothing: [{}, [], ''],
  },
  {
    name: 'anthropic-messages, blocks',
    open: () => chatMeter(anthropicMessages),
    whole: (part) => ({
      type: 'message',
      content: [part],
      stop_reason: 'end_turn',
      usage: { input_tokens: 3, output_tokens: 0 },
    }),
    event: (part) => ({ type: 'content_block_start', index: 0, content_block: part }),
    unknown: [{ type: 'hologram', data: 'AAAA' }],
    nothing: [{ type: 'text', text: '' }],
  },
  {
    name: 'anthropic-messages, deltas',
    open: () => chatMeter(anthropicMessages),
    event: (part) => ({ type: 'content_block_delta', index: 0, delta: part }),
    unknown: [{ type: 'hologram_delta', piece: 'AAAA' }],
    nothing: [
      { type: 'text_delta', text: '' },
      { type: 'hologram_delta', piece: '' },
    ],
  },
  {
    name: 'gemini-generate, parts',
    open: () => chatMeter(geminiGenerate),
    whole: (part) => ({ candidates: [{ content: { parts: [part] }, finishReason: 'STOP' }] }),
    event: (part) => ({ candidates: [{ content: { parts: [part] } }] }),
    unknown: [
      { toolCall: { name: 'search' } },
      { hologram: { data: 'AAAA' } },
      { inline_data: { data: 'AAAA' } },
    ],
    nothing: [{ text: '' }, { text: '', thoughtSignature: 'abc' }, { hologram: {} }],
  },
  {
    name: 'bedrock-converse, blocks',
    open: () => chatMeter(bedrockConverse),
    whole: (part) => ({ output: { message: { content: [part] } }, stopReason: 'end_turn' }),
    event: (part) => ({ contentBlockIndex: 0, delta: part }),
    unknown: [{ hologram: { data: 'AAAA' } }, { video: { source: { bytes: 'AAAA' } } }],
    nothing: [{ text: '' }, { hologram: {} }],
  },
  {
    name: 'cohere-chat, members and parts of a message',
    open: () => chatMeter(cohereChat),
    whole: (part) => ({ message: { role: 'assistant', content: [part] }, finish_reason: 'COMPLETE' }),
    event: (part) => ({ type: 'content-delta', delta: { message: { content: part } } }),
    unknown: [{ type: 'hologram', data: 'AAAA' }],
    nothing: [
      { type: 'text', text: '' },
      { type: 'hologram', data: [] },
    ],
  },
  {
    name: 'ollama-chat, members of a message',
    open: () => chatMeter(ollamaChat),
    whole: (part) => ({
      message: { role: 'assistant', content: '', ...(part as object) },
      done: true,
      done_reason: 'stop',
    }),
    event: (part) => ({ message: { role: 'assistant', content: '', ...(part as object) }, done: false }),
    unknown: [{ images: ['AAAA'] }, { hologram: 'AAAA' }],
    nothing: EMPTY_FIELDS,
  },
  {
    name: 'dify-chat, files of an application',
    open: () => chatMeter(difyChat),
    event: (part) => ({ event: 'message_file', type: 'image', ...(part as object) }),
    unknown: [{ url: 'https://a.example/x.png' }],
    nothing: [{}, { url: '' }],
  },
  {
    name: 'openai-completions, members of a choice that are parts',
    open: () => chatMeter(openaiCompletions),
    whole: (part) => ({ choices: [{ text: [part], finish_reason: 'stop' }] }),
    unknown: [{ type: 'hologram', data: 'AAAA' }],
    nothing: [{ type: 'text', text: '' }],
  },
  {
    name: 'openai-images, pictures under another name',
    open: imageMeter,
    whole: (part) => ({ created: 1, data: [part] }),
    unknown: [{ image_base64: 'AAAA' }, { image: { url: 'https://a.example/x.png' } }],
    nothing: [{}, { url: '' }, { error: { code: 'filtered', message: 'no' } }, { revised_prompt: 'a cat' }],
  },
  {
    name: 'openai-transcription, words under another name',
    open: () => transcriptMeter(openaiTranscription),
    whole: (part) => part,
    unknown: [{ segments: [{ text: 'Hello' }] }, { results: { transcript: 'Hello' } }],
    nothing: [{}, { language: 'en', duration: 3 }, { segments: [] }],
  },
  {
    name: 'cloudflare-run, words under another name',
    open: () => transcriptMeter(cloudflareTranscription),
    whole: (part) => ({ success: true, result: part }),
    unknown: [{ vtt: 'WEBVTT Hello' }, { transcription_info: { language: 'en' } }],
    nothing: [{}, { word_count: 0 }, { text: '' }],
  },
];

const wholeVerdict = (row: Row, part: unknown) => {
  const meter = row.open();
  return [meter.readWhole(Buffer.from(JSON.stringify(row.whole?.(part)))), meter.hasUnread];
};
const eventVerdict = (row: Row, part: unknown) => {
  const meter = row.open();
  const data = Buffer.from(JSON.stringify(row.event?.(part)));
  return [meter.readEvent(data, 0, data.length, ''), meter.hasUnread];
};

/** A reply is empty only when it is proven to be: what a meter cannot count is an answer all the same. */
describe.each(ROWS)('$name', (row) => {
  it.each(row.unknown.map((part) => [JSON.stringify(part), part]))('%s is an answer', (_text, part) => {
    if (row.whole !== undefined) expect(wholeVerdict(row, part)).toEqual(['answer', true]);
    if (row.event !== undefined) expect(eventVerdict(row, part)).toEqual(['content', true]);
  });

  it.each(row.nothing.map((part) => [JSON.stringify(part), part]))('%s alone is none', (_text, part) => {
    if (row.whole !== undefined) expect(wholeVerdict(row, part)).toEqual(['empty', false]);
    if (row.event !== undefined) expect(eventVerdict(row, part)).toEqual(['setup', false]);
  });
});
