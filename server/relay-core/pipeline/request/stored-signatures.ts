import { randomBytes } from 'node:crypto';
import type { ChatRequest, Message } from '../../model/chat.js';
import type { ContentPart, ThoughtSignature } from '../../model/content.js';
import { SignatureStore } from '../../ports/signature-store.js';
import { whenKnown } from '../../../common/now-or-later.js';

/** End of the id of a call whose signature was stored: the key of the signature stands in it. Every API takes such ids. */
const MARK = /^(.*)-kept-([A-Za-z0-9_-]{16})$/s;
const KEY_BYTES = 12;
/** Signatures looked up for one request at most, the latest first: vendors want those of the turn that is running. */
const MAX_LOOKED_UP = 32;

/** Most of them in the memory of a process, and most characters of one: a thought's signature has a few thousand. */
const MAX_PROOFS = 2_000;
const MAX_LENGTH = 16_384;

/** Those this process kept itself. */
export class LocalSignatureStore extends SignatureStore {
  /** In the order of their coming, oldest first. */
  private readonly signatures = new Map<string, ThoughtSignature>();

  /** @returns false when it is too long to be kept */
  override keep(ownerId: number, key: string, signature: ThoughtSignature): boolean {
    if (signature.data.length > MAX_LENGTH) return false;
    const name = nameOf(ownerId, key);
    this.signatures.delete(name);
    this.signatures.set(name, signature);
    for (const oldest of this.signatures.keys()) {
      if (this.signatures.size <= MAX_PROOFS) break;
      this.signatures.delete(oldest);
    }
    return true;
  }

  override find(ownerId: number, keys: readonly string[]): Map<string, ThoughtSignature> {
    const found = new Map<string, ThoughtSignature>();
    for (const key of keys) {
      const signature = this.signatures.get(nameOf(ownerId, key));
      if (signature !== undefined) found.set(key, signature);
    }
    return found;
  }
}

const nameOf = (ownerId: number, key: string): string => `${ownerId}:${key}`;

/** Store of this process alone, which no other instance reads. */
export const LOCAL_SIGNATURE_STORE = new LocalSignatureStore();

export const newKey = (): string => randomBytes(KEY_BYTES).toString('base64url');
export const markedId = (callId: string, key: string): string => `${callId}-kept-${key}`;

/** The request with the ids its vendor gave, and the signatures that were kept when its calls were answered. */
export function withStoredSignatures(
  request: ChatRequest,
  ownerId: number | undefined,
  signatures: SignatureStore = LOCAL_SIGNATURE_STORE,
): ChatRequest | Promise<ChatRequest> {
  const keys = markedKeys(request);
  if (keys.length === 0) return request;
  const plain = (found: ReadonlyMap<string, ThoughtSignature>): ChatRequest => ({
    ...request,
    messages: request.messages.map((message) => unmarked(message, found)),
  });
  const found = ownerId === undefined ? NONE : signatures.find(ownerId, keys.slice(-MAX_LOOKED_UP));
  return whenKnown(found, plain);
}

const NONE: ReadonlyMap<string, ThoughtSignature> = new Map();

function markedKeys({ messages }: ChatRequest): readonly string[] {
  const keys: string[] = [];
  for (const { content } of messages)
    for (const part of content) {
      if (part.type !== 'tool-call') continue;
      const key = MARK.exec(part.callId)?.[2];
      if (key !== undefined) keys.push(key);
    }
  return keys;
}

function unmarked(message: Message, found: ReadonlyMap<string, ThoughtSignature>): Message {
  if (message.role === 'tool') {
    const callId = MARK.exec(message.callId)?.[1];
    return callId === undefined ? message : { ...message, callId };
  }
  if (!message.content.some(({ type }) => type === 'tool-call')) return message;
  return { ...message, content: message.content.map((part) => unmarkedPart(part, found)) };
}

function unmarkedPart(part: ContentPart, found: ReadonlyMap<string, ThoughtSignature>): ContentPart {
  const match = part.type === 'tool-call' ? MARK.exec(part.callId) : null;
  if (match === null || part.type !== 'tool-call') return part;
  const [, callId = '', key = ''] = match;
  const signature = part.signature ?? found.get(key);
  return { ...part, callId, ...(signature === undefined ? {} : { signature }) };
}
