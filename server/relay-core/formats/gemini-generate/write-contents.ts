import { parseExact } from '../../framing/exact-json.js';
import type { Message } from '../../model/chat.js';
import type { ContentPart, ThoughtSignature } from '../../model/content.js';
import type { Warning } from '../../model/warning.js';
import { isDocument, type Document } from '../shared/fields/json-fields.js';
import { vendorCallId } from './call-ids.js';
import { GENERATE_FORMAT } from './id.js';
import { RESPONSE_AS_SENT } from './read-contents.js';
import { generationOf } from './thinking.js';
import { partAsSent, writeCall, writeMedia, writeText } from './write-part.js';
import { otherFormatValue } from '../shared/fields/dropped-fields.js';

type Part = Record<string, unknown>;
interface Content {
  readonly role: 'user' | 'model';
  readonly parts: Part[];
}

/** Requirements of a vendor of this format on conversations. */
export interface ContentRules {
  readonly model: string;
  /** Ids of calls and results are taken. */
  readonly keepsCallIds: boolean;
  /** Calls without their signature get a stand-in whatever the model. */
  readonly addsSignatures: boolean;
}

/**
 * Accepted in place of a signature that the client did not bring back: models of the third generation refuse calls
 * without one (https://ai.google.dev/gemini-api/docs/thought-signatures, read 2026-11-21).
 */
const STAND_IN_SIGNATURE = 'context_engineering_is_the_way_to_go';
const SIGNING_GENERATION = 3;

/** Returns true for a model that signs what it writes. */
export const signs = (model: string): boolean => generationOf(model) >= SIGNING_GENERATION;

/** Returns true when a call of the model is returned with a signature only. */
export const signsCalls = (
  model: string,
  { addsSignatures }: Pick<ContentRules, 'addsSignatures'>,
): boolean => addsSignatures || signs(model);

/** A conversation begins with its user: what stands there when the caller's does not. */
const PLACEHOLDER_TEXT = '...';

/** Messages as `contents` and `systemInstruction`. */
export function writeContents(
  messages: readonly Message[],
  rules: ContentRules,
  warnings: Warning[],
): { readonly contents: readonly Content[]; readonly system: readonly Part[] } {
  const contents: Content[] = [];
  const system: Part[] = [];
  const names = new Map<string, string>();
  let answersCalls = false;
  for (const message of messages) {
    if (message.role === 'system' || message.role === 'developer') {
      system.push(...writeParts(message, rules, warnings));
      continue;
    }
    const isResult = message.role === 'tool';
    const parts = isResult
      ? writeResult(message, names, rules, warnings)
      : writeParts(message, rules, warnings);
    for (const part of message.content) if (part.type === 'tool-call') names.set(part.callId, part.name);
    if (parts.length === 0) continue;
    const role = message.role === 'assistant' ? 'model' : 'user';
    const last = contents.at(-1);
    // Results of calls made together have to come together.
    if (last !== undefined && last.role === role && (!isResult || answersCalls)) last.parts.push(...parts);
    else contents.push({ role, parts });
    answersCalls = isResult;
  }
  if (contents[0]?.role !== 'user') contents.unshift({ role: 'user', parts: [{ text: PLACEHOLDER_TEXT }] });
  return { contents, system };
}

type Turn = Exclude<Message, { role: 'tool' }>;

function writeParts(message: Turn, rules: ContentRules, warnings: Warning[]): Part[] {
  const parts: Part[] = [];
  const isModel = message.role === 'assistant';
  const signs = isModel && signsCalls(rules.model, rules);
  let hasCall = false;
  for (const part of message.content) {
    warnOfMarks(part, warnings);
    const sent = partAsSent(part);
    if (sent !== undefined) {
      parts.push(sent);
      continue;
    }
    switch (part.type) {
      case 'text':
      case 'refusal':
        parts.push(...writeTextParts(part.text, ownSignature(part.signature)));
        break;
      case 'reasoning':
        parts.push(...writeThought(part, warnings));
        break;
      case 'tool-call': {
        const signature =
          ownSignature(part.signature) ?? (signs && !hasCall ? STAND_IN_SIGNATURE : undefined);
        hasCall = true;
        parts.push(writeCall(part, signature, rules.keepsCallIds));
        break;
      }
      case 'image':
      case 'audio':
      case 'video':
      case 'file':
        parts.push({ ...writeMedia(part), ...signed(ownSignature(part.signature)) });
        break;
      case 'source':
        break;
      case 'vendor':
        warnings.push(otherFormatValue('content', 'part', part));
    }
  }
  return parts;
}

