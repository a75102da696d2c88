import { scanObject, type ScannedObject, spliceFields } from '../../framing/json-splice.js';
import { SCAN_FLAGS } from '../../framing/scan-flags.js';
import {
  documentOf,
  given,
  isDocument,
  textOf,
  type Document,
} from '../../formats/shared/fields/json-fields.js';
import type { ContentPart } from '../../model/content.js';
import type { Warning } from '../../model/warning.js';
import { messageSpans } from './message-spans.js';

export const OTHER_DETAIL = 'this vendor knows auto, low and high';

const CHAT = 'openai-chat';
const RESPONSES = 'openai-responses';
const CONVERSATIONS: Readonly<Record<string, string>> = { [CHAT]: 'messages', [RESPONSES]: 'input' };
const USUAL_DETAILS: ReadonlySet<unknown> = new Set(['auto', 'low', 'high', null, undefined]);
const WITH_SPACE = (name: string, value: string): readonly Buffer[] =>
  ['', ' '].map((space) => Buffer.from(`"${name}":${space}${value}`));
/** Beginnings of images in the forms of other APIs; a chat has objects, Responses texts. */
const OTHER_FORMS: Readonly<Record<string, readonly Buffer[]>> = {
  [CHAT]: [
    ...WITH_SPACE('image_url', '"'),
    ...WITH_SPACE('type', '"image"'),
    ...WITH_SPACE('type', '"input_image"'),
  ],
  [RESPONSES]: WITH_SPACE('image_url', '{'),
};
const DETAIL = Buffer.from('"detail"');

/** False for a caller's body without images in any form; by the members that the scan of the body found. */
export const mayHoldImages = ({ scanFlags = SCAN_FLAGS.image }: Pick<ScannedObject, 'scanFlags'>): boolean =>
  (scanFlags & (SCAN_FLAGS.image | SCAN_FLAGS.escaped)) !== 0;

/**
 * A body that passes, with images in the form of its API: clients of Mistral write the address of a chat's image as a text, clients of chats
 * write it as an object into Responses, and agents send parts of another API; servers refuse each of them. A `detail` that the vendor does
 * not know becomes the nearest.
 * @param knowsDetails  the vendor takes every value of `detail`
 * @returns the same buffer when nothing changes
 */
export function fitImageForms(
  body: Buffer,
  format: string,
  knowsDetails: boolean,
  warnings: Warning[],
): Buffer {
  const name = CONVERSATIONS[format];
  const marks = OTHER_FORMS[format];
  if (name === undefined || marks === undefined) return body;
  const mayDiffer = marks.some((mark) => body.includes(mark)) || (!knowsDetails && body.includes(DETAIL));
  const document = mayDiffer ? scanObject(body) : 'no images';
  const span = typeof document === 'string' ? undefined : document.members.get(name);
  if (typeof document === 'string' || span === undefined) return body;
  const parts: Buffer[] = [];
  let at = 0;
  for (const { start, end } of messageSpans(document.bytes, span)) {
    const fitted = fitMessage(document.bytes.subarray(start, end), format, knowsDetails, warnings);
    if (fitted === undefined) continue;
    parts.push(document.bytes.subarray(at, start), fitted);
    at = end;
  }
  return parts.length === 0 ? body : Buffer.concat([...parts, document.bytes.subarray(at)]);
}

/** Undefined = nothing changes. */
function fitMessage(
  sent: Buffer,
  format: string,
  knowsDetails: boolean,
  warnings: Warning[],
): Buffer | undefined {
  const message = scanObject(sent);
  if (typeof message === 'string') return undefined;
  const changes = new Map<string, unknown>();
  for (const member of ['content', 'output']) {
    const content = imagesOf(message, member);
    if (content === undefined) continue;
    const fitted = content.map((part) => fitPart(part, format, knowsDetails, warnings));
    if (fitted.some((part, index) => part !== content[index])) changes.set(member, fitted);
  }
  return changes.size === 0 ? undefined : spliceFields(message, changes);
}

