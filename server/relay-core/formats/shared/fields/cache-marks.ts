import type { ChatRequest } from '../../../model/chat.js';
import type { CacheMark } from '../../../model/content.js';
import { isDocument, type Document } from './json-fields.js';

/** `cache_control` on parts and tools: OpenRouter's, Ali's and LiteLLM's convention. */
export function readCacheMark(holder: Document): { readonly cache?: CacheMark } {
  const mark = holder['cache_control'];
  if (!isDocument(mark)) return {};
  const { ttl } = mark;
  return { cache: { ttl: ttl === '5m' || ttl === '1h' ? ttl : undefined } };
}

export function writeCacheMark(cache: CacheMark | undefined): Document {
  if (cache === undefined) return {};
  const ttl = cache.ttl === undefined ? {} : { ttl: cache.ttl };
  return { cache_control: { type: 'ephemeral', ...ttl } };
}

/** Returns true when a tool, a message or a part of the request bears a mark. */
export function hasCacheMarks(request: ChatRequest): boolean {
  return (
    request.tools?.some((tool) => tool.type === 'function' && tool.cache !== undefined) === true ||
    request.messages.some(
      (message) =>
        ('cache' in message && message.cache !== undefined) ||
        message.content.some((part) => part.type !== 'vendor' && part.cache !== undefined),
    )
  );
}