/** Thoughts go back to the family that signed them; others are not this model's to read. */
function writeThought(part: Extract<ContentPart, { type: 'reasoning' }>, warnings: Warning[]): Part[] {
  const signature = ownSignature(part.signature);
  if (signature !== undefined) return [writeText(part.text, true, signature)];
  warnOnce(warnings, 'reasoning', "thoughts without Gemini's own signature were left out");
  return [];
}

function warnOfMarks(part: ContentPart, warnings: Warning[]): void {
  if ('cache' in part && part.cache !== undefined) {
    warnOnce(warnings, 'cache_control', 'Gemini finds cached prefixes by itself; marks were left out');
  }
  if ('detail' in part && part.detail !== undefined && part.detail !== 'auto') {
    warnOnce(warnings, 'detail', 'this format has no word for how closely a picture is looked at');
  }
}

function warnOnce(warnings: Warning[], setting: string, reason: string): void {
  if (!warnings.some((one) => one.setting === setting)) warnings.push({ setting, reason });
}

const ownSignature = (signature: ThoughtSignature | undefined): string | undefined =>
  signature?.by === 'google' ? signature.data : undefined;

const signed = (signature: string | undefined): Part =>
  signature === undefined ? {} : { thoughtSignature: signature };

const EMBEDDED_IMAGE = /!\[[^\]]*\]\(data:(image\/[a-z0-9.+-]+);base64,([A-Za-z0-9+/]+={0,2})\)/g;

/** Images that came as data inside markdown go back as images: that is how clients of other grammars keep them. */
function writeTextParts(text: string, signature: string | undefined): Part[] {
  if (!text.includes('](data:image/')) {
    return text === '' && signature === undefined ? [] : [writeText(text, false, signature)];
  }
  const parts: Part[] = [];
  let from = 0;
  for (const match of text.matchAll(EMBEDDED_IMAGE)) {
    if (match.index > from) parts.push(writeText(text.slice(from, match.index), false, undefined));
    parts.push({ inlineData: { mimeType: match[1], data: match[2] } });
    from = match.index + match[0].length;
  }
  if (from < text.length) parts.push(writeText(text.slice(from), false, undefined));
  const [first] = parts;
  if (first !== undefined && signature !== undefined) first['thoughtSignature'] = signature;
  return parts;
}

function writeResult(
  message: Extract<Message, { role: 'tool' }>,
  names: ReadonlyMap<string, string>,
  rules: ContentRules,
  warnings: Warning[],
): Part[] {
  const name = names.get(message.callId) ?? message.name ?? 'unknown';
  const id = rules.keepsCallIds ? vendorCallId(message.callId) : undefined;
  const { [RESPONSE_AS_SENT]: asSent, ...rest } = { ...message.vendorOptions?.[GENERATE_FORMAT] } as Record<
    string,
    unknown
  >;
  const media = message.content.filter((part) => 'source' in part && part.type !== 'source');
  const shown = writeParts({ role: 'user', content: media }, rules, warnings);
  const takesMedia = generationOf(rules.model) >= SIGNING_GENERATION;
  const result = {
    ...rest,
    ...(id === undefined ? {} : { id }),
    name,
    response: isDocument(asSent) ? asSent : responseOf(message),
    ...(takesMedia && shown.length > 0 ? { parts: shown } : {}),
  };
  // Before the third generation results hold no images: they stand beside the result.
  return [{ functionResponse: result }, ...(takesMedia ? [] : shown)];
}

/** A result has to be an object: words and lists are put under a name. */
function responseOf(message: Extract<Message, { role: 'tool' }>): Document {
  const text = message.content.map((part) => ('text' in part ? part.text : '')).join('\n');
  let value: unknown;
  try {
    value = parseExact(text);
  } catch {
    // Words, then.
    value = undefined;
  }
  // Gemini takes a `$ref` in a result for the name of an image beside it, and refuses any other, such as a JSON schema's.
  if (holdsReference(value)) value = undefined;
  if (message.isError === true) return isDocument(value) && 'error' in value ? value : { error: text };
  if (isDocument(value)) return value;
  return Array.isArray(value) ? { result: value } : { content: text };
}

function holdsReference(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(holdsReference);
  return isDocument(value) && ('$ref' in value || Object.values(value).some(holdsReference));
}