function imagesOf(message: ScannedObject, member: string): readonly unknown[] | undefined {
  const span = message.members.get(member);
  if (span === undefined || message.bytes[span.start] !== OPEN_ARRAY) return undefined;
  const content = message.bytes.subarray(span.start, span.end);
  if (!IMAGE_MARKS.some((mark) => content.includes(mark))) return undefined;
  return JSON.parse(content.toString('utf8')) as unknown[];
}
const OPEN_ARRAY = 0x5b;

function fitPart(part: unknown, format: string, knowsDetails: boolean, warnings: Warning[]): unknown {
  if (!isDocument(part)) return part;
  const { image_url: image } = part;
  if (format === CHAT) {
    const own = chatImage(part);
    const object = own?.['image_url'];
    if (own === undefined || !isDocument(object)) return part;
    const detailed = fitDetail(object, knowsDetails, warnings);
    return detailed === object ? own : { ...own, image_url: detailed };
  }
  if (part['type'] !== 'input_image') return part;
  const url = isDocument(image) ? textOf(image['url']) : undefined;
  if (!isDocument(image) || url === undefined) return fitDetail(part, knowsDetails, warnings);
  const { detail } = image;
  const plain = detail === undefined ? part : { detail, ...part };
  return fitDetail({ ...plain, image_url: url }, knowsDetails, warnings);
}

/** An image in any form as a chat has it; undefined = no image, or a file of its vendor. */
function chatImage(part: Document): Document | undefined {
  const { type, image_url: image, source, detail, ...rest } = part;
  if (type === 'image_url') return typeof image === 'string' ? { ...part, image_url: { url: image } } : part;
  const url = type === 'input_image' ? textOf(image) : type === 'image' ? addressOf(source) : undefined;
  if (url === undefined) return undefined;
  return { ...rest, type: 'image_url', image_url: { url, ...given('detail', textOf(detail)) } };
}

/** The source of an image of the Messages API. */
function addressOf(value: unknown): string | undefined {
  const source = documentOf(value);
  const data = textOf(source['data']);
  if (source['type'] === 'url') return textOf(source['url']);
  return data === undefined
    ? undefined
    : `data:${textOf(source['media_type']) ?? 'image/png'};base64,${data}`;
}

function fitDetail(holder: Document, knowsDetails: boolean, warnings: Warning[]): Document {
  const { detail, ...rest } = holder;
  if (knowsDetails || USUAL_DETAILS.has(detail)) return holder;
  warnings.push({ setting: 'detail', reason: OTHER_DETAIL });
  const nearest = nearestDetail(detail);
  return nearest === undefined ? rest : { ...holder, detail: nearest };
}

/** The word beyond `high` is high; unknown ones are left to the vendor. */
const nearestDetail = (detail: unknown): string | undefined => (detail === 'original' ? 'high' : undefined);

/** The same for a part of a call that is translated. */
export function withUsualDetail(part: ContentPart, warnings: Warning[]): ContentPart {
  if (part.type !== 'image' || USUAL_DETAILS.has(part.detail)) return part;
  warnings.push({ setting: 'detail', reason: OTHER_DETAIL });
  const { detail, ...rest } = part;
  const nearest = nearestDetail(detail);
  return nearest === undefined ? rest : { ...rest, detail: nearest };
}

const WEB_ADDRESS = /"(?:url|image_url)"\s*:\s*"\s*https?:/i;
const IMAGE_MARKS = ['image_url', '"image"', 'input_image'].map((mark) => Buffer.from(mark));

/** Returns true for a body that may name an image by its address on the web. */
export function mayHoldWebImages(bytes: Buffer): boolean {
  return (
    IMAGE_MARKS.some((mark) => bytes.includes(mark)) &&
    bytes.includes('http') &&
    WEB_ADDRESS.test(bytes.toString('latin1'))
  );
}
