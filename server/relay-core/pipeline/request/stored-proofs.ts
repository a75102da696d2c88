import { randomBytes } from 'node:crypto';
import type { ChatRequest, Message } from '../../model/chat.js';
import type { ContentPart, Proof } from '../../model/content.js';
import { ProofStore } from '../../ports/proof-store.js';

/** How the id of a call ends whose proof was kept aside: the key of the proof stands in it. Every API takes such ids. */
const MARK = /^(.*)-kept-([A-Za-z0-9_-]{16})$/s;
const KEY_BYTES = 12;
/** Proofs looked up for one request at most, the latest first: vendors want those of the turn that is running. */
const MAX_LOOKED_UP = 32;

/** Most of them in the memory of a process, and most characters of one: a thought's signature has a few thousand. */
const MAX_PROOFS = 2_000;
const MAX_LENGTH = 16_384;

/** Those this process kept itself. */
export class LocalProofStore extends ProofStore {
  /** In the order of their coming, oldest first. */
  private readonly proofs = new Map<string, Proof>();

  /** @returns false when it is too long to be kept */
  override keep(ownerId: number, key: string, proof: Proof): boolean {
    if (proof.data.length > MAX_LENGTH) return false;
    const name = nameOf(ownerId, key);
    this.proofs.delete(name);
    this.proofs.set(name, proof);
    for (const oldest of this.proofs.keys()) {
      if (this.proofs.size <= MAX_PROOFS) break;
      this.proofs.delete(oldest);
    }
    return true;
  }

  override find(ownerId: number, keys: readonly string[]): Map<string, Proof> {
    const found = new Map<string, Proof>();
    for (const key of keys) {
      const proof = this.proofs.get(nameOf(ownerId, key));
      if (proof !== undefined) found.set(key, proof);
    }
    return found;
  }
}

const nameOf = (ownerId: number, key: string): string => `${ownerId}:${key}`;

/** Where no other instance is to find them. */
export const LOCAL_PROOF_STORE = new LocalProofStore();

export const newKey = (): string => randomBytes(KEY_BYTES).toString('base64url');
export const markedId = (callId: string, key: string): string => `${callId}-kept-${key}`;

/** The request with the ids its vendor gave, and the proofs that were kept when its calls were answered. */
export function withStoredProofs(
  request: ChatRequest,
  ownerId: number | undefined,
  proofs: ProofStore = LOCAL_PROOF_STORE,
): ChatRequest | Promise<ChatRequest> {
  const keys = markedKeys(request);
  if (keys.length === 0) return request;
  const plain = (found: ReadonlyMap<string, Proof>): ChatRequest => ({
    ...request,
    messages: request.messages.map((message) => unmarked(message, found)),
  });
  const found = ownerId === undefined ? NONE : proofs.find(ownerId, keys.slice(-MAX_LOOKED_UP));
  return found instanceof Promise ? found.then(plain) : plain(found);
}

const NONE: ReadonlyMap<string, Proof> = new Map();

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

function unmarked(message: Message, found: ReadonlyMap<string, Proof>): Message {
  if (message.role === 'tool') {
    const callId = MARK.exec(message.callId)?.[1];
    return callId === undefined ? message : { ...message, callId };
  }
  if (!message.content.some(({ type }) => type === 'tool-call')) return message;
  return { ...message, content: message.content.map((part) => unmarkedPart(part, found)) };
}

function unmarkedPart(part: ContentPart, found: ReadonlyMap<string, Proof>): ContentPart {
  const match = part.type === 'tool-call' ? MARK.exec(part.callId) : null;
  if (match === null || part.type !== 'tool-call') return part;
  const [, callId = '', key = ''] = match;
  const proof = part.proof ?? found.get(key);
  return { ...part, callId, ...(proof === undefined ? {} : { proof }) };
}
