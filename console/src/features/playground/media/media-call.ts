import { isRecord } from '../../../shared/format/json';

/** An image of an answer: inside it, or at an address that is fetched only when the reader asks for it. */
export interface MadeImage {
  readonly source: 'inside' | 'address';
  readonly url: string;
}

const TYPES: Readonly<Record<string, string>> = {
  iVBOR: 'image/png',
  '/9j/': 'image/jpeg',
  UklGR: 'image/webp',
  R0lGO: 'image/gif',
};

/** Media type by the first bytes of base64. */
const typeOf = (base64: string): string =>
  Object.entries(TYPES).find(([start]) => base64.startsWith(start))?.[1] ?? 'image/png';

/** Images of an answer to `/pg/images/generations`; what is no image is left out. */
export function imagesOf(answer: unknown): readonly MadeImage[] {
  const items = isRecord(answer) && Array.isArray(answer['data']) ? (answer['data'] as unknown[]) : [];
  return items.flatMap((item): MadeImage[] => {
    if (!isRecord(item)) return [];
    const { b64_json: base64, url } = item;
    if (typeof base64 === 'string' && /^[\w+/=\s-]+$/.test(base64))
      return [{ source: 'inside', url: `data:${typeOf(base64)};base64,${base64}` }];
    if (typeof url !== 'string') return [];
    if (url.startsWith('data:image/')) return [{ source: 'inside', url }];
    return /^https?:\/\//.test(url) ? [{ source: 'address', url }] : [];
  });
}

/** Sizes by family: https://platform.openai.com/docs/guides/image-generation (read 2026-11-29). Others get a free field. */
export function sizesOf(model: string): readonly string[] {
  if (/dall-e-2/.test(model)) return ['256x256', '512x512', '1024x1024'];
  if (/dall-e-3/.test(model)) return ['1024x1024', '1792x1024', '1024x1792'];
  return ['1024x1024', '1536x1024', '1024x1536'];
}

/** OpenAI's voices; other vendors' names can be typed. */
export const VOICES = ['alloy', 'ash', 'coral', 'echo', 'fable', 'nova', 'onyx', 'sage', 'shimmer'] as const;
