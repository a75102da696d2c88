import { DomainError } from '../errors/domain-error.js';

/** Limits of a JSON document. */
export const JSON_LIMITS = Object.freeze({ depth: 64, nodes: 100_000, keysPerObject: 10_000 });

const decoder = new TextDecoder('utf-8', { fatal: true });

/**
 * Parses a console body: UTF-8 only, bounded in depth and size, without prototype members.
 * @returns undefined for an empty body
 * Fails: DomainError `body_unreadable` or `body_too_complex`.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new DomainError('body_unreadable');
  }
  assertDepth(text);
  let hasForbiddenKey = false;
  let document: unknown;
  try {
    document = JSON.parse(text, (key, value: unknown) => {
      if (key === '__proto__') hasForbiddenKey = true;
      return value;
    });
  } catch {
    throw new DomainError('body_unreadable');
  }
  if (hasForbiddenKey) throw new DomainError('body_unreadable');
  assertSize(document);
  return document;
}

/** Before parsing, since the parser's own recursion is what depth attacks. Brackets inside strings do not count. */
function assertDepth(text: string): void {
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isInString) {
      if (code === 0x5c) index += 1;
      else if (code === 0x22) isInString = false;
    } else if (code === 0x22) isInString = true;
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > JSON_LIMITS.depth) throw new DomainError('body_too_complex');
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
}

function assertSize(document: unknown): void {
  const pending: unknown[] = [document];
  let nodes = 0;
  for (let node = pending.pop(); node !== undefined || pending.length > 0; node = pending.pop()) {
    nodes += 1;
    if (typeof node !== 'object' || node === null) continue;
    const members = Object.values(node);
    const isTooWide = !Array.isArray(node) && members.length > JSON_LIMITS.keysPerObject;
    if (isTooWide || nodes + pending.length + members.length > JSON_LIMITS.nodes)
      throw new DomainError('body_too_complex');
    pending.push(...members);
  }
}
