import type { FilePart, MessagePart } from './messages';

/** Bytes of one question's files as they are sent; the gateway takes bodies of 8 MB, and base64 adds a third. */
export const MAX_FILE_BYTES = 4 * 1024 * 1024;
/** Larger images are scaled down to this edge: vendors do the same before a model sees them. */
const MAX_EDGE_PX = 2_048;
const MAX_TEXT_CHARACTERS = 200_000;
const TEXT_NAME =
  /\.(?:txt|md|csv|tsv|json|jsonl|ya?ml|toml|ini|xml|html?|css|[cm]?[jt]sx?|py|rb|go|rs|java|kt|c|h|cc|cpp|cs|php|sh|sql|log|diff|patch|tex)$/i;
const SENT_AS_FILE = /^(?:image\/(?:png|jpeg|webp|gif)|audio\/(?:wav|x-wav|mpeg|mp3)|application\/pdf)$/;

export const ACCEPTED_FILES =
  'image/*,audio/wav,audio/mpeg,application/pdf,text/*,.md,.csv,.json,.yaml,.yml,.toml,.xml,.html,.css,.js,.ts,.tsx,.py,.go,.rs,.java,.sql,.log,.sh';

/** A file of a question: sent as a part of its own, or, when it is text, inside the question. */
export interface Attachment {
  readonly id: string;
  readonly name: string;
  readonly part: MessagePart;
  /** Characters it adds to the body. */
  readonly size: number;
}

export type AttachmentFault = 'type' | 'size';

/** @returns the attachment, or the reason the file cannot be sent */
export async function readAttachment(file: File): Promise<Attachment | AttachmentFault> {
  const { name, type } = file;
  if (type.startsWith('image/') && type !== 'image/gif') return finish(name, await readImage(file));
  if (SENT_AS_FILE.test(type)) {
    if (file.size > MAX_FILE_BYTES) return 'size';
    return finish(name, { type: 'file', mediaType: type, filename: name, url: await dataUrl(file) });
  }
  if (!type.startsWith('text/') && !TEXT_NAME.test(name)) return 'type';
  const text = await file.text();
  if (text.length > MAX_TEXT_CHARACTERS) return 'size';
  if (text.includes('\u0000')) return 'type';
  return finish(name, { type: 'text', text: `${name}\n${fenced(text)}` });
}

function finish(
  name: string,
  part: FilePart | { type: 'text'; text: string } | undefined,
): Attachment | AttachmentFault {
  if (part === undefined) return 'type';
  const size = part.type === 'text' ? part.text.length : part.url.length;
  return size > (MAX_FILE_BYTES * 4) / 3 + 100 ? 'size' : { id: crypto.randomUUID(), name, part, size };
}

/** A text in a code fence longer than any inside it. */
function fenced(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${text}\n${fence}`;
}

/** The image at most `MAX_EDGE_PX` wide and high; undefined when the browser cannot read it. */
async function readImage(file: File): Promise<FilePart | undefined> {
  const isSentAsIs = SENT_AS_FILE.test(file.type);
  const bitmap = await createImageBitmap(file).catch(() => undefined);
  if (bitmap === undefined) return undefined;
  const { width, height } = bitmap;
  const scale = Math.min(1, MAX_EDGE_PX / Math.max(width, height));
  if (scale === 1 && isSentAsIs) {
    bitmap.close();
    return { type: 'file', mediaType: file.type, filename: file.name, url: await dataUrl(file) };
  }
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  bitmap.close();
  const mediaType = file.type === 'image/png' ? 'image/png' : 'image/jpeg';
  return { type: 'file', mediaType, filename: file.name, url: canvas.toDataURL(mediaType, 0.9) };
}

function dataUrl(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error ?? new Error('unreadable file'));
    reader.readAsDataURL(file);
  });
}
