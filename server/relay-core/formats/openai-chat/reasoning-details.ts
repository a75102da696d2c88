import type { ContentPart, ThoughtSignature } from '../../model/content.js';
import { writePortableSignature, readPortableSignature } from '../shared/fields/portable-signature.js';
import { AT_START, placeFields, readPlace, type ThoughtPlace } from './thought-places.js';
import { documentOf, given, listOf, numberOf, textOf, type Document } from '../shared/fields/json-fields.js';

/** Words of `format` by the family that wrote the piece (OpenRouter's convention, read 2026-11-21). */
const FORMATS: Readonly<Record<ThoughtSignature['by'], string>> = {
  anthropic: 'anthropic-claude-v1',
  google: 'google-gemini-v1',
  openai: 'openai-responses-v1',
};

function familyOf(format: string | undefined): ThoughtSignature['by'] | undefined {
  if (format === undefined) return undefined;
  if (format.startsWith('anthropic')) return 'anthropic';
  if (format.startsWith('google')) return 'google';
  return /^(?:openai|azure|xai)/.test(format) ? 'openai' : undefined;
}

type Reasoning = Extract<ContentPart, { type: 'reasoning' }>;

/** Reasoning of a message, and the signatures of calls that travel among it. */
export interface ReadDetails {
  readonly reasoning: readonly Reasoning[];
  /** Place of each of them in the answer. */
  readonly places: readonly ThoughtPlace[];
  /** Details by call id. */
  readonly callSignatures: ReadonlyMap<string, ThoughtSignature>;
}

interface Growing {
  text: string;
  signature: string | undefined;
  data: string | undefined;
  id: string | undefined;
  format: string | undefined;
  /** Length of the text that the signature covers, where we wrote it. */
  wordsLength: number | undefined;
  place: ThoughtPlace;
}

/** Member of a signed entry that ends a stream of words: how many UTF-16 units they had. */
const TEXT_LENGTH = 'text_length';

/**
 * Reads `reasoning_details`: as vendors give them, or as clients joined them from a stream, where one piece may come in
 * many entries of the same index. Clients that keep only the last entry of a stream bring a signature without its words:
 * that piece is left out, because no vendor takes a signature back for other words.
 * @param plain    the message's reasoning as one text, for entries that bring a signature and no text
 * @param callIds  calls of the same message: an encrypted entry that names one is its signature
 */
export function readDetails(
  value: unknown,
  plain: string,
  callIds: ReadonlySet<string>,
): ReadDetails | undefined {
  const entries = listOf(value).map(documentOf);
  if (entries.length === 0) return undefined;
  const pieces = joinEntries(entries);
  const callSignatures = new Map<string, ThoughtSignature>();
  const reasoning: Reasoning[] = [];
  const places: ThoughtPlace[] = [];
  let isCut = false;
  const hasText = pieces.some(({ text }) => text !== '');
  for (const piece of pieces) {
    const family = familyOf(piece.format);
    if (piece.data !== undefined && piece.id !== undefined && callIds.has(piece.id)) {
      const { by, data } = readPortableSignature(piece.data, family ?? 'google').signature;
      callSignatures.set(piece.id, { by, data });
      continue;
    }
    const words = hasText ? piece.text : plain;
    if (piece.wordsLength !== undefined && piece.wordsLength !== words.length) {
      isCut = true;
      continue;
    }
    reasoning.push(readPiece(piece, family));
    places.push(piece.place);
  }
  if (!hasText && plain !== '' && !isCut && giveText(reasoning, plain)) places.unshift(AT_START);
  return { reasoning, places, callSignatures };
}

function readPiece(
  piece: Pick<Growing, 'text' | 'signature' | 'data' | 'id'>,
  family: ThoughtSignature['by'] | undefined,
): Reasoning {
  const raw = piece.signature ?? piece.data;
  if (raw === undefined) return { type: 'reasoning', text: piece.text };
  const by = family ?? (piece.signature === undefined ? 'openai' : 'anthropic');
  const { signature, isRedacted } = readPortableSignature(raw, by, by === 'openai' ? piece.id : undefined);
  const hidesText = isRedacted || (piece.data !== undefined && by === 'anthropic');
  return { type: 'reasoning', text: piece.text, signature, ...(hidesText ? { isRedacted: true } : {}) };
}

/** The text of the message belongs to the piece that was signed without one, or stands before what is hidden. @returns true where it does */
function giveText(reasoning: Reasoning[], text: string): boolean {
  const at = reasoning.findIndex(({ isRedacted }) => isRedacted !== true);
  const piece = reasoning[at];
  if (piece === undefined) reasoning.unshift({ type: 'reasoning', text });
  else reasoning[at] = { ...piece, text };
  return piece === undefined;
}

