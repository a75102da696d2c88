import type { UpstreamFormat, ParsedCall, StreamStyle, ApiFormat } from '../contract/api-format.js';
import { PLAIN_ROOTS } from '../shared/fields/tool-roots.js';
import { holdsMark, holdsUnsignedCall } from '../shared/requests/foreign-signatures.js';
import type { CallShape } from '../../model/call.js';
import { errorDocument } from './error-body.js';
import { GENERATE_FORMAT } from './id.js';
import { GenerateMeter } from './meter.js';
import { parseCountCall, parseGenerateCall } from './parse-call.js';
import { readGenerateReply } from './read-reply.js';
import { GenerateReplyReader } from './reply-reader.js';
import { GenerateReplyWriter } from './reply-writer.js';
import { spliceGenerateRequest } from './splice-request.js';
import { partAsSent } from './write-part.js';
import { generateTail, appendGenerateUsage } from './stream-tail.js';
import { signs, signsCalls } from './write-contents.js';
import { writeGenerateReply } from './write-reply.js';
import { refuseGenerateRequest, writeGenerateRequest, type GenerateRules } from './write-request.js';

export { GENERATE_FORMAT } from './id.js';
export { errorDocument, errorStatus, statusName } from './error-body.js';
export { GEMINI_IMAGE_FORMAT, geminiImage } from './image.js';
export { geminiSpeech } from './speech.js';
export { GenerateMeter } from './meter.js';
export { isVideoPage } from './read-part.js';
export { clampBudget, familyOf, generationOf } from './thinking.js';
export type { GenerateRules } from './write-request.js';

const EVENTS: StreamStyle = { contentType: 'text/event-stream', ping: ': PING\n\n' };
/** Between the elements of an array white space means nothing. */
const ARRAY: StreamStyle = {
  contentType: 'application/json; charset=UTF-8',
  ping: '\n',
  writeErrorFrame: (error, callId, hasFrames) =>
    `${hasFrames ? ',' : '['}${JSON.stringify(errorDocument(error, callId))}]`,
};

const DEFAULT_RULES: GenerateRules = { keepsCallIds: true, addsSignatures: false };

/** The vendor's half, for a vendor with these rules. */
export function geminiGenerateBack(rules: GenerateRules = DEFAULT_RULES): UpstreamFormat<'chat'> {
  return {
    id: GENERATE_FORMAT,
    capPlaces: ['generationConfig.maxOutputTokens', 'generation_config.max_output_tokens'],
    // "parameters schema should be of type OBJECT"
    toolRoots: [{ roots: PLAIN_ROOTS }],
    // Colons are taken by one of Google's two addresses only.
    toolNames: { longest: 64, characters: 'A-Za-z0-9_.-', beginsWithLetter: true },
    spliceRequest: (call: ParsedCall<'chat'>, edits) =>
      spliceGenerateRequest(call, edits, !(rules.passesCallIds ?? rules.keepsCallIds)),
    writeRequest: (request, edits) => writeGenerateRequest(request, edits, rules),
    holdsForeignSignatures: (bytes, upstreamModel) =>
      holdsMark(bytes, ['thoughtSignature', 'thought_signature']) ||
      (signsCalls(upstreamModel, rules) &&
        holdsUnsignedCall(bytes, signs(upstreamModel) && /image/.test(upstreamModel))),
    // Signing models refuse an image of their own turns that bears no signature.
    keepsAnswersMedia: (part, upstreamModel) =>
      partAsSent(part) !== undefined ||
      part.type !== 'image' ||
      part.signature?.by === 'google' ||
      !signs(upstreamModel),
    refuseRequest: refuseGenerateRequest,
    framingOf: (shape: CallShape) => (shape.streamForm === 'json-array' ? 'json-array' : 'sse'),
    openMeter: () => new GenerateMeter(),
    readReply: readGenerateReply,
    openReplyReader: () => new GenerateReplyReader(),
  };
}

/** Google's generateContent grammar, for callers that want one answer in one document: https://ai.google.dev/api/generate-content (read 2026-11-21). */
export const geminiGenerate: ApiFormat<'chat'> = {
  ...geminiGenerateBack(),
  replyType: 'application/json; charset=utf-8',
  parseCall: (body, target) => parseGenerateCall(body, target, false),
  writeReply: writeGenerateReply,
  // Thoughts are shown to who asks with `includeThoughts`.
  hides: (call) => {
    const request = call.neutral();
    return request.ok && request.value.reasoning?.summary !== 'auto' ? 'thoughts' : undefined;
  },
  appendUsage: appendGenerateUsage,
};

/** The same for callers that want the answer as it grows: as an event stream (`alt=sse`) or as one array. */
export const geminiGenerateStream: ApiFormat<'chat'> = {
  ...geminiGenerate,
  parseCall: (body, target) => parseGenerateCall(body, target, true),
  openReplyWriter: (context, call) =>
    new GenerateReplyWriter(context, call.shape.streamForm === 'json-array' ? 'json-array' : 'sse'),
  streamTail: generateTail,
  streamStyleOf: (shape) => (shape.streamForm === 'json-array' ? ARRAY : EVENTS),
};

/** Body of `countTokens`: the prompt alone, or a whole request inside `generateContentRequest`. */
export const geminiCount: ApiFormat<'chat'> = { ...geminiGenerate, parseCall: parseCountCall };
