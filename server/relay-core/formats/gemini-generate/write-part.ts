import type { ContentPart, MediaSource, ThoughtSignature } from '../../model/content.js';
import { writePortableSignature } from '../shared/fields/portable-signature.js';
import { isDocument } from '../shared/fields/json-fields.js';
import { argumentsObject } from '../shared/fields/tool-arguments.js';
import { vendorCallId } from './call-ids.js';
import { GENERATE_FORMAT } from './id.js';
import { isVideoPage, PART_AS_SENT } from './read-part.js';

type Part = Record<string, unknown>;
type Media = Extract<ContentPart, { readonly type: 'image' | 'audio' | 'video' | 'file' }>;
type Call = Extract<ContentPart, { readonly type: 'tool-call' }>;

/** Types of files whose caller named none. */
const DEFAULT_TYPES: Readonly<Record<Media['type'], string>> = {
  image: 'image/png',
  audio: 'audio/wav',
  video: 'video/mp4',
  file: 'application/pdf',
};

/** The part exactly as this format brought it, where it was kept. */
export function partAsSent(part: ContentPart): Part | undefined {
  if (part.type === 'vendor') {
    return part.apiFormat === GENERATE_FORMAT && isDocument(part.value) ? part.value : undefined;
  }
  const sent = part.vendorOptions?.[GENERATE_FORMAT]?.[PART_AS_SENT];
  return isDocument(sent) ? sent : undefined;
}

/** @param signature  what stands in the signature's field; undefined = nothing */
export function writeText(text: string, isThought: boolean, signature: string | undefined): Part {
  return { text, ...(isThought ? { thought: true } : {}), ...signed(signature) };
}

export function writeMedia(part: Media): Part {
  return { ...part.vendorOptions?.[GENERATE_FORMAT], ...writeSource(part) };
}

function writeSource({ type, source, fileName }: Media): Part {
  const displayName = fileName === undefined ? {} : { displayName: fileName };
  if (source.kind === 'base64') {
    const mimeType = source.mediaType ?? DEFAULT_TYPES[type];
    return { inlineData: { mimeType, data: source.base64, ...displayName } };
  }
  const fileUri = source.kind === 'url' ? source.url : source.fileId;
  const mimeType = typeOfFile(source, type);
  return { fileData: { fileUri, ...(mimeType === undefined ? {} : { mimeType }), ...displayName } };
}

/** Files in the vendor's own stores know their type; pages of videos have one that means them. */
function typeOfFile(
  source: Exclude<MediaSource, { kind: 'base64' }>,
  type: Media['type'],
): string | undefined {
  if (source.kind === 'vendor-file') return undefined;
  return source.mediaType ?? (isVideoPage(source.url) ? 'video/webm' : DEFAULT_TYPES[type]);
}

/** @param keepsId  the vendor takes ids of calls */
export function writeCall(part: Call, signature: string | undefined, keepsId: boolean): Part {
  const id = keepsId ? vendorCallId(part.callId) : undefined;
  const call = {
    ...part.vendorOptions?.[GENERATE_FORMAT],
    ...(id === undefined ? {} : { id }),
    name: part.name,
    args: part.isFreeform === true ? { input: part.json } : argumentsObject(part.json),
  };
  return { functionCall: call, ...signed(signature) };
}

/**
 * @param words  of a thought: what the signature is good for
 * @returns undefined when there is no signature
 */
export const signatureOf = (
  signature: ThoughtSignature | undefined,
  isRedacted?: boolean,
  words?: string,
): string | undefined =>
  signature === undefined
    ? undefined
    : writePortableSignature(signature, 'google', { isRedacted: isRedacted === true, words });

const signed = (signature: string | undefined): Part =>
  signature === undefined ? {} : { thoughtSignature: signature };
