import { ok, type Result } from '../../../common/result.js';
import type { ScannedObject } from '../../framing/json-splice.js';
import type { CallShape } from '../../model/call.js';
import type { RelayError } from '../../model/relay-error.js';
import type { SpeechRequest } from '../../model/speech.js';
import { keepUnknown } from '../../model/vendor-options.js';
import { estimateFields } from '../shared/requests/estimate-prompt.js';
import {
  documentOf,
  given,
  isDocument,
  numberOf,
  textOf,
  type Document,
} from '../shared/fields/json-fields.js';
import { invalidRequest, readModelHead, readSmall } from '../shared/fields/request-fields.js';
import type { CallTarget } from '../contract/api-format.js';
import { SPEECH_FORMAT } from './id.js';
import { JsonCall } from '../shared/requests/json-call.js';

/** The model of a request that names none. */
const DEFAULT_MODEL = 'tts-1';
const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  'model',
  'input',
  'voice',
  'instructions',
  'response_format',
  'speed',
  'stream_format',
]);
/** Tokens of sound per character: a person speaks some fifteen characters a second, slow voices fewer. */
const HELD_TOKENS_PER_CHARACTER = 2;

/** Understands a speech request from its top-level members. Fails: invalid-request, with the name of the field. */
export function parseSpeechCall(body: Buffer, target: CallTarget): Result<ParsedSpeechCall, RelayError> {
  const head = readModelHead(body, target.pathModel, DEFAULT_MODEL);
  if (!head.ok) return head;
  const { document, model } = head.value;
  const input = readSmall(document, 'input');
  if (typeof input !== 'string' || input.trim() === '') {
    return invalidRequest("Missing required parameter: 'input', the text to be spoken.", 'input');
  }
  const speed = readSmall(document, 'speed');
  if (speed !== undefined && speed !== null && !(typeof speed === 'number' && speed > 0 && speed <= 10)) {
    return invalidRequest("Invalid 'speed': expected a number such as 1.0.", 'speed');
  }
  const format = readSmall(document, 'response_format') ?? 'mp3';
  if (typeof format !== 'string') {
    return invalidRequest("Invalid 'response_format': expected a string.", 'response_format');
  }
  const characters = Array.from(input).length;
  const slowness = typeof speed === 'number' ? 1 / speed : 1;
  const shape: CallShape = {
    operation: 'speak',
    model,
    stream: readSmall(document, 'stream_format') === 'sse',
    outputCap: undefined,
    choices: 1,
    promptTokens: countsTokens(model)
      ? estimateFields(document, { inputs: ['input', 'instructions'] })
      : characters,
    wantsStreamUsage: false,
    heldOutput: { tokens: Math.ceil(characters * HELD_TOKENS_PER_CHARACTER * slowness) + 100, kind: 'audio' },
  };
  return ok(new ParsedSpeechCall(shape, document, format));
}

/** Newer speech models are priced by tokens, the others by characters. */
const countsTokens = (model: string): boolean => /(?:^|\/)(?:gpt|gemini)-/.test(model);

export class ParsedSpeechCall extends JsonCall<'speak'> {
  constructor(
    shape: CallShape,
    document: ScannedObject,
    /** mp3, opus, aac, flac, wav, pcm, or a vendor's word. */
    readonly format: string,
  ) {
    super(shape, document, (body) => ok(readRequest(documentOf(body))));
  }
}

function readRequest(document: Document): SpeechRequest {
  const { voice } = document;
  return {
    text: textOf(document['input']) ?? '',
    voice: textOf(voice) ?? (isDocument(voice) ? textOf(voice['id']) : undefined),
    ...given('instructions', textOf(document['instructions'])),
    ...given('format', textOf(document['response_format'])),
    ...given('speed', numberOf(document['speed'])),
    ...given('vendorOptions', keepUnknown(SPEECH_FORMAT, document, KNOWN_FIELDS)),
  };
}
