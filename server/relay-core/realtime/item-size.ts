import { listOf, textOf, type Document } from '../formats/shared/fields/json-fields.js';
import type { Estimate } from '../formats/contract/produced-text.js';

/** An image, which is not opened; the figure of prompts (formats/shared/requests/estimate-prompt.ts). */
const TOKENS_PER_IMAGE = 765;
const TOKENS_PER_TOOL = 8;

/** Members of an item that the model does not read. */
const SILENT: ReadonlySet<string> = new Set([
  'id',
  'type',
  'object',
  'role',
  'status',
  'phase',
  'call_id',
  'detail',
  'audio',
]);
const IMAGES: ReadonlySet<string> = new Set(['image_url', 'file_id']);

/** Content of an item beside its sound. */
export interface ItemSize {
  readonly texts: string[];
  images: number;
  /** It names another item of the conversation. */
  isReference: boolean;
}

const newItemSize = (): ItemSize => ({ texts: [], images: 0, isReference: false });

export const imageTokens = (images: number): number => images * TOKENS_PER_IMAGE;

/** Adds what a model reads of an item, whatever shape it has: texts, and images by content or by address. */
function addItem(size: ItemSize, item: unknown): void {
  if (typeof item === 'string') size.texts.push(item);
  else if (Array.isArray(item)) for (const part of item) addItem(size, part);
  else if (typeof item === 'object' && item !== null) {
    const document = item as Document;
    if (document['type'] === 'item_reference') size.isReference = true;
    for (const [name, value] of Object.entries(document)) {
      if (IMAGES.has(name)) size.images += 1;
      else if (!SILENT.has(name)) addItem(size, value);
    }
  }
}

/** Size of items beside their sound. */
export function sizeOf(items: unknown): ItemSize {
  const size = newItemSize();
  addItem(size, items);
  return size;
}

/** Tokens of `tools`: the model reads them as they stand. */
export function toolTokens(tools: unknown, estimate: Estimate): number {
  let tokens = 0;
  for (const tool of listOf(tools)) tokens += TOKENS_PER_TOOL + estimate(JSON.stringify(tool));
  return tokens;
}

/** The vendor reads more than is written here: a stored prompt, or a tool it runs by itself. */
export const namesMore = (holder: Document): boolean =>
  (holder['prompt'] !== undefined && holder['prompt'] !== null) ||
  listOf(holder['tools']).some((tool) => textOf((tool as Document | null)?.['type']) !== 'function');
