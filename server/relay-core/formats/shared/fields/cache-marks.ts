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