function joinEntries(entries: readonly Document[]): readonly Growing[] {
  const pieces: Growing[] = [];
  let lastKey: string | undefined;
  for (const entry of entries) {
    const data = textOf(entry['data']);
    const index = numberOf(entry['index']);
    const key = index === undefined ? undefined : `${index}`;
    let piece = pieces.at(-1);
    // A new index, a piece that is whole already, or a second hidden one begins another.
    if (
      piece === undefined ||
      key === undefined ||
      key !== lastKey ||
      piece.signature !== undefined ||
      (data !== undefined && piece.data !== undefined)
    ) {
      piece = {
        text: '',
        signature: undefined,
        data: undefined,
        id: undefined,
        format: undefined,
        wordsLength: undefined,
        place: readPlace(entry),
      };
      pieces.push(piece);
    }
    lastKey = key;
    piece.text += textOf(entry['text']) ?? textOf(entry['summary']) ?? '';
    piece.signature ??= textOf(entry['signature']);
    piece.data ??= data;
    piece.id ??= textOf(entry['id']);
    piece.wordsLength ??= numberOf(entry[TEXT_LENGTH]);
    // The entry with the signature names its owner.
    const isSignature = entry['signature'] !== undefined || data !== undefined;
    piece.format =
      (isSignature ? textOf(entry['format']) : undefined) ?? piece.format ?? textOf(entry['format']);
  }
  return pieces;
}

/** A piece of reasoning as entries of `reasoning_details`. */
export const writeDetails = (
  part: Reasoning,
  index: number,
  place: ThoughtPlace = AT_START,
): readonly Document[] => writeEntries(part, index).map((entry) => ({ ...entry, ...placeFields(place) }));

function writeEntries(part: Reasoning, index: number): readonly Document[] {
  const { signature, text } = part;
  const spoken = { type: 'reasoning.text', text };
  if (signature === undefined) return text === '' ? [] : [{ ...spoken, format: 'unknown', index }];
  if (signature.by === 'anthropic' && part.isRedacted !== true)
    return [{ ...spoken, ...signatureEntry(signature, false), index }];
  const hidden = { ...signatureEntry(signature, part.isRedacted === true), index };
  return text === ''
    ? [hidden]
    : [{ type: 'reasoning.summary', summary: text, format: FORMATS[signature.by], index }, hidden];
}

/** Words of a stream whose signature is still to come, for clients that keep the entries and nothing else. */
export const textEntry = (text: string, by: ThoughtSignature['by'], index: number): Document => ({
  type: 'reasoning.text',
  text,
  format: FORMATS[by],
  index,
});

/**
 * Members that carry a signature; the last entry of a piece that came in pieces.
 * @param wordsLength  UTF-16 units of the words that went out before, where they came in pieces
 */
export function signatureEntry(
  signature: ThoughtSignature,
  isRedacted: boolean,
  wordsLength?: number,
): Document {
  const format = FORMATS[signature.by];
  if (signature.by === 'anthropic' && !isRedacted)
    return { type: 'reasoning.text', signature: signature.data, format, ...given(TEXT_LENGTH, wordsLength) };
  return {
    type: 'reasoning.encrypted',
    data: signature.data,
    ...given('id', signature.id),
    format,
  };
}

/** Google's own convention: a call's signature stands beside it, at Vertex AI under that name. */
export function readCallSignature(call: Document): ThoughtSignature | undefined {
  const { google, vertex } = documentOf(call['extra_content']);
  const data =
    textOf(documentOf(google)['thought_signature']) ?? textOf(documentOf(vertex)['thought_signature']);
  if (data === undefined) return undefined;
  const { signature } = readPortableSignature(data, 'google');
  return { by: signature.by, data: signature.data };
}

export const writeCallSignature = (signature: ThoughtSignature): Document => ({
  extra_content: { google: { thought_signature: writePortableSignature(signature, 'google') } },
});

/** Words of one entry. */
export const entryText = (entry: Document): string => textOf(entry['text']) ?? textOf(entry['summary']) ?? '';

/** The signature one entry brings. */
export function readEntrySignature(
  entry: Document,
): { readonly signature: ThoughtSignature; readonly isRedacted: boolean } | undefined {
  const signature = textOf(entry['signature']);
  const data = textOf(entry['data']);
  const family = familyOf(textOf(entry['format']));
  const part = readPiece({ text: '', signature, data, id: textOf(entry['id']) }, family);
  return part.signature === undefined
    ? undefined
    : { signature: part.signature, isRedacted: part.isRedacted === true };
}

/**
 * The entries of reasoning a message or a delta has: its own, or LiteLLM's `thinking_blocks` as such entries
 * (https://docs.litellm.ai/docs/reasoning_content, read 2026-11-28), which are Anthropic's blocks.
 */
export function entriesOf(holder: Document): readonly Document[] {
  const own = listOf(holder['reasoning_details']).map(documentOf);
  if (own.length > 0) return own;
  return listOf(holder['thinking_blocks']).flatMap((item, index): readonly Document[] => {
    const block = documentOf(item);
    const frame = { format: FORMATS.anthropic, index };
    if (block['type'] === 'redacted_thinking')
      return [{ ...frame, type: 'reasoning.encrypted', data: block['data'] }];
    const signature = textOf(block['signature']);
    const text = textOf(block['thinking']) ?? '';
    return [{ ...frame, type: 'reasoning.text', text, ...(signature === undefined ? {} : { signature }) }];
  });
}
