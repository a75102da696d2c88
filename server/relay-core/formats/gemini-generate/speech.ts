import { fail, ok, type Result } from '../../../common/result.js';
import type { CallShape } from '../../model/call.js';
import { refusal, requestRefusal } from '../../model/refusals.js';
import type { RelayError } from '../../model/relay-error.js';
import type { SpeechReply, SpeechRequest } from '../../model/speech.js';
import type { Usage } from '../../model/usage.js';
import type { Warning } from '../../model/warning.js';
import type { ParsedCall, UpstreamFormat, WrittenRequest } from '../contract/api-format.js';
import type { WholeVerdict } from '../contract/reply-meter.js';
import { tokensOfRawAudio } from '../shared/audio/audio-length.js';
import { wavFile } from '../shared/audio/wav.js';
import { warnOfOtherFormatFields, warnOfUnsupported } from '../shared/fields/dropped-fields.js';
import { documentOf, listOf, parseDocument, textOf } from '../shared/fields/json-fields.js';
import { camelFields } from '../shared/fields/proto-names.js';
import { GenerateMeter } from './meter.js';
import { readGenerateReply } from './read-reply.js';

/** Key of this format in registries: speech by generateContent. */
export const GEMINI_SPEECH_FORMAT = 'gemini-speech';

const DEFAULT_VOICE = 'Kore';
/** Prebuilt voices for OpenAI's names: https://ai.google.dev/gemini-api/docs/speech-generation (not read). */
const VOICES: ReadonlyMap<string, string> = new Map([
  ['alloy', DEFAULT_VOICE],
  ['ash', 'Charon'],
  ['ballad', 'Umbriel'],
  ['cedar', 'Algieba'],
  ['coral', 'Aoede'],
  ['echo', 'Puck'],
  ['fable', 'Fenrir'],
  ['marin', 'Callirrhoe'],
  ['nova', 'Leda'],
  ['onyx', 'Orus'],
  ['sage', 'Sulafat'],
  ['shimmer', 'Zephyr'],
  ['verse', 'Iapetus'],
]);

const DEFAULT_RATE = 24_000;
const MIN_RATE = 8_000;
const MAX_RATE = 192_000;
const RAW_TYPE = /^audio\/(?:l16|pcm)/i;
const RATE = /;\s*rate=(\d{4,6})\b/i;

/** Speech of Gemini's models: https://ai.google.dev/gemini-api/docs/speech-generation (not read). */
export const geminiSpeech: UpstreamFormat<'speak'> = {
  id: GEMINI_SPEECH_FORMAT,
  // No client API has this format, so no bytes ever pass.
  spliceRequest: ({ document }) => document.bytes,
  writeRequest: writeSpeech,
  refuseRequest: ({ format }) =>
    format === undefined || format === 'wav' || format === 'pcm'
      ? undefined
      : requestRefusal(
          "The upstream of this model makes 'wav' and 'pcm' only; ask for one of them.",
          'response_format',
        ),
  openMeter: (call) => new GeminiSpeechMeter(call.shape),
  readReply: readSpeech,
};

function writeSpeech(request: SpeechRequest): WrittenRequest {
  const warnings: Warning[] = [];
  warnOfOtherFormatFields(request.vendorOptions, GEMINI_SPEECH_FORMAT, warnings);
  warnOfUnsupported({ speed: request.speed }, 'Gemini', warnings);
  const voiceName = VOICES.get(request.voice?.toLowerCase() ?? '') ?? (request.voice || DEFAULT_VOICE);
  const style = request.instructions?.trim().replace(/[.:\s]+$/, '') ?? '';
  const text = style === '' ? request.text : `${style}: ${request.text}`;
  const body = {
    contents: [{ role: 'user', parts: [{ text }] }],
    generationConfig: {
      responseModalities: ['AUDIO'],
      speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName } } },
    },
  };
  return { body: Buffer.from(JSON.stringify(body)), warnings };
}

interface Sound {
  readonly bytes: Buffer;
  readonly mediaType: string;
  readonly usage: Usage | undefined;
}

/** Sound of the answer, its pieces in one; undefined = it has none. Fails: upstream-malformed. */
function soundOf(body: Buffer): Result<Sound | undefined, RelayError> {
  const read = readGenerateReply(body);
  if (!read.ok) return read;
  const pieces: Buffer[] = [];
  let mediaType = '';
  const [candidate] = listOf(parseDocument(body)?.['candidates']).map((one) => camelFields(documentOf(one)));
  for (const item of listOf(documentOf(candidate?.['content'])['parts'])) {
    const file = camelFields(documentOf(camelFields(documentOf(item))['inlineData']));
    const type = textOf(file['mimeType']);
    const data = textOf(file['data']);
    if (data === undefined || type?.toLowerCase().startsWith('audio/') !== true) continue;
    mediaType ||= type;
    pieces.push(Buffer.from(data, 'base64'));
  }
  const bytes = Buffer.concat(pieces);
  return ok(bytes.length === 0 ? undefined : { bytes, mediaType, usage: read.value.usage });
}

function readSpeech(body: Buffer, call: ParsedCall<'speak'>): Result<SpeechReply, RelayError> {
  const sound = soundOf(body);
  if (!sound.ok) return sound;
  if (sound.value === undefined) return fail(refusal('empty'));
  const { bytes, mediaType, usage } = sound.value;
  const request = call.neutral();
  if (!RAW_TYPE.test(mediaType)) return ok({ audio: bytes, mediaType, usage: allAudio(usage) });
  if (request.ok && request.value.format === 'pcm')
    return ok({ audio: bytes, mediaType: 'audio/pcm', usage: allAudio(usage) });
  return ok({ audio: wavFile(bytes, rateOf(mediaType)), mediaType: 'audio/wav', usage: allAudio(usage) });
}

function rateOf(mediaType: string): number {
  const rate = Number(RATE.exec(mediaType)?.[1] ?? DEFAULT_RATE);
  return rate >= MIN_RATE && rate <= MAX_RATE ? rate : DEFAULT_RATE;
}

/** All output is sound, though the vendor gives no figure by kind. */
function allAudio(usage: Usage | undefined): Usage | undefined {
  if (usage?.output.total === undefined || usage.output.audio !== undefined) return usage;
  const { reasoning = 0, total } = usage.output;
  return { ...usage, output: { ...usage.output, audio: Math.max(0, total - reasoning) } };
}

/** Charges the vendor's figures, else the length of the sound. */
class GeminiSpeechMeter extends GenerateMeter {
  private soundBytes = 0;

  constructor(private readonly shape: Pick<CallShape, 'promptTokens'>) {
    super();
  }

  override get usage(): Usage | undefined {
    return allAudio(super.usage);
  }

  override set usage(usage: Usage | undefined) {
    super.usage = usage;
  }

  override ownCount(): Usage {
    const tokens = tokensOfRawAudio(this.soundBytes);
    return { input: { total: this.shape.promptTokens }, output: { total: tokens, audio: tokens } };
  }

  override readWhole(body: Buffer): WholeVerdict {
    const verdict = super.readWhole(body);
    if (verdict !== 'answer') return verdict;
    const sound = soundOf(body);
    if (!sound.ok) return 'malformed';
    // Text without sound: another attempt may bring some.
    if (sound.value === undefined) return 'empty';
    this.soundBytes = sound.value.bytes.length;
    return 'answer';
  }
}
