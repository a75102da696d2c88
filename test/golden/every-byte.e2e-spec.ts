import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { openFramer } from '../../server/relay-core/framing/open-framer.js';
import type { StreamEvent } from '../../server/relay-core/model/stream-event.js';
import { anthropicMessages } from '../../server/relay-core/formats/anthropic-messages/index.js';
import { bedrockConverse } from '../../server/relay-core/providers/bedrock/converse/index.js';
import { cohereChat } from '../../server/relay-core/providers/cohere/chat/index.js';
import { difyChat } from '../../server/relay-core/providers/dify/chat/index.js';
import { geminiGenerate } from '../../server/relay-core/formats/gemini-generate/index.js';
import { ollamaChat } from '../../server/relay-core/providers/ollama/chat/index.js';
import { openaiChat } from '../../server/relay-core/formats/openai-chat/index.js';
import { openaiResponses } from '../../server/relay-core/formats/openai-responses/index.js';
import type { UpstreamFormat } from '../../server/relay-core/formats/contract/api-format.js';
import { readFolder } from '../replay/read-folder.mjs';
import { onTheWire } from '../replay/replay-upstream.mjs';
import { parsedBy } from '../support/relay-calls.js';

/** Framing of each folder of our own recordings, and the format that reads it. */
const FORMATS: Readonly<Record<string, readonly [framing: string, apiFormat: UpstreamFormat<'chat'>]>> = {
  'amazon-bedrock': ['aws', bedrockConverse],
  anthropic: ['sse-named', anthropicMessages],
  cohere: ['sse', cohereChat],
  'deepseek/chat': ['sse-done', openaiChat],
  dify: ['sse', difyChat],
  google: ['sse', geminiGenerate],
  groq: ['sse-done', openaiChat],
  mistral: ['sse-done', openaiChat],
  ollama: ['lines', ollamaChat],
  'openai/chat': ['sse-done', openaiChat],
  'openai/responses': ['sse-named', openaiResponses],
  perplexity: ['sse-done', openaiChat],
};

const streams = readFolder(join(import.meta.dirname, '../replay/recordings'))
  .filter(({ form }) => form !== 'whole')
  .map((recording) => {
    const folder = recording.api === '' ? recording.vendor : `${recording.vendor}/${recording.api}`;
    const known = FORMATS[folder];
    if (known === undefined) throw new Error(`nobody says which format ${folder} is`);
    const [framing, apiFormat] = known;
    return { name: recording.name, apiFormat, bytes: onTheWire(recording, framing).body };
  });

/** A caller who asked for a stream; which dialect it spoke is nothing to a vendor's format. */
const CALL = parsedBy(openaiChat, {
  model: 'm',
  stream: true,
  messages: [{ role: 'user', content: 'hello' }],
});

/** Results of meter and reader for a stream in these pieces. */
function readPieces(apiFormat: UpstreamFormat<'chat'>, pieces: readonly Buffer[]) {
  const meter = apiFormat.openMeter(CALL);
  const reader = apiFormat.openReplyReader?.(CALL);
  if (reader === undefined) throw new Error(`${apiFormat.id} does not stream`);
  const events: StreamEvent[] = [];
  const verdicts: string[] = [];
  const framer = openFramer(apiFormat.framingOf?.(CALL.shape), {
    onEvent: (_bytes, _rawStart, _rawEnd, data, start, end, name) => {
      const verdict = meter.readEvent(data, start, end, name);
      verdicts.push(verdict);
      if (verdict !== 'silent' && verdict !== 'malformed' && verdict !== 'error')
        events.push(...reader.read(data.toString('utf8', start, end), name));
      return verdict !== 'end' && verdict !== 'error';
    },
  });
  for (const piece of pieces) framer.push(piece);
  framer.finish();
  events.push(...reader.finish());
  const { usage, usageIsInvalid, hasFinish, errorDocument, units } = meter;
  const produced = meter.produced.keptText();
  return { events, verdicts, charge: { usage, usageIsInvalid, hasFinish, errorDocument, units, produced } };
}

const wordsOf = (events: readonly StreamEvent[]): string =>
  events.flatMap((event) => (event.type === 'text-delta' ? [event.text] : [])).join('');

describe('every format’s stream, in two reads cut at every byte', () => {
  it.each(streams)('$name: the same events, the same charge', ({ apiFormat, bytes }) => {
    const whole = readPieces(apiFormat, [bytes]);
    // A recording nothing is read from would agree with itself at every cut.
    expect(whole.charge.usage !== undefined || whole.verdicts.includes('error')).toBe(true);
    const differing: number[] = [];
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const halves = readPieces(apiFormat, [bytes.subarray(0, cut), bytes.subarray(cut)]);
      if (!isDeepStrictEqual(halves, whole)) differing.push(cut);
    }
    expect(differing).toEqual([]);
  });

  it.each(streams)('$name: byte by byte', ({ apiFormat, bytes }) => {
    const pieces = Array.from(bytes, (_byte, at) => bytes.subarray(at, at + 1));
    expect(readPieces(apiFormat, pieces)).toEqual(readPieces(apiFormat, [bytes]));
  });

  it.each(streams)('$name: what came before a break is never more than the whole', ({ apiFormat, bytes }) => {
    const whole = readPieces(apiFormat, [bytes]);
    const words = wordsOf(whole.events);
    const tooMuch: number[] = [];
    for (let cut = 1; cut < bytes.length; cut += 1) {
      const part = readPieces(apiFormat, [bytes.subarray(0, cut)]);
      if (!words.startsWith(wordsOf(part.events)) || !whole.charge.produced.startsWith(part.charge.produced))
        tooMuch.push(cut);
    }
    expect(tooMuch).toEqual([]);
  });
});
